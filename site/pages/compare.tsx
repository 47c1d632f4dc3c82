/**
 * `/compare`: two to four carriers side by side, from one snapshot.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { findItems } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { findDockets } from "../../api/operations/lookup.ts";
import { forCaller } from "../../api/operations/operation.ts";
import { formatForPeople } from "../../api/rules/calendar.ts";
import { saferOf } from "../../api/rules/official_sources.ts";
import { type Carrier, CHECK_IDS } from "../../api/rules/schemas.ts";
import { fleetCount, placeOf, yesOrNo } from "../../api/rules/words.ts";
import { capitalized, counted, listed, plural } from "../../pipeline/text.ts";
import { type Identifier, named, readLine } from "../bulk/numbers.ts";
import { Field } from "../components/form.tsx";
import type { Page } from "../components/layout.tsx";
import { DataAge, Name, Outside, STATE_WORDS } from "../components/text.tsx";
import type { PageRoute, Visit } from "./route.ts";

const MOST = 4;

export const compareRoute: PageRoute = {
  path: "/compare",
  listed: true,
  async answer(visit) {
    const typed = visit.url.searchParams.getAll("dot").join(", ").slice(0, 200);
    const asked = readNumbers(typed);
    if (asked === undefined) return formPage(typed, typed === "" ? undefined : UNREADABLE);
    if (asked.length > MOST) return formPage(typed, TOO_MANY);
    const { carriers, notes, snapshotId } = await find(visit, asked);
    if (carriers.length > MOST) return formPage(typed, `${notes.join(". ")}. ${TOO_MANY}`);
    if (carriers.length < 2) {
      // The page of a carrier leads here with its number, to which another is added.
      const isBegun = carriers.length === 1 && asked.length === 1;
      const problem = `${notes.join(". ") || "This is one carrier"}. Enter 2 to ${MOST}`;
      return formPage(typed, isBegun ? undefined : problem);
    }
    return comparison(carriers, { typed, notes, snapshotId });
  },
};

const UNREADABLE = `Enter 2 to ${MOST} USDOT or MC numbers, such as 286764, MC 143229`;

const TOO_MANY = `Compare at most ${MOST} carriers at once`;

/** The different numbers of a text; undefined without any, or when one cannot be read. */
function readNumbers(typed: string): Identifier[] | undefined {
  const numbers = new Map<string, Identifier>();
  // A comma before three digits may be one within a number, and is then refused.
  const apart = typed.replaceAll(/,(?!\d{3}(?!\d))/g, ", ");
  for (const one of readLine(apart, 2 * MOST)) {
    if ("problem" in one) return undefined;
    const known = { ...one, kind: one.kind ?? "USDOT" } as const;
    numbers.set(named(known), known);
  }
  return numbers.size === 0 ? undefined : [...numbers.values()];
}

interface Compared {
  carriers: Carrier[];
  /** What to know of the numbers themselves, sentences without periods. */
  notes: string[];
  snapshotId: string;
}

async function find(
  { site: { reader, baseUrl }, today }: Visit,
  asked: readonly Identifier[],
): Promise<Compared> {
  try {
    return await reader.use(async (snapshot) => {
      const dockets = asked.filter(({ kind }) => kind !== "USDOT");
      const holders = (await findDockets(dockets, snapshot)).values();
      const notes: string[] = [];
      const dots = asked.flatMap((number) => {
        if (number.kind === "USDOT") return [number.number];
        const found = holders.next().value!;
        if (found.length === 0) notes.push(`No carrier lists ${named(number)}`);
        if (found.length > 1) {
          notes.push(`${named(number)} is shared by ${plural(found.length, "carrier")}`);
        }
        return found;
      });
      const context = { snapshot, today, baseUrl, relook: true };
      const carriers: Carrier[] = [];
      for (const item of await findItems([...new Set(dots)].slice(0, MOST + 1), context)) {
        if (item.ok) carriers.push(item.carrier);
        else if (item.error.code === "not_found") {
          notes.push(`USDOT ${item.dot} is not in FMCSA's census`);
        } else throw new ServiceError("upstream_unavailable", item.error.message);
      }
      return { carriers, notes, snapshotId: snapshot.id };
    });
  } catch (error) {
    throw forCaller(error);
  }
}

function formPage(typed: string, problem?: string): Page {
  return {
    title: "Compare carriers",
    description: `Two to ${MOST} US motor carriers side by side, by USDOT or MC number.`,
    ...problem === undefined ? {} : { status: 400, unlisted: true },
    shared: problem === undefined,
    body: (
      <>
        <h1>Compare carriers</h1>
        <CompareForm typed={typed} problem={problem} />
      </>
    ),
  };
}

function CompareForm({ typed, problem }: { typed: string; problem?: string | undefined }) {
  return (
    <form action="/compare">
      <Field
        id="dot"
        label={`USDOT or MC numbers, 2 to ${MOST}`}
        hint="Separate them with commas: 286764, MC 143229"
        error={problem}
        value={typed}
        input={{ required: true, autocomplete: "off", maxlength: 200, size: 44 }}
      />
      <p class="actions">
        <button type="submit">Compare</button>
      </p>
    </form>
  );
}

function comparison(
  carriers: readonly Carrier[],
  { typed, notes, snapshotId }: { typed: string; notes: readonly string[]; snapshotId: string },
): Page {
  const [{ snapshot }] = carriers as [Carrier];
  const differing = ROWS.filter(({ isOwn, value }) =>
    isOwn !== true && new Set(carriers.map((carrier) => value(carrier).words)).size > 1
  );
  return {
    title: `Compare ${listed(carriers.map(({ name, dot }) => name || `USDOT ${dot}`))}`,
    description: "Carriers side by side, from FMCSA's public files.",
    unlisted: true,
    shared: true,
    snapshotId,
    body: (
      <>
        <h1>Compare {carriers.length} carriers</h1>
        <DataAge snapshot={snapshot} />
        {notes.length > 0 && <p class="notice warn">{notes.join(". ")}.</p>}
        <table class={`compared of${carriers.length}`}>
          <caption>
            {differing.length} of {ROWS.filter(({ isOwn }) => !isOwn).length}{" "}
            facts differ: they are marked “differs”. The better carrier isn't marked: there is no
            score.
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Fact</span>
              </th>
              {carriers.map(({ dot, name }) => (
                <th scope="col">
                  <a href={`/carriers/${dot}`}>
                    <Name text={name} />
                  </a>
                  <small>USDOT {dot}</small>
                  <small>
                    <Outside place={saferOf(dot)} />
                  </small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <tr>
                <th scope="row">
                  {row.label} {differing.includes(row) && <small>differs</small>}
                </th>
                {carriers.map((carrier) => <td>{row.value(carrier).shown}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
        <CompareForm typed={typed} />
      </>
    ),
  };
}

/** A fact as text to compare, and as it is shown. */
interface Value {
  words: string;
  shown: Child;
}

interface Row {
  label: string;
  value: (carrier: Carrier) => Value;
  /** Whether every carrier has its own, so that a difference says nothing. */
  isOwn?: true;
}

function text(words: string): Value {
  return { words, shown: <bdi>{words}</bdi> };
}

/** The labels of the checks, which are the same for every carrier. */
const CHECK_LABELS = {
  usdot_status: "USDOT status",
  mcs150: "MCS-150",
  operating_authority: "Operating authority",
  safety_rating: "Safety rating",
  oos_rates: "Out-of-service rates",
  ucr: "UCR",
} as const;

const ROWS: readonly Row[] = [
  { label: "Result", value: ({ verdict }) => text(verdict) },
  ...CHECK_IDS.map((id): Row => ({
    label: CHECK_LABELS[id],
    value: ({ checks }) => {
      const { state, summary } = checks.find((check) => check.id === id)!;
      return {
        words: state,
        shown: (
          <>
            <span class={`state ${state}`}>{STATE_WORDS[state]}</span>
            <small>{summary}</small>
          </>
        ),
      };
    },
  })),
  {
    label: "Inspections, 24 months",
    value: ({ inspections_24m: found, snapshot }) =>
      text(
        found !== null ? counted(found.total) : snapshot.notice === undefined ? "None" : NO_DATA,
      ),
  },
  { label: "Vehicles out of service", value: (carrier) => text(rate(carrier, "vehicle")) },
  { label: "Drivers out of service", value: (carrier) => text(rate(carrier, "driver")) },
  { label: "Operation", value: ({ operation }) => text(operation) },
  { label: "Registered as", value: ({ roles }) => text(roles.join(", ") || "Not reported") },
  {
    label: "Hazmat",
    value: ({ hazmat }) => text(capitalized(yesOrNo(hazmat))),
  },
  { label: "Cargo", value: ({ cargo }) => text(cargo.join(", ") || "Not reported") },
  {
    label: "Power units",
    value: (carrier) => text(capitalized(fleetCount(carrier, "power_units"))),
  },
  { label: "Drivers", value: (carrier) => text(capitalized(fleetCount(carrier, "drivers"))) },
  { label: "Miles a year", value: ({ mileage }) => text(miles(mileage)) },
  {
    label: "In FMCSA's file since",
    value: ({ added }) => text(added === null ? "Not reported" : formatForPeople(added)),
  },
  {
    label: "Dockets",
    value: ({ dockets }) =>
      text(dockets.map((it) => `${it.prefix} ${it.number}`).join(", ") || "None on file"),
    isOwn: true,
  },
  { label: "Location", value: (carrier) => text(placeOf(carrier) || "Not reported"), isOwn: true },
];

function rate({ inspections_24m, snapshot }: Carrier, kind: "vehicle" | "driver"): string {
  const found = inspections_24m?.[kind];
  // A sample lacks the inspections of its real carriers.
  if (found === undefined) return snapshot.notice === undefined ? "Not inspected" : NO_DATA;
  const { inspections, out_of_service, rate_pct } = found;
  return rate_pct === null
    ? "Not inspected"
    : `${counted(out_of_service)} of ${counted(inspections)} (${rate_pct}%)`;
}

const NO_DATA = "No data in this sample";

function miles(mileage: Carrier["mileage"]): string {
  if (mileage === null) return "Not reported";
  return counted(mileage.miles) + (mileage.year === null ? "" : ` (${mileage.year})`);
}
