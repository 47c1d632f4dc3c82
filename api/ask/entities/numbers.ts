/**
 * Stage 2, numbers: each number of a question has one role, by the words beside it, or is `unresolved`.
 *
 * @module
 */

import { countOf, digitsOf } from "../tokens/number_patterns.ts";
import type { Reading, Token } from "../tokens/tokens.ts";
import { roleOfBare } from "./bare_numbers.ts";
import { isMention, mentionsOf } from "./mentions.ts";
import { type NumberEntity, withProblem } from "./number_entity.ts";

/** What the previous question says about a bare number in this one. */
export interface NumberContext {
  /** It asked for a fee: the number may be a fleet or a year. */
  readonly fee: boolean;
  /** It spoke of an MC number without giving one. */
  readonly docket: boolean;
}

/** The number of each token with its role; null for a word. */
export function numbersOf(reading: Reading, context: NumberContext): (NumberEntity | null)[] {
  const { tokens, spans } = reading;
  const fee = context.fee ||
    spans.some((span) => /^(?:fee|ucr|table|window)$/.test(span?.mark ?? "")) ||
    tokens.some(({ text }) => text === "ucr");
  const shown = tokens.map(entityOf);
  const kinds = mentionsOf(reading, context);
  return shown.reduce<(NumberEntity | null)[]>((before, number, at) => {
    const known = [...before, ...shown.slice(at)];
    const next = number === null
      ? null
      : isTakenBack(reading, at)
      ? { ...number, role: "other" as const }
      : number.role === "usdot" && continues(reading, at)
      ? {
        ...number,
        problem: `Cannot read ${number.text} as a USDOT number, which has 1 to 8 digits`,
      }
      : isEitherKind(reading, at)
      ? { ...number, role: "unresolved" as const, doubtful: true }
      : number.role === "unresolved"
      ? withProblem({
        ...number,
        ...roleOfBare({ reading, known, fee, kinds, after: context.fee }, at),
      })
      : number;
    return [...before, next];
  }, []);
}

/** Whether other characters follow a number directly: "12-34-ABC". */
function continues({ text, tokens }: Reading, at: number): boolean {
  return /^-[\p{L}\p{N}]/u.test(text.slice(tokens[at]!.to)) && tokens[at + 1] !== undefined;
}

/** A number with the role that the words attached to it give. */
function entityOf({ number, raw }: Token): NumberEntity | null {
  if (number === undefined) return null;
  const { role, groups: { n = "", p, noun, v, r, m } } = number;
  const value = role === "year" ? Number(/\d{4}/.exec(number[0])?.[0] ?? 0) : countOf(n);
  // "From 100 to 101 trucks", "between 21 and 50 units": the fees of both ends.
  const pair = m !== undefined && (v === undefined || v === "between");
  return withProblem({
    role,
    value,
    text: raw,
    ...(role === "docket" ? { prefix: p === "mx" ? "MX" : p?.startsWith("f") ? "FF" : "MC" } : {}),
    ...(noun === undefined ? {} : { noun: noun.replace(/s$/, "") }),
    ...(pair ? { also: countOf(m) } : {}),
    ...(!pair && (v !== undefined || r !== undefined) || !Number.isInteger(value)
      ? { vague: true }
      : {}),
  }, digitsOf(n));
}

/** "1629030, no wait, 1629029": a number that the next one replaces. */
function isTakenBack({ text, tokens }: Reading, at: number): boolean {
  const next = tokens.findIndex((token, i) => i > at && token.number !== undefined);
  // "Not 28760, 28670".
  if (next >= 0 && tokens[at - 1]?.text === "not" && tokens[at]!.number?.role !== "vehicles") {
    return true;
  }
  return next >= 0 && next - at <= 7 &&
    /\b(?:sorry|wait|scratch|i mean|meant|correction|make that|(?:not|isn['’]?t) what (?:i|we) (?:want|need|meant?))\b/i
      .test(text.slice(tokens[at]!.to, tokens[next]!.from));
}

/** "DOT or MC 286764", "MC 286764 or DOT 286764". */
function isEitherKind({ tokens, spans }: Reading, at: number): boolean {
  const { number, gap } = tokens[at]!;
  if (number?.role !== "usdot" && number?.role !== "docket") return false;
  // "DOT 14178 or MC 14178, what's each".
  if (tokens.some(({ text }) => /^(?:each|both|vs|versus|difference|compare)$/.test(text))) {
    return false;
  }
  if (/^(?:mx|ff)$/.test(number.groups.p ?? "")) return false;
  const isJoin = (token: Token | undefined): boolean =>
    /^(?:or|and|o|to|a)$/.test(token?.text ?? "");
  // "Compare MC 9152 to DOT 9152": both are named.
  if (spans.some((span) => span?.mark === "compare")) return false;
  const isSame = (one: Token | undefined): boolean =>
    one?.number !== undefined && one.number.role !== number.role &&
    one.number.groups.n === number.groups.n;
  if (isJoin(tokens[at - 1]) && isSame(tokens[at - 2])) return true;
  if (isJoin(tokens[at + 1]) && isSame(tokens[at + 2])) return true;
  const other = tokens[at - (isJoin(tokens[at - 1]) ? 2 : 1)];
  const kind = isMention(other)
    ? "docket"
    : other?.number === undefined && /^(?:us)?dot$/.test(other?.text ?? "")
    ? "usdot"
    : number.role;
  return kind !== number.role && /^[\s/]*$/.test(gap) && number.groups.n !== undefined;
}
