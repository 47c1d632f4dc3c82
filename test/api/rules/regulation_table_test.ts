/**
 * The rules against tables written from the regulations and the specification, not from the code.
 *
 * Inputs: see notation.ts. Expected: `mcs due days` are members of `mcs150`; `status
 * filing auth rating oos ucr` the states of the checks; `fee` the dollars that `ucr` may name; `basis` and
 * `census_basis` the dates of the bases; `check+claim` and `check-claim` say what a detail must and must
 * not say, where a claim is a day (`@2026-10-03`) or a pattern below.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { written } from "./arbitrary.ts";
import { carrierOf, CHECKS } from "./notation.ts";

const CLAIMS: Record<string, RegExp> = {
  // usdot_status
  active: /\bactive\b/i,
  inactive: /\binactive\b/i,
  pending: /\bpending\b/i,
  complies: /\b(complies|in compliance|compliant)\b/i,
  // mcs150
  again: /\bagain\b/i,
  early: /\bearly\b/i,
  last_days: /last (few )?days/i,
  missed: /(?<!not mean (that )?(an|the) update )\b(was|is|has been) (missed|overdue)\b/i,
  uncertain: /\b(may|might|whether|depends|some states|only (if|where)|not (all|every))\b/i,
  // operating_authority
  across_state_lines: /across state lines/i,
  broker: /broker/i,
  forwarder: /forwarder/i,
  no_authority:
    /\bno (federal )?(operating )?authority\b|authority (is not|isn't|is never) (needed|required)|do(es)? ?(not|n't) (need|require)/i,
  safer_before_motus: /^(?:(?!Motus)[^])*SAFER[^]*Motus/,
  // safety_rating
  Conditional: /\bConditional\b/,
  Satisfactory: /\bSatisfactory\b/,
  Unsatisfactory: /\bUnsatisfactory\b/,
  date: /\bdate/i,
  limit_or_kind: /Nov 20, 2000|passenger|hazardous|hazmat|placard/i,
  prohibited: /may not operate a commercial motor vehicle in interstate commerce/i,
  rated: /\brated (Satisfactory|Conditional|Unsatisfactory)\b/i,
  // oos_rates
  clean: /(?<!not a |isn't a |no )\bclean\b/i,
  look_at_inspections:
    /\b(look at|see|check|review|read) (its|the|their) (recent |roadside )*inspections?\b/i,
  may_differ: /differ/i,
  no_inspections: /\bno (roadside )?inspections?\b(?! (of|with|counted|data))/i,
  sample_has_none: /This sample has no inspection data for this carrier/,
  // ucr
  estimate: /\bestimate/i,
  intrastate: /\bintrastate\b/i,
  not_reported:
    /\b(blank|unknown|(not|n't) (reported|filed|known|given|stated|report|file|give|state|list|say|show)|no (number|count|fleet|power units))\b/i,
  owes_nothing:
    /\bowes? (nothing|no)\b|\bno (federal )?UCR\b|UCR (is not|isn't|does not|doesn't)|(is not|isn't) subject/i,
  // every check
  operate: /\bmay (not )?operate\b/i,
};

/** One line of a table. */
interface Case {
  line: string;
  inputs: string;
  expected: string[];
}

/** What the carrier answers instead of the expected, with the details concerned; or nothing. */
function mismatch(carrier: Carrier, expected: string): { problem: string; details: string[] }[] {
  const [, name, operator, value] = /^(\w+)([=+-])(.+)$/.exec(expected)!;
  const check = (key: string) => carrier.checks.find(({ id }) => id === CHECKS[key])!;
  if (operator === "=") {
    const actual = CHECKS[name!] !== undefined ? [check(name!).state] : {
      mcs: [carrier.mcs150.state],
      due: [carrier.mcs150.next_due],
      days: [String(carrier.mcs150.days_until_due)],
      basis: [check("oos").basis.data_date],
      census_basis: [check("filing").basis.data_date],
      notice: [(carrier.snapshot as { notice?: string }).notice],
      fee: dollarsOf(check("ucr").detail),
    }[name!]!;
    if (actual.every((each) => value!.split("|").includes(each!))) return [];
    const details = name === "fee" ? [check("ucr").detail] : [];
    return [{ problem: `${expected}, not ${actual.join(" ")}`, details }];
  }
  const pattern = value!.startsWith("@") ? new RegExp(written(value!.slice(1))) : CLAIMS[value!];
  if (pattern === undefined) throw new Error(`no claim ${value}`);
  const details = (name === "all" ? carrier.checks : [check(name!)]).map(({ detail }) => detail)
    .filter((detail) => pattern.test(detail) !== (operator === "+"));
  return details.length === 0 ? [] : [{ problem: expected, details }];
}

function dollarsOf(detail: string): string[] {
  const fees = [...detail.matchAll(/\$([\d,]*\d)/g)].map(([, fee]) => fee!.replaceAll(",", ""));
  return fees.length === 0 ? ["none"] : fees;
}

function* blocksOf(file: string): Generator<[title: string, cases: Case[]]> {
  const lines = Deno.readTextFileSync(new URL(`regulation_table/${file}`, import.meta.url))
    .split("\n");
  let block: [string, Case[]] | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("## ")) {
      if (block !== undefined) yield block;
      block = [line.slice(3), []];
    } else if (line !== "" && !line.startsWith("#")) {
      const [inputs, expected] = line.split("\t") as [string, string];
      const at = `${file}:${index + 1} ${inputs}`;
      block![1].push({ line: at, inputs, expected: expected.split(" ") });
    }
  }
  yield block!;
}

let count = 0;
for (const { name: file } of [...Deno.readDirSync(new URL("regulation_table", import.meta.url))]) {
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
