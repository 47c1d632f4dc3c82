/**
 * The rules against tables written from the regulations and the specification, not from the code.
 *
 * Inputs: see notation.ts. Expected: `mcs due days` are members of `mcs150`; `status
 * filing auth rating oos ucr` the states of the checks; `fee` the dollars that `ucr` may name; `basis` and
 * `census_basis` the dates of the bases; `check+claim` and `check-claim` say what a detail must and must
 * not say, where a claim is a day (`@2026-10-03`) or a pattern of claims.txt.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { written } from "./arbitrary.ts";
import { carrierOf, CHECKS } from "./notation.ts";

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
  let block: [string, Case[]] | undefined;
  for (const [index, line] of linesOf(file).entries()) {
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
