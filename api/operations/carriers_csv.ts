/**
 * GET /api/v1/carriers.csv: up to 100 carriers as a file that spreadsheets read from its address.
 *
 * @module
 */

import { z } from "zod";
import { type DocketNumber, parseDocket, parseDot } from "../../pipeline/fmcsa/number_text.ts";
import { messageOf } from "../../pipeline/text.ts";
import { verdictOf } from "../rules/findings.ts";
import type { Carrier } from "../rules/schemas.ts";
import { AS_OF_PARAMETER, asOfInput } from "./as_of.ts";
import { BATCH_LIMITS, type BatchItem, findItems } from "./batch.ts";
import {
  CARRIER_COLUMNS,
  type CarrierColumn,
  csvLine,
  findingsText,
  type Outcome,
  outcomeOf,
  OUTCOMES,
  sharedDocket,
  withDoubts,
} from "./csv.ts";
import { ServiceError } from "./errors.ts";
import { findDockets } from "./lookup.ts";
import type { ManyContext } from "./many.ts";
import { explainLength } from "./numbers.ts";
import { lookupOperation } from "./operation.ts";

/** A number of the list as it was sent and read. */
interface ReadNumber {
  text: string;
  kind: "USDOT" | DocketNumber["prefix"];
  number: number;
}

type Asked = ReadNumber | { text: string; problem: string };

/** The result for a number. */
interface CsvRow {
  asked: string;
  /** The USDOT number; empty where there is none. */
  dot: string;
  outcome: Outcome;
  verdict: string;
  findings: string;
  others: readonly number[];
  carrier: Partial<Carrier>;
}

const OWN_COLUMNS: Readonly<
  Record<string, { what: string; value: (row: CsvRow) => string }>
> = {
  asked: { what: "The number as it was sent", value: ({ asked }) => asked },
  dot: { what: "USDOT number", value: ({ dot }) => dot },
  result: {
    what: Object.values(OUTCOMES).join(", "),
    value: ({ outcome }) => OUTCOMES[outcome],
  },
  verdict: {
    what: "The headline of the findings, or why there is no carrier",
    value: ({ verdict }) => verdict,
  },
  findings: { what: "All findings, separated by semicolons", value: ({ findings }) => findings },
  other_dots: {
    what: "Other USDOT numbers that list the same docket",
    value: ({ others }) => others.join(" "),
  },
};

/** The columns of the file in order, with what they contain. */
export const CSV_COLUMNS: readonly (readonly [name: string, what: string])[] = [
  ...Object.entries(OWN_COLUMNS),
  ...Object.entries<CarrierColumn>(CARRIER_COLUMNS),
].map(([name, { what }]) => [name, what]);

export const carriersCsv = lookupOperation({
  id: "carriersCsv",
  method: "GET",
  path: "/api/v1/carriers.csv",
  summary: `Look up 1 to ${BATCH_LIMITS.maxItems} carriers as CSV`,
  description:
    "One line per number, in the order asked, for spreadsheets that import from a URL. Each number succeeds or fails on its own: one that cannot be read or is not in the census gets a line whose `result` and `verdict` say so. UTF-8 without a byte order mark; a cell that looks like a formula starts with an apostrophe. Columns are never renamed, removed or moved; new ones are added at the end.",
  input: z.object({
    dots: z.string({ error: () => "Cannot read dots: it is missing" })
      .regex(/[^\s,;]/, { error: () => "Cannot look up numbers: dots is empty" })
      .describe(
        `1 to ${BATCH_LIMITS.maxItems} numbers with commas between them: USDOT numbers, and dockets with MC, MX or FF. Blank ones are skipped`,
      )
      .meta({ example: "286764,MC-143229" }),
    as_of: asOfInput,
  }),
  parameters: { dots: { in: "query", code: "invalid_query" }, as_of: AS_OF_PARAMETER },
  partial: true,
  output: z.string().describe("CSV (RFC 4180) with a line of headings"),
  type: "text/csv",
  errors: ["invalid_query", "too_many_items", "not_found", "upstream_unavailable"],
  async run({ dots }, { last = false, ...context }: ManyContext): Promise<string> {
    const asked = readNumbers(dots);
    const dockets = asked.filter((one): one is ReadNumber =>
      "number" in one && one.kind !== "USDOT"
    );
    const found = await findDockets(dockets, context.snapshot);
    const holdersOf = (one: Asked): readonly number[] =>
      "problem" in one ? [] : one.kind === "USDOT" ? [one.number] : found.get(one) ?? [];
    const wanted = asked.flatMap((one) => holdersOf(one).slice(0, 1));
    const items = (await findItems(wanted, { ...context, relook: !last })).values();
    const rows = asked.map((one) => {
      const holders = holdersOf(one);
      return rowOf(one, holders, holders.length === 0 ? undefined : items.next().value);
    });
    return csvLine(CSV_COLUMNS.map(([name]) => name)) + rows.map(lineOf).join("");
  },
});

/** @throws {ServiceError} `too_many_items`. */
function readNumbers(text: string): Asked[] {
  const parts = text.split(/[,;\n]/).map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length > BATCH_LIMITS.maxItems) {
    throw new ServiceError("too_many_items", explainLength(parts.length, BATCH_LIMITS.maxItems));
  }
  return parts.map((text) => {
    try {
      if (!/^[MF]/i.test(text)) {
        return { text, kind: "USDOT", number: parseDot(text.replace(/^(?:US)?DOT[\s#:-]*/i, "")) };
      }
      const { prefix, number } = parseDocket(text);
      return { text, kind: prefix!, number };
    } catch (error) {
      return { text, problem: messageOf(error) };
    }
  });
}

/** @param item The item of the first holder; absent if there is no holder. */
function rowOf(asked: Asked, holders: readonly number[], item: BatchItem | undefined): CsvRow {
  const [dot, ...others] = holders;
  const without = (outcome: Outcome, verdict: string): CsvRow => ({
    asked: asked.text,
    dot: String(dot ?? ""),
    outcome,
    verdict,
    findings: "",
    others,
    carrier: { dot: String(dot ?? "") },
  });
  if ("problem" in asked) return without("fix", asked.problem);
  const called = `${asked.kind} ${asked.number}`;
  if (item === undefined) return without("missing", `No carrier in the data lists ${called}`);
  if (!item.ok) {
    const { code, message } = item.error;
    return without(code === "not_found" ? "missing" : "unavailable", message);
  }
  const { carrier } = item;
  const findings = withDoubts(carrier, sharedDocket(called, holders));
  return {
    ...without(outcomeOf(findings), verdictOf(findings, carrier.checks)),
    findings: findingsText(findings),
    carrier,
  };
}

function lineOf(row: CsvRow): string {
  return csvLine([
    ...Object.values(OWN_COLUMNS).map(({ value }) => value(row)),
    ...Object.values<CarrierColumn>(CARRIER_COLUMNS).map(({ value }) => value(row.carrier)),
  ]);
}
