/**
 * What applies to every endpoint: jobs, limits, headers, errors, caching, versions; and the static API.
 *
 * @module
 */

import { ERRORS } from "../../../api/discovery/errors.ts";
import { EXAMPLE_JOB, REQUEST_EXAMPLES } from "../../../api/discovery/examples.ts";
import { HEADER_PARAMETERS, HEADERS } from "../../../api/discovery/headers.ts";
import { MAX_KEY } from "../../../api/http/input.ts";
import { sharedCaching } from "../../../api/http/headers.ts";
import { API_VERSION } from "../../../api/operations/about.ts";
import { ERROR_STATUS, type ErrorCode } from "../../../api/operations/errors.ts";
import { createJob, getJob, RESULTS_MS } from "../../../api/operations/jobs.ts";
import { KEEP_MS } from "../../../api/state/idempotency.ts";
import { POINTER_PATH, shardPath, snapshotPath } from "../../../pipeline/snapshot/manifest.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import { Code, Json, Limits, Table } from "../../components/blocks.tsx";
import { Prose } from "../../components/text.tsx";
import { curl, exampleCall } from "../../../api/discovery/curl.ts";

const HOUR_MS = 3_600_000;

export function JobSection({ baseUrl }: { baseUrl: string }) {
  const call = exampleCall(createJob, baseUrl);
  return (
    <>
      <h2 id="lists">Lists: batches, jobs, keys</h2>
      <p>
        A batch answers at once. A job is for longer lists: it is accepted with 202 and a{" "}
        <code>Location</code>. GET it within {RESULTS_MS / HOUR_MS}{" "}
        hour for the results, which are streamed while they are looked up, and gzipped when you
        accept it. A job is bound to the snapshot it was made on, and there is one item for each
        number, in the order asked. An item with <code>upstream_unavailable</code>{" "}
        is retried at the next GET.
      </p>
      <Code
        copy
        text={`${curl({ ...call, headers: { "Idempotency-Key": EXAMPLE_JOB } })}\n${
          curl(exampleCall(getJob, baseUrl))
        }`}
      />
      <p>
        Both take an <code>Idempotency-Key</code>: any string of 1 to {MAX_KEY}{" "}
        characters that you use once. Sent again within {KEEP_MS / HOUR_MS}{" "}
        hours with the same numbers, it gets the same answer, byte for byte, with{" "}
        <code>Idempotent-Replayed: true</code>. With other numbers it is refused. Keys belong to
        your network address: sent from another one, the same key is new. A job’s key outlives the
        job: after <code>expires_at</code> send the numbers with a new key.
      </p>
    </>
  );
}

export function LimitSection() {
  return (
    <>
      <h2 id="limits">Limits</h2>
      <Limits />
      <p>
        Every response has the remaining quota. On 429 wait <code>Retry-After</code>{" "}
        seconds; a refused request does not count. For many numbers take a batch or a job, which
        count as one request.
      </p>
    </>
  );
}

/** Headers to send, and headers to read. */
export function HeaderSection() {
  return (
    <>
      <h2 id="headers">Headers</h2>
      <Table
        caption="Headers that a request may carry"
        heads={["Header", "What it is"]}
        rows={Object.values(HEADER_PARAMETERS).map(({ name, description }) => [
          <code>{name}</code>,
          <Prose text={description} />,
        ])}
      />
      <Table
        caption="Headers of answers"
        heads={["Header", "What it is"]}
        rows={Object.entries(HEADERS).map(([name, { description }]) => [
          <code>{name}</code>,
          <Prose text={description} />,
        ])}
      />
    </>
  );
}

export function ErrorSection() {
  return (
    <>
      <h2 id="errors">Errors</h2>
      <p>
        Every error of REST, and every 404 and 429, has one shape; other errors of{" "}
        <code>/ask</code>, MCP and A2A have the shape of their protocol. <code>code</code>{" "}
        is for programs and does not change; <code>message</code>{" "}
        is for people and may. Report a problem with the <code>X-Request-Id</code> of the answer.
      </p>
      <Json value={{ error: { code: "not_found", message: ERRORS.not_found.message } }} />
      <Table
        caption="Error codes"
        heads={["Code", "Status", "When"]}
        rows={Object.entries(ERRORS).map(([code, { when }]) => [
          <code id={code}>{code}</code>,
          String(ERROR_STATUS[code as ErrorCode]),
          <Prose text={when} />,
        ])}
      />
    </>
  );
}

export function FreshnessSection() {
  const [[, browsers], [, shared]] = sharedCaching({ now: 0, dayEnds: Infinity }) as [
    [string, string],
    [string, string],
  ];
  return (
    <>
      <h2 id="caching">Caching and freshness</h2>
      <p>
        Every lookup answers from one dated snapshot: <code>snapshot.data_date</code>{" "}
        is the date of the data, the header <code>Snapshot-Id</code>{" "}
        names it. Quote the date. Days until a deadline count from today in New York.
      </p>
      <p>
        A 200 of a GET may be cached: <code>{browsers}</code> in a browser, <code>{shared}</code>
        {" "}
        in a shared cache, never past midnight in New York. Send its <code>ETag</code> as{" "}
        <code>If-None-Match</code>{" "}
        and an answer that is still right comes back as 304 without a body. Errors, batches and jobs
        are <code>no-store</code>.
      </p>
      <h2 id="versions">Versions</h2>
      <p>
        This is version {API_VERSION}; the major version is in the path. Within <code>/api/v1</code>
        {" "}
        members and codes may be added, never renamed, dropped or given another meaning: ignore
        those you do not know. What would break a client gets another path.
      </p>
    </>
  );
}

interface StaticApiProps {
  /** Where the snapshots can be read, when that is an address. */
  address: string | undefined;
  /** Undefined when none can be read now. */
  current: Pick<Snapshot, "id" | "manifest"> | undefined;
}

/** Width of the shards that are written now; the manifest has the word. */
const WIDTHS = { carriers: 100, dockets: 1000 };

/** The paths, and how to find a carrier by them. */
export function StaticApi({ address, current }: StaticApiProps) {
  const carriers = current?.manifest.families.carriers.width ?? WIDTHS.carriers;
  const dockets = current?.manifest.families.dockets.width ?? WIDTHS.dockets;
  return (
    <>
      <h2 id="static">The static API</h2>
      <p>
        The service reads its data from files that any web server can host and any program can read.
        The only limit on them is that of their host, and there is nothing to install: to look one
        carrier up takes three files, two of which you can keep.
      </p>
      <Table
        caption="Files of a snapshot"
        heads={["Path", "What it is", "Changes"]}
        rows={[
          [
            <code>{POINTER_PATH}</code>,
            "The pointer: which snapshot is current, and what it was built from",
            "With each publication",
          ],
          [
            <code>{snapshotPath("{id}")}/manifest.json</code>,
            "The contents of the snapshot; its SHA-256 is in the pointer",
            "Never",
          ],
          [
            <code>{snapshotPath("{id}")}/carriers/{"{n}"}.json.gz</code>,
            `An array of the carriers ${carriers} n to ${carriers} n + ${carriers - 1}, gzipped`,
            "Never",
          ],
          [
            <code>{snapshotPath("{id}")}/dockets/{"{n}"}.json.gz</code>,
            `USDOT numbers by prefix and docket number, ${dockets} n to ${dockets} n + ${
              dockets - 1
            }, gzipped`,
            "Never",
          ],
          [
            <code>{snapshotPath("{id}")}/report.json</code>,
            "What the build read, refused and counted",
            "Never",
          ],
          [
            <code>{snapshotPath("{id}")}/SHA256SUMS</code>,
            "A hash for each file, as sha256sum -c reads it",
            "Never",
          ],
        ]}
      />
      <ol>
        <li>
          Read <code>{POINTER_PATH}</code>, at most once a minute. Refuse a <code>format</code>{" "}
          other than 1.
        </li>
        <li>
          Read the manifest and compare its SHA-256 with <code>manifest_sha256</code>.
        </li>
        <li>
          The shard of a USDOT number is the number divided by{" "}
          <code>families.carriers.width</code>, rounded down. When no run of{" "}
          <code>families.carriers.runs</code> contains it, there is no such carrier.
        </li>
        <li>
          Read the shard and look for the record with that{" "}
          <code>dot</code>. A member that is absent is not known.
        </li>
      </ol>
      <p>
        Take all files of one answer from one snapshot. The records are FMCSA's facts; the service
        calculates checks, deadlines and fees.
      </p>
      <Example address={address} current={current} width={carriers} />
    </>
  );
}

function Example({ address, current, width }: StaticApiProps & { width: number }) {
  const dot = Number(REQUEST_EXAMPLES.lookupCarrier!.dot);
  const shard = shardPath("carriers", Math.floor(dot / width));
  if (address === undefined) {
    return (
      <p class="notice">
        This service reads its snapshot from a folder, so there is no public address to try. In that
        folder USDOT {dot} is in <code>{snapshotPath(current?.id ?? "{id}")}/{shard}</code>.
      </p>
    );
  }
  return (
    <Code
      copy
      text={[
        `curl ${address}/${POINTER_PATH}`,
        ...(current === undefined ? [] : [
          `curl ${address}/${snapshotPath(current.id)}/manifest.json`,
          `curl ${address}/${snapshotPath(current.id)}/${shard} | gunzip`,
        ]),
      ].join("\n")}
    />
  );
}
