/**
 * `/compare`: up to four carriers side by side, from one snapshot.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { findItems } from "../../../api/operations/batch.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import { findDockets } from "../../../api/operations/lookup.ts";
import { absenceWords, censusOf } from "../../../api/rules/check.ts";
import { KIND_WORDS } from "../../../api/rules/findings.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { stateWords } from "../../../api/rules/words.ts";
import { listed, plural } from "../../../pipeline/text.ts";
import { type Identifier, named, problemWords, readList } from "../../bulk/numbers.ts";
import { DataAge, Field, FiledText, SaferLink, State } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { calledName, type FactLabel, factOf } from "./facts.ts";
import { type PageRoute, type Visit, watchPath } from "../route.ts";

const MOST = 4;

export const compareRoute: PageRoute = {
  path: "/compare",
  listed: true,
  async answer(visit) {
    const typed = visit.url.searchParams.getAll("dot").join(", ").slice(0, 200);
    if (typed === "") return formPage(typed);
    const { numbers: asked, repeated, unread } = readList(typed, 2 * MOST);
    const found = await find(visit, asked);
    const { carriers, snapshotId } = found;
    const notes = [
      ...unread.map(problemWords),
      ...Array.from(repeated, (name) => `${name} is entered more than once`),
      ...found.notes,
    ];
    if (carriers.length === 0) return formPage(typed, notes.join(". ") || UNREADABLE);
    const { enabled: alerts } = visit.site.alerts;
    return { ...comparison(carriers, { typed, notes, alerts }), snapshotId };
  },
};

const UNREADABLE = `Enter 2 to ${MOST} USDOT or MC numbers, such as 286764, MC 143229`;

/**
 * Finds the first `MOST` carriers, and returns notes about numbers that are missing, shared, repeated or
 * too many. The notes have no final period.
 */
async function find({ site: { reader, baseUrl }, today }: Visit, asked: readonly Identifier[]) {
  return await reader.use(async (snapshot) => {
    const dockets = asked.filter(({ kind }) => kind !== "USDOT");
    const holders = await findDockets(dockets, snapshot);
    const notes: string[] = [];
    const dots = new Set<number>();
    let isMissing = false;
    for (const number of asked) {
      const found = number.kind === "USDOT" ? [number.number] : holders.get(number)!;
      if (found.length === 0) {
        isMissing = true;
        notes.push(`No carrier lists ${named(number)}`);
      }
      if (found.length > 1) {
        notes.push(`${named(number)} is shared by ${plural(found.length, "carrier")}`);
      }
      for (const dot of found) {
        if (dots.has(dot)) notes.push(`${named(number)} is USDOT ${dot}, already listed`);
        dots.add(dot);
      }
    }
    const context = { snapshot, today, baseUrl, relook: true };
    const carriers: Carrier[] = [];
    for (const item of await findItems([...dots].slice(0, 2 * MOST), context)) {
      if (item.ok) carriers.push(item.carrier);
      else if (item.error.code === "not_found") {
        const absence = absenceWords(censusOf(snapshot.manifest), item.error.last_seen);
        isMissing = true;
        notes.push(`USDOT ${item.dot} is ${absence}`);
      } else throw new ServiceError("upstream_unavailable", item.error.message);
    }
    if (isMissing && carriers.length > 1) notes.push("Showing the others");
    const left = dots.size > 2 * MOST || carriers.length > MOST;
    if (left) notes.push(`You can compare up to ${MOST} carriers: these are the first`);
    return { carriers: carriers.slice(0, MOST), notes, snapshotId: snapshot.id };
  });
}

function formPage(typed: string, problem?: string): Page {
  return {
    title: "Compare carriers",
    description: `Compare up to ${MOST} US motor carriers side by side, by USDOT or MC number.`,
    ...problem === undefined ? {} : { status: 400, unlisted: true },
    heading: "Compare carriers",
    shared: problem === undefined,
    body: <CompareForm typed={typed} problem={problem} focus />,
  };
}

function CompareForm({ typed, problem, focus }: {
  typed: string;
  problem?: string | undefined;
  focus?: boolean;
}) {
  return (
    <form action="/compare">
      <Field
        id="dot"
        label={`USDOT or MC numbers, 2 to ${MOST}`}
        hint="Separate them with commas: 286764, MC 143229"
        error={problem}
        value={typed}
        input={{
          required: true,
          autocomplete: "off",
          maxlength: 200,
          size: 44,
          ...focus && { autofocus: true },
        }}
      />
      <p class="actions">
        <button type="submit">Compare</button>
      </p>
    </form>
  );
}

function comparison(
  carriers: readonly Carrier[],
  { typed, notes, alerts }: { typed: string; notes: readonly string[]; alerts: boolean },
): Page {
  const [{ snapshot }] = carriers as [Carrier];
  const rows = rowsOf(carriers);
  // A carrier's page links here with its own number, and the visitor adds another one.
  const isOne = carriers.length === 1;
  return {
    style: "lists",
    title: `Compare ${listed(carriers.map(calledName))}`,
    description: "Carriers side by side, from FMCSA's public files.",
    unlisted: true,
    shared: true,
    heading: isOne
      ? (
        <>
          Compare <FiledText text={calledName(carriers[0]!)} /> with another
        </>
      )
      : `Compare ${carriers.length} carriers`,
    body: (
      <>
        {isOne && <CompareForm typed={typed} focus />}
        <DataAge snapshot={snapshot} />
        {notes.length > 0 && <p class="notice warn">{notes.join(". ")}.</p>}
        <table class={`compared of${carriers.length}`}>
          <caption>
            {!isOne && "Matching rows are gray. "}We don't rank carriers.
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Fact</span>
              </th>
              {carriers.map((carrier) => (
                <th scope="col">
                  <a href={`/carriers/${carrier.dot}`}>
                    <FiledText text={calledName(carrier)} />
                  </a>
                  <small>
                    USDOT {carrier.dot} · <SaferLink dot={carrier.dot} />
                  </small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, differs, cells }) => (
              <tr {...differs || isOne ? {} : { class: "same" }}>
                <th scope="row">{label}</th>
                {cells.map((cell) => <td>{cell}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
        {alerts && !isOne && (
          <p>
            <a href={watchPath(carriers.map(({ dot }) => dot))}>Watch these carriers</a>: email when
            their records change or an MCS-150 is due
          </p>
        )}
        {!isOne && <CompareForm typed={typed} />}
      </>
    ),
  };
}

const COMPARED = [
  "Inspections, 24 months",
  "Vehicles out of service",
  "Drivers out of service",
  "Out-of-service orders",
  "Operation",
  "Registered as",
  "Hazmat",
  "Cargo",
  "Power units",
  "Drivers",
  "Mileage",
  "USDOT record since",
  "Dockets",
  "Location",
] as const;

function rowsOf(
  carriers: readonly Carrier[],
): { label: string; differs: boolean; cells: readonly Child[] }[] {
  const [first] = carriers as [Carrier];
  const rowOf = (label: FactLabel) => {
    const words = carriers.map((carrier) => factOf(carrier, label) ?? "Not reported");
    const differs = new Set(words).size > 1;
    return { label, differs, cells: words.map((text) => <bdi>{text}</bdi>) };
  };
  const checks = first.checks.map(({ label }, i) => {
    const ofAll = carriers.map(({ checks }) => checks[i]!);
    return {
      label,
      differs: new Set(ofAll.map((check) => stateWords(check) + check.summary)).size > 1,
      cells: ofAll.map((check) => (
        <>
          <State check={check} />
          <small>{check.summary}</small>
        </>
      )),
    };
  });
  const found = {
    label: "Findings",
    differs: new Set(carriers.map(({ findings }) => findings.map(({ id }) => id).join())).size > 1,
    cells: carriers.map(({ findings }) =>
      findings.length === 0 ? "None" : (
        <ul>
          {findings.map(({ kind, text }) => (
            <li>
              {KIND_WORDS[kind]}: <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      )
    ),
  };
  return [
    rowOf("Result"),
    found,
    ...checks,
    ...COMPARED.map(rowOf),
  ];
}
