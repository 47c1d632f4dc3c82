/**
 * `/carriers/{dot}/record`: the vetting record, to print on one page or to save.
 *
 * @module
 */

import { lookupCarrier } from "../../../api/operations/lookup.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import { Facts } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { Name, Outside, STATE_WORDS } from "../../components/text.tsx";
import { lookUp, type PageRoute, type Visit } from "../route.ts";
import { calledName } from "./facts.ts";
import {
  identityLines,
  lookupLines,
  NOT_AN_APPROVAL,
  recordJson,
  recordName,
  recordText,
  sourceLine,
  verdictLines,
  type VettingRecord,
} from "./record_text.ts";
import { toneOf } from "./text.ts";

const PATH = "/carriers/{dot}/record";

/** The record as a page, as text and as JSON. */
export const recordRoutes: readonly PageRoute[] = [
  { path: PATH, answer: async (visit) => recordPage(await lookedUp(visit)) },
  {
    path: `${PATH}.txt`,
    answer: async (visit) => file(await lookedUp(visit), "txt", "text/plain", recordText),
  },
  {
    path: `${PATH}.json`,
    answer: async (visit) => file(await lookedUp(visit), "json", "application/json", recordJson),
  },
];

async function lookedUp(visit: Visit): Promise<VettingRecord> {
  const { site, params } = visit;
  const { answer, manifestSha256 } = await lookUp(visit, lookupCarrier, { dot: params.dot });
  return { carrier: answer, manifestSha256: manifestSha256!, now: site.clock.now() };
}

function file(
  record: VettingRecord,
  extension: string,
  type: string,
  textOf: (record: VettingRecord) => string,
): Response {
  return new Response(textOf(record), {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${recordName(record)}.${extension}"`,
      // It has the time of the lookup.
      "Cache-Control": "no-store",
      "Snapshot-Id": record.carrier.snapshot.id,
      "X-Robots-Tag": "noindex",
    },
  });
}

function recordPage(record: VettingRecord): Page {
  const { carrier } = record;
  const { dot, checks, verdict, snapshot } = carrier;
  const tone = toneOf(carrier);
  const at = `/carriers/${dot}/record`;
  return {
    // Browsers name a printed file after it.
    title: recordName(record),
    description: `Vetting record of USDOT ${dot}.`,
    unlisted: true,
    snapshotId: snapshot.id,
    style: "carrier",
    scripts: ["record.js"],
    body: (
      <article class="record">
        <h1>
          Vetting record: <Name text={calledName(carrier)} />
        </h1>
        <div class="actions" id="record">
          <a class="button quiet" href={`${at}.txt`}>Save as text</a>
          <a class="button quiet" href={`${at}.json`}>Save as JSON</a>
          <a class="button quiet" href={`/carriers/${dot}`}>Back to the carrier</a>
        </div>
        <div class={`notice ${tone}`}>
          <h2 class={`state ${tone}`}>{verdict}</h2>
          {verdictLines(carrier).map((line) => <p>{line}</p>)}
          {snapshot.notice !== undefined && <p>{snapshot.notice}</p>}
        </div>
        <div class="columns">
          <Facts of="lines" entries={identityLines(record)} />
          <Facts of="lines" entries={[...lookupLines(record), ["File", recordName(record)]]} />
        </div>
        <h2>Six checks</h2>
        <ol>
          {checks.map(({ label, state, detail, basis }) => (
            <li>
              <h3>
                {label}: <span class={`state ${state}`}>{STATE_WORDS[state]}</span>
              </h3>
              <p>
                {detail}{" "}
                <small>
                  Source: {basis.url === null
                    ? sourceLine(basis)
                    : <Outside place={{ name: sourceLine(basis), url: basis.url }} />}
                </small>
              </p>
            </li>
          ))}
        </ol>
        <p>
          Official record: <Outside place={saferOf(dot)} text={saferOf(dot).url} />
        </p>
        <dl class="sign">
          <dt>Reviewed by</dt>
          <dd></dd>
          <dt>Date</dt>
          <dd></dd>
          <dt>Decision</dt>
          <dd></dd>
        </dl>
        <p class="soft">{NOT_AN_APPROVAL}</p>
      </article>
    ),
  };
}
