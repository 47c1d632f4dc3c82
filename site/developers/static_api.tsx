/**
 * The snapshot itself as an API of files: what any program can read without the service.
 *
 * @module
 */

import { POINTER_PATH, shardPath, snapshotPath } from "../../pipeline/snapshot/manifest.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { REQUEST_EXAMPLES } from "../../api/discovery/examples.ts";
import { Code } from "../parts/code.tsx";
import { Table } from "../parts/table.tsx";

/** What is known of the snapshot that answers now. */
export interface StaticApiProps {
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
        The service reads its data from a set of files that any web server can hold and any program
        can read. There is no limit on them but that of their host, and nothing to install: to look
        one carrier up takes three files, two of which you can keep.
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
            "What the snapshot holds; its SHA-256 stands in the pointer",
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
          <code>families.carriers.runs</code> holds it, there is no such carrier.
        </li>
        <li>
          Read the shard and look for the record with that{" "}
          <code>dot</code>. A member that is absent is not known.
        </li>
      </ol>
      <p>
        Take all files of one answer from one snapshot. The records are the regulator's facts;
        checks, deadlines and fees are worked out by the service.
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
        folder USDOT {dot} lies in <code>{snapshotPath(current?.id ?? "{id}")}/{shard}</code>.
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
