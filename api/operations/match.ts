/**
 * GET /api/v1/match: whether a name and a place belong to a USDOT or docket number.
 *
 * @module
 */

import { z } from "zod";
import { DOCKET_LEAD } from "../../pipeline/fmcsa/number_text.ts";
import { best, compareName, MATCHES, type MatchResult } from "../../pipeline/company_name.ts";
import { FORMS } from "../../pipeline/name_words.ts";
import { isSlip } from "../../pipeline/spelling.ts";
import { normalizePlace, tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import { quoted } from "../../pipeline/text.ts";
import { stateCode } from "../../pipeline/search/query/query.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { Carrier } from "../rules/schemas.ts";
import { notFound, readCarrier } from "./lookup.ts";
import { anyDocketInput, dotInput } from "./numbers.ts";
import { lookupOperation } from "./operation.ts";

const MOST_LISTED = 20;

/** Compares the city and the state, where given. */
function comparePlace(given: string, filed: string, kind: "city" | "state"): MatchResult {
  // MT is Montana here, and "mount" in the name of a city.
  const code = (text: string): string => {
    const state = tokenize(text).join(" ");
    return stateCode(state) ?? state;
  };
  const [a, b] = kind === "city"
    ? [normalizePlace(given), normalizePlace(filed)]
    : [code(given), code(filed)];
  if (a === "" || b === "") return "unknown";
  if (a === b) return "match";
  if (kind === "state") return "different";
  const [one, other] = [a, b].map((place) => place.replaceAll(" ", ""));
  return one === other || isSlip(one!, other!) ? "close" : "different";
}

/**
 * Compares a phone number by its last ten digits, or a ZIP code by its first five characters; with fewer
 * than these on either side the result is unknown.
 */
function compareCode(given: string, filed: string | null, kind: "phone" | "zip"): MatchResult {
  const code = (text: string): string =>
    kind === "phone"
      ? text.replace(/\D/g, "").slice(-10)
      : text.replace(/\W/g, "").slice(0, 5).toUpperCase();
  const [a, b] = [code(given), code(filed ?? "")];
  if (Math.min(a.length, b.length) < (kind === "phone" ? 10 : 5)) return "unknown";
  return a === b ? "match" : "different";
}

/** The overall result: the worst of all given fields, or `unknown` if no field was given. */
function overall(results: readonly MatchResult[]): MatchResult {
  return (["different", "unknown", "close"] as const).find((one) => results.includes(one)) ??
    (results.length === 0 ? "unknown" : "match");
}

const result = z.enum(MATCHES);
const Field = z.object({
  field: z.enum(["mc", "name", "city", "state", "phone", "zip"]),
  given: z.string(),
  filed: z.array(z.string()).describe(
    "What the census has; legal and DBA name, all dockets. Empty for a phone and a ZIP code",
  ),
  result,
  note: z.string().nullable().describe(
    "What differs in the name, such as `'Brokerage' isn't in FMCSA's name`; null for a match and for other fields",
  ),
});
const MatchedCarrier = Carrier.pick({
  dot: true,
  name: true,
  status: true,
  page_url: true,
}).extend({ result, fields: z.array(Field).describe("Each field that was given") });

export const Match = z.object({
  result: result.describe(
    "The best over `carriers`. `match`: all fields given agree. `close`: only spelling, spaces, word order, an initial or the legal form differs, or the name is legal and DBA name in one. `different`: a word of the name is added, missing or changed, or another field disagrees. `unknown`: nothing could be compared",
  ),
  carriers: z.array(MatchedCarrier).min(1).describe(
    `Carriers with the number, the best match first, at most ${MOST_LISTED}; several may list one docket`,
  ),
  snapshot: Carrier.shape.snapshot,
}).meta({ id: "Match" });
export type Match = z.infer<typeof Match>;

const mc = z.string()
  .describe(
    "Docket number, 1 to 8 digits, with or without MC, MX or FF; instead of dot, or beside it to be compared",
  )
  .meta({
    example: "MC-186800",
    pattern: String.raw`^(?:${DOCKET_LEAD})?0*[1-9]\d{0,7}$`,
  })
  // Drops leading zeros first, because there may be more of them than fit in 8 digits.
  .transform((text) => text.replace(/(?<!\d)0+(?=[1-9]\d{0,7}$)/, ""))
  .pipe(anyDocketInput);

function text(what: string, example: string, most: number) {
  return z.string({ error: () => `Cannot read ${what}: not a text` })
    .max(most, { error: () => `Cannot read ${what}: more than ${most} characters` })
    .describe(`${what} to compare`).meta({ example });
}

const input = z.object({
  dot: dotInput.optional(),
  mc: mc.optional(),
  name: text("name", "General Transport", 200).optional(),
  city: text("city", "Akron", 100).optional(),
  state: text("state", "OH", 50).optional(),
  phone: text("phone", "(330) 555-0123", 40).optional(),
  zip: text("ZIP code", "44306", 20).optional(),
}).check((context) => {
  const { dot, mc } = context.value;
  if (dot !== undefined || mc !== undefined) return;
  const message = "Cannot match: give dot or mc";
  context.issues.push({ code: "custom", message, input: context.value, path: ["dot"] });
});

export const matchCarrier = lookupOperation({
  id: "matchCarrier",
  method: "GET",
  path: "/api/v1/match",
  summary: "Match a name with a number",
  description:
    "Whether the carrier of a USDOT number or docket has a name, phone or ZIP code and is in a city or state, as on a rate confirmation. Returns `match`, `close`, `different` or `unknown`, with each field compared and the word in the name that differs. Abbreviations such as TRKG and a legal form that one side leaves out still match. It compares with the census and does not prove identity.",
  input,
  parameters: {
    dot: { in: "query", code: "invalid_dot_number" },
    mc: { in: "query", code: "invalid_mc_number" },
    name: { in: "query", code: "invalid_query" },
    city: { in: "query", code: "invalid_query" },
    state: { in: "query", code: "invalid_query" },
    phone: { in: "query", code: "invalid_query" },
    zip: { in: "query", code: "invalid_query" },
  },
  output: Match,
  errors: [
    "invalid_dot_number",
    "invalid_mc_number",
    "invalid_query",
    "not_found",
    "upstream_unavailable",
  ],
  async run({ dot, mc, ...given }, context): Promise<Match> {
    const { snapshot } = context;
    const dots = dot !== undefined ? [dot] : await snapshot.docket(mc!.prefix, mc!.number);
    if (dots.length === 0) {
      throw notFound(`docket number ${mc!.prefix} ${mc!.number}: no carrier lists it`, snapshot);
    }
    const carriers: Match["carriers"] = [];
    const docket = dot === undefined || mc === undefined ? {} : { mc: `${mc.prefix} ${mc.number}` };
    for (const one of dots.slice(0, MOST_LISTED)) {
      const carrier = await readCarrier(one, context);
      carriers.push(matched(carrier, { ...given, ...docket }));
    }
    carriers.sort((a, b) => MATCHES.indexOf(a.result) - MATCHES.indexOf(b.result));
    return {
      result: best(carriers.map(({ result }) => result)),
      carriers,
      snapshot: snapshotFacts(snapshot, context),
    };
  },
});

export function matched(
  carrier: Carrier,
  given: { [field in Match["carriers"][number]["fields"][number]["field"]]?: string | undefined },
): Match["carriers"][number] {
  const { dot, name, legal_name, dba_name, status, page_url } = carrier;
  const fields: Match["carriers"][number]["fields"] = [];
  if (given.mc !== undefined) {
    const filed = carrier.dockets.map(({ prefix, number }) => `${prefix} ${number}`);
    const result = filed.length === 0
      ? "unknown"
      : filed.includes(given.mc)
      ? "match"
      : "different";
    fields.push({ field: "mc", given: given.mc, filed, result, note: null });
  }
  if (given.name?.trim()) {
    const filed = [legal_name, dba_name ?? ""].filter((name) => name !== "");
    const { result, reason } = compareName(given.name, carrier);
    fields.push({ field: "name", given: given.name, filed, result, note: reason });
  }
  for (const field of ["city", "state"] as const) {
    const value = given[field];
    if (!value?.trim()) continue;
    const filed = carrier[field] === "" ? [] : [carrier[field]];
    const result = comparePlace(value, carrier[field], field);
    fields.push({ field, given: value, filed, result, note: null });
  }
  for (const field of ["phone", "zip"] as const) {
    const value = given[field];
    if (!value?.trim()) continue;
    const filed = field === "phone" ? carrier.phone : carrier.address.zip;
    const result = compareCode(value, filed, field);
    fields.push({ field, given: value, filed: [], result, note: null });
  }
  const result = overall(fields.map(({ result }) => result));
  return { dot, name, status, page_url, result, fields };
}

/** `city "Akron" [match], on file "AKRON"`, with the note behind the result. */
export function fieldWords(
  { field, given, filed, result, note }: Match["carriers"][number]["fields"][number],
): string {
  const why = note === null ? result : `${result}: ${note}`;
  const compared = `${field} ${quoted(given)} [${why}]`;
  // A phone number or ZIP code on file is not repeated.
  if (filed.length === 0 && result !== "unknown") return compared;
  return `${compared}, on file ${filed.map((text) => quoted(text)).join(" / ") || "nothing"}`;
}

/** Splits a name from a place after it: `General Transport in Akron, OH`, or `in Akron`. */
export function splitPlace(text: string): { name: string; city?: string; state?: string } {
  const plain = text.replace(/[()]/g, " ").trim();
  const parts = [...plain.matchAll(/,\s*|(?:^| )(?:in|of|from|near|at|out of) /gi)]
    .map((match) => ({
      name: plain.slice(0, match.index),
      words: plain.slice(match.index + match[0].length).split(/[\s,]+/),
    }))
    .filter(({ words }) =>
      words[0] !== "" && !words.some((word) => FORMS.has(tokenize(word).join("")))
    )
    .filter(({ words }) => !words.some((word) => /^(?:in|of|from|near|at)$/i.test(word)));
  for (const { name, words } of parts) {
    const size = [3, 2, 1].find((size) =>
      size <= words.length && isState(words.slice(-size).join(" "), words.length > 1)
    );
    if (size === undefined) continue;
    const [city, state] = [words.slice(0, -size).join(" "), words.slice(-size).join(" ")];
    return { name, state, ...(city === "" ? {} : { city }) };
  }
  const last = parts.at(-1);
  return last === undefined ? { name: text } : { name: last.name, city: last.words.join(" ") };
}

/** A state written out, or two letters after a city. */
function isState(text: string, afterCity: boolean): boolean {
  return stateCode(tokenize(text).join(" ")) !== undefined ||
    afterCity && /^[a-z]{2}$/i.test(text);
}
