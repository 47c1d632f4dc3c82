/**
 * `/carriers/{dot}/record`: the vetting record, to print on one page or to save as text or JSON.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { BODY_REVISION } from "../../../api/http/lookups.ts";
import { PAGE_COSTS } from "../../../api/state/rate_limit.ts";
import { carrierWithHistory } from "../../../api/operations/history.ts";
import { forCaller } from "../../../api/operations/operation.ts";
import { recordFileName, recordFileText } from "../../../api/operations/vetting_record.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import { newYorkToday } from "../../../api/rules/new_york.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import { type Basis, type Carrier, FRESH_DAYS } from "../../../api/rules/schemas.ts";
import { findingLine } from "../../../api/rules/findings.ts";
import { dataLine, stateWords } from "../../../api/rules/words.ts";
import { PAST_PATH } from "../../../pipeline/snapshot/paths.ts";
import { CannotProve, makeProof, readSumsTree } from "../../../pipeline/snapshot/proof.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import type { SumsTree } from "../../../pipeline/snapshot/sums_tree.ts";
import { inert, wrap } from "../../../pipeline/text.ts";
import { Facts, FiledText, Outside, State } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { fileResponse, lookUp, type PageRoute, type Visit } from "../route.ts";
import { askedDay, dayErrorPage, DayNotice, dayQuery, withoutDay } from "./as_of.tsx";
import { changeLines, ChangesTable } from "./changes.tsx";
import { calledName, someFacts } from "./facts.ts";
import { missingData, toneOf } from "./top.tsx";

const PATH = "/carriers/{dot}/record";

export const recordRoutes: readonly PageRoute[] = [
  { path: PATH, answer: (visit) => answerWith(visit, recordPage) },
  fileRoute("txt", "text/plain", recordText),
  { ...fileRoute("json", "application/json", recordJson), cost: PAGE_COSTS.search },
];

function fileRoute(
  extension: string,
  type: string,
  textOf: (record: VettingRecord, visit: Visit) => string | Promise<string>,
): PageRoute {
  return {
    path: `${PATH}.${extension}`,
    answer: (visit) =>
      answerWith(visit, async (record) =>
        fileResponse(await textOf(record, visit), {
          type: `${type}; charset=utf-8`,
          name: `${record.file}.${extension}`,
          snapshotId: record.carrier.snapshot.id,
        })),
  };
}

async function answerWith(
  visit: Visit,
  make: (record: VettingRecord) => Page | Response | Promise<Response>,
): Promise<Page | Response> {
  const present = withoutDay(visit);
  if (present !== null) return present;
  try {
    return await make(await lookedUp(visit));
  } catch (error) {
    const page = await dayErrorPage(error, visit, `/carriers/${visit.params.dot}/record`);
    if (page === null) throw error;
    return page;
  }
}

type Lines = readonly (readonly [name: string, value: string])[];

const IDENTITY = [
  "Legal name",
  "Doing business as",
  "Physical address",
  "Phone",
  "Operation",
  "Fleet",
  "Dockets",
] as const;

/** Maximum length of a name or another value in the record. The census allows 120 characters for a name. */
const NAME_LENGTH = 500;

const LINE_LENGTH = 96;

/**
 * A record with up to this many findings and changes fits one printed page. With more, it is printed in
 * smaller type.
 */
const FEW = 3;

const TIME = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

type VettingRecord = Awaited<ReturnType<typeof lookedUp>>;

async function lookedUp(visit: Visit) {
  const { dot } = visit.params;
  const asOf = askedDay(visit);
  const now = visit.site.clock.now();
  // The record's day must match its time, even if midnight has passed since the request arrived.
  const today = newYorkToday(now);
  const found = await lookUp({ ...visit, today }, carrierWithHistory, { dot, as_of: asOf });
  const { carrier, history } = found.answer;
  const { snapshot } = carrier;
  const manifestSha256 = found.manifestSha256!;
  const lookedUpAt = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  const time = asOf === undefined ? { looked_up_at: lookedUpAt } : { as_of: asOf };
  const stale = snapshot.stale ? ` STALE: more than ${FRESH_DAYS} days old.` : "";
  const identity: Lines = [
    ["USDOT number", carrier.dot],
    ...someFacts(carrier, IDENTITY)
      .map(([name, value]) => [name, inert(value ?? "Not reported", NAME_LENGTH)] as const),
  ];
  const lookup: Lines = [
    // A record of a past day has no time, so that it is the same whenever it is made.
    asOf === undefined
      ? ["Looked up", `${lookedUpAt} (${formatForPeople(today)}, ${TIME.format(now)})`]
      : ["As of", formatForPeople(asOf)],
    ["Page", carrier.page_url + dayQuery(asOf)],
    ["Data", dataLine(snapshot) + stale],
    ["Snapshot", snapshot.id],
    ["SHA-256", manifestSha256],
    ["How to verify", `${visit.site.baseUrl}/developers#proofs`],
  ];
  return {
    carrier,
    history,
    file: recordFileName(carrier.dot, time),
    time,
    manifestSha256,
    identity,
    lookup,
  };
}

/** `Company Census File of Oct 3, 2026; 49 CFR 390.19T(b)`. */
function sourceLine({ file, data_date, citation }: Basis): string {
  const source = `${file} of ${formatForPeople(data_date)}`;
  return citation === null ? source : `${source}; ${citation}`;
}

function notAnApproval({ orders }: Carrier): string {
  const [files, ofOrders] = orders === undefined
    ? ["FMCSA's census and inspection files have", "out-of-service orders, "]
    : ["The FMCSA files used here have", ""];
  return `This is not an approval or a score. ${files} no insurance filings, crash records, ` +
    `${ofOrders}grants or revocations of operating authority, or UCR payments, and the official ` +
    "record may be newer. Independent: not part of, and not endorsed by, FMCSA.";
}

function recordPage({ carrier, history, file, identity, lookup }: VettingRecord): Page {
  const { dot, as_of: asOf, checks, verdict, snapshot } = carrier;
  const tone = toneOf(carrier);
  const isLong = carrier.findings.length + history.changes.length > FEW;
  const at = `/carriers/${dot}/record`;
  const text = `${at}.txt${dayQuery(asOf)}`;
  return {
    // Browsers use it as the name of a printed file.
    title: file,
    description: `Vetting record of USDOT ${dot}.`,
    unlisted: true,
    snapshotId: snapshot.id,
    style: "record",
    ...asOf !== undefined && { canonical: at },
    scripts: ["record.js"],
    body: (
      <article class={isLong ? "record long" : "record"}>
        <DayNotice snapshot={snapshot} present={at} />
        <h1>
          Vetting record: <FiledText text={calledName(carrier)} />
        </h1>
        <div class="actions" id="record">
          <button type="button" class="scripted">Print</button>
          <a class="button quiet" href={text}>Save as text</a>
          <button type="button" class="quiet scripted">Copy as text</button>
          <a class="button quiet" href={`${at}.json${dayQuery(asOf)}`}>JSON with proof</a>
          <a class="button quiet" href={`/carriers/${dot}${dayQuery(asOf)}`}>Back to carrier</a>
        </div>
        <div class={`notice ${tone}`}>
          <h2 class={`state ${tone}`}>{verdict}</h2>
          {carrier.findings.length > 0 && (
            <ul>{carrier.findings.map((finding) => <li>{findingLine(finding)}</li>)}</ul>
          )}
          {missingData(carrier).map((line) => <p>{line}</p>)}
          {snapshot.notice !== undefined && <p>{snapshot.notice}</p>}
        </div>
        <div class="columns">
          <Facts of="lines" entries={identity} />
          <Facts of="lines" entries={[...lookup, ["File", file]]} />
        </div>
        <h2>Six checks</h2>
        <ol>
          {checks.map(({ label, detail, basis, ...check }) => (
            <li>
              <h3>
                {label}: <State check={check} />
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
        <ChangesTable history={history} all={{ href: text, text: "the record as text has all" }} />
        <p>
          Official record: <Outside place={saferOf(dot)} text={saferOf(dot).url} />
        </p>
        <dl class="sign">
          {["Reviewed by", "Date", "Decision"].map((name) => [<dt>{name}</dt>, <dd></dd>])}
        </dl>
        <p class="soft">{notAnApproval(carrier)}</p>
      </article>
    ),
  };
}

/** The record as text. Each name is on one line, without invisible characters. */
function recordText({ carrier, history, file, identity, lookup }: VettingRecord): string {
  const { dot, as_of, verdict, checks, snapshot: { notice } } = carrier;
  const name = inert(calledName(carrier), NAME_LENGTH);
  const wrapped = (text: string): string[] => wrap(text, LINE_LENGTH);
  const listed = (lines: Lines): string[] => lines.map(([name, value]) => `${name}: ${value}`);
  return [
    `Vetting record: ${name.startsWith("USDOT") ? name : `${name}, USDOT ${dot}`}`,
    ...as_of === undefined
      ? []
      : [`As of ${formatForPeople(as_of)}: the record of that day, not today's.`],
    "",
    ...[
      `Verdict: ${verdict}.`,
      ...carrier.findings.map((finding) => `- ${findingLine(finding)}`),
      ...missingData(carrier),
    ].flatMap(wrapped),
    ...notice === undefined ? [] : wrapped(`Notice: ${inert(notice, NAME_LENGTH)}`),
    "",
    ...checks.flatMap(({ label, detail, basis, ...check }, i) => [
      `${i + 1}. ${label}: ${stateWords(check)}`,
      ...wrapped(detail),
      `Source: ${sourceLine(basis)}${basis.url === null ? "" : `; ${basis.url}`}`,
      "",
    ]),
    ...changeLines(history).flatMap(wrapped),
    "",
    ...listed(identity),
    "",
    ...listed(lookup),
    `Official record: ${saferOf(dot).url}`,
    `File: ${file}`,
    "",
    "Reviewed by: ______________________  Date: ______________  Decision: ______________",
    "",
    ...wrapped(notAnApproval(carrier)),
    `By ${SERVICE_TITLE}.`,
    "",
  ].join("\n");
}

/** The record with the proof of its row, so that the file can be checked after the snapshot is gone. */
async function recordJson(
  { carrier, history, time, manifestSha256 }: VettingRecord,
  { site: { reader }, sums }: Visit,
): Promise<string> {
  const name = { id: carrier.snapshot.id, manifestSha256 };
  const proven = await reader.useOf(name, async (snapshot) => {
    const later = await reader.current();
    return await provenBy(snapshot, { dot: Number(carrier.dot), later, sums });
  }).catch((error) => {
    throw forCaller(error);
  });
  return await recordFileText({
    ...{ time, carrier, history, manifestSha256, proven },
    revision: BODY_REVISION,
  });
}

async function provenBy(
  snapshot: Snapshot,
  { dot, later, sums }: { dot: number; later: Snapshot } & Pick<Visit, "sums">,
) {
  try {
    const proof = await makeProof(snapshot, { dot, later, readTree: (one) => treeOf(one, sums) });
    const { files } = snapshot.manifest;
    const past = files[PAST_PATH] && new TextDecoder().decode(await snapshot.file(PAST_PATH));
    return { ...past !== undefined && { past }, proof: JSON.parse(proof!) };
  } catch (error) {
    if (error instanceof CannotProve) return { proof: null, not_proven: error.message };
    throw error;
  }
}

async function treeOf(snapshot: Snapshot, sums: Visit["sums"]): Promise<SumsTree> {
  return await sums.get(snapshot.id, async () => {
    const { bytes } = snapshot.manifest.files.SHA256SUMS;
    return { value: await readSumsTree(snapshot), bytes };
  });
}
