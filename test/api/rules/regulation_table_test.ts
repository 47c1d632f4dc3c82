/**
 * The rules against tables written from the regulations and the specification, not from the code.
 *
 * Inputs: see carrier_lines.ts. What is expected follows a tab, also separated by `; `; `a|b` allows both:
 *
 * - `mcs150_state`, `next_due`, `days_until_due`, `issues`, `notice` and `verdict` are members of the JSON, a check's
 *   id is its state, and `mcs150.basis` the date of the data that a check is based on. `fee` lists the dollar amounts
 *   that the UCR check may state. `oos_rates.shown` is `answered`, `nodata`, or `na` if the check doesn't apply.
 * - `mcs150.has=claim` and `mcs150.lacks=claim`: a check's detail contains the claim, or must not. A claim is a day
 *   (`@2026-10-03`), a text (`'USDOT 1'`) or a pattern in claims.txt. This also works for `verdict`, for `all` checks,
 *   for the findings (`finding`) and for a fact on the page (`field.phone`). `ucr.lacks=next`: no next step.
 * - `finding.has=review:mcs150`: there is a finding of kind `review` about the filing. `finding.lacks=mcs150`: none of
 *   any kind; `finding.lacks=any`: no finding about anything.
 * - `problems=1; reviews=1; facts=1` count the findings of each kind, and `kinds=problem,fact` lists the kinds in order.
 * - `verdict.has=about:mcs150`: the verdict's subject. `verdict.has=others:1`: how many more findings it counts.
 * - `calendar=2027-07-31`: the day in the calendar file. `calendar.has=missed:2025-07-31`: a day that it calls missed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { formatDate, parseDate } from "../../../pipeline/dates.ts";
import { censusOf } from "../../../api/rules/check.ts";
import { schedule } from "../../../api/rules/mcs150.ts";
import { type Carrier, CHECK_IDS, FINDING_IDS } from "../../../api/rules/schemas.ts";
import { nextStep } from "../../../site/pages/carrier/checks.tsx";
import { factOf } from "../../../site/pages/carrier/facts.ts";
import { calendarOf, passedDate } from "../../../site/pages/icalendar.ts";
import { written } from "./arbitrary.ts";
import { carrierOf } from "./carrier_lines.ts";

const TABLES = new URL("regulation_table/", import.meta.url);

const CLAIMS = Object.fromEntries(
  linesOf("claims.txt").filter((line) => !line.startsWith("#")).map((line) => {
    const [name, pattern, flags] = line.split(/\t\/(.*)\/(i?)$/) as [string, string, string];
    return [name, new RegExp(pattern, flags)];
  }),
);

function linesOf(file: string): string[] {
  return Deno.readTextFileSync(new URL(file, TABLES)).trimEnd().split("\n");
}

/** One line of a table. */
interface Case {
  line: string;
  inputs: string;
  expected: string[];
}

/** The problem and the texts concerned if the carrier doesn't meet an expectation; otherwise empty. */
function mismatch(carrier: Carrier, expected: string): { problem: string; details: string[] }[] {
  const [, name, operator, value] = /^([\w.]+?)(?:\.(has|lacks))?=(.+)$/.exec(expected)!;
  if (operator === undefined) {
    const actual = valuesOf(carrier, name!);
    if (actual.every((each) => value!.split("|").includes(each))) return [];
    const details = name === "fee" ? [checkOf(carrier, "ucr").detail] : [];
    return [{ problem: `${expected}, not ${actual.join(" ")}`, details }];
  }
  const must = operator === "has";
  const found = foundOf(carrier, { name: name!, value: value! });
  const wrong = found === undefined
    ? textsOf(carrier, name!).filter((text) => patternOf(value!).test(text) !== must)
    : found === must
    ? []
    : carrier.findings.map(({ kind, text }) => `${kind}: ${text}`);
  if (found === undefined ? wrong.length === 0 : found === must) return [];
  return [{ problem: expected, details: wrong }];
}

function checkOf(carrier: Carrier, name: string): Carrier["checks"][number] {
  const check = carrier.checks.find(({ id }) => id === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check;
}

const SHOWN = { used: "answered", missing: "nodata", unusable: "nodata", not_applicable: "na" };

/** The values of a name before `=`. */
function valuesOf(carrier: Carrier, name: string): string[] {
  if (CHECK_IDS.some((id) => id === name)) return [checkOf(carrier, name).state];
  const [check, member] = name.split(".") as [string, string?];
  if (member === "shown") return [SHOWN[checkOf(carrier, check).data]];
  if (member === "basis") return [checkOf(carrier, check).basis.data_date];
  const { mcs150, findings, snapshot } = carrier;
  const count = (kind: string) => String(findings.filter((found) => found.kind === kind).length);
  switch (name) {
    case "mcs150_state":
      return [mcs150.state];
    case "next_due":
      return [mcs150.next_due];
    case "days_until_due":
      return [String(mcs150.days_until_due)];
    case "notice":
      return [String(snapshot.notice)];
    case "fee":
      return dollarsOf(checkOf(carrier, "ucr").detail);
    case "issues":
      return [String(carrier.issues)];
    case "problems":
    case "reviews":
    case "facts":
      return [count(name.slice(0, -1))];
    case "kinds":
      return [[...new Set(findings.map(({ kind }) => kind))].join()];
    case "verdict":
      return [carrier.verdict.replace(/; .*no data$/, "")];
    case "calendar": {
      const [, year, month, day] = /DTSTART;VALUE=DATE:(\d{4})(\d\d)(\d\d)/.exec(
        calendar(carrier),
      )!;
      return [`${year}-${month}-${day}`];
    }
  }
  throw new Error(`no outcome ${name}`);
}

/** Whether the carrier has the finding, next step or date in question; undefined for a claim about texts. */
function foundOf(
  carrier: Carrier,
  { name, value }: { name: string; value: string },
): boolean | undefined {
  const { findings, verdict } = carrier;
  if (name === "finding") {
    if (value === "any") return findings.length > 0;
    if (/^['@]/.test(value)) return undefined;
    const [subject, kinds] = value.split(":").reverse() as [string, string?];
    if (!FINDING_IDS.some((id) => id === subject)) throw new Error(`no finding ${subject}`);
    return findings.some(({ kind, id }) =>
      id === subject && (kinds === undefined || kinds.split("|").includes(kind))
    );
  }
  if (name === "verdict" && value.startsWith("about:")) {
    return findings[0]?.id === value.slice(6) && verdict.startsWith(findings[0]!.text);
  }
  if (name === "verdict" && value.startsWith("others:")) {
    return (/\(and (\d+) more\)$/.exec(verdict)?.[1] ?? "0") === value.slice(7);
  }
  if (value === "next") return nextStep(carrier, checkOf(carrier, name)) !== undefined;
  if (name === "calendar" && value.startsWith("missed:")) {
    return new RegExp(`missed ${written(value.slice(7))}`).test(calendar(carrier));
  }
  return undefined;
}

/** The texts that a claim is about. */
function textsOf(carrier: Carrier, name: string): string[] {
  const { findings, verdict, checks } = carrier;
  if (name === "all") return checks.map(({ detail }) => detail);
  if (name === "verdict") return [verdict];
  if (name === "finding") {
    return [findings.map(({ text, detail }) => `${text}. ${detail}`).join(" ")];
  }
  if (name === "field.phone") return [factOf(carrier, "Phone") ?? "not reported"];
  if (name === "field.added") return [factOf(carrier, "USDOT record since") ?? "not reported"];
  return [checkOf(carrier, name).detail];
}

function patternOf(claim: string): RegExp {
  if (claim.startsWith("@")) return new RegExp(written(claim.slice(1)));
  if (claim.startsWith("'")) return new RegExp(claim.slice(1, -1), "i");
  const pattern = CLAIMS[claim];
  if (pattern === undefined) throw new Error(`no claim ${claim}`);
  return pattern;
}

/** The carrier's calendar file, unfolded. */
function calendar({ dot, mcs150, checks, snapshot }: Carrier): string {
  const today = formatDate(parseDate(mcs150.next_due) - mcs150.days_until_due);
  const missed = checks.find(({ id }) => id === "mcs150")!.state === "bad";
  const passed = passedDate(mcs150, { missed, source: censusOf(snapshot) });
  const made = { baseUrl: "https://carriers.example", now: Date.parse(today), passed };
  return calendarOf(schedule(Number(dot), today), made).replaceAll("\r\n ", "").replaceAll(
    "\\",
    "",
  );
}

function dollarsOf(detail: string): string[] {
  const fees = [...detail.matchAll(/\$([\d,]*\d)/g)].map(([, fee]) => fee!.replaceAll(",", ""));
  return fees.length === 0 ? ["none"] : fees;
}

function* blocksOf(file: string): Generator<[title: string, cases: Case[]]> {
  let block: [string, Case[]] | undefined;
  for (const [index, line] of linesOf(file).entries()) {
    if (line.startsWith("## ")) {
      if (block !== undefined) yield block;
      block = [line.slice(3), []];
    } else if (line !== "" && !line.startsWith("#")) {
      const [inputs, expected] = line.split("\t") as [string, string];
      const at = `${file}:${index + 1} ${inputs}`;
      block![1].push({ line: at, inputs, expected: expected.split(/; (?=[\w.]+=)/) });
    }
  }
  yield block!;
}

let count = 0;
for (const { name: file } of [...Deno.readDirSync(TABLES)]) {
  if (!file.endsWith(".tsv")) continue;
  for (const [title, cases] of blocksOf(file)) {
    count += cases.length;
    Deno.test(`Regulations, ${file.replace(".tsv", "")}: ${title}`, () => {
      const failures = cases.flatMap(({ line, inputs, expected }) => {
        const carrier = carrierOf(inputs);
        const wrong = expected.flatMap((each) => mismatch(carrier, each));
        if (wrong.length === 0) return [];
        const details = new Set(wrong.flatMap((each) => each.details));
        return [[line, ...wrong.map(({ problem }) => problem), ...details].join("\n      ")];
      });
      if (failures.length > 0) {
        throw new Error(
          `${failures.length} of ${cases.length} cases:\n    ${failures.join("\n    ")}`,
        );
      }
    });
  }
}

Deno.test("Regulations: the tables have at least 300 cases", () => {
  assert.ok(count >= 300, `${count} cases`);
});
