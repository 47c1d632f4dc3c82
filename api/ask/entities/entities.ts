/**
 * Stage 2: what a question names, numbers with one role each, companies and a place; and a view of the
 * words outside its names.
 *
 * @module
 */

import { namesOf } from "./guessed_names.ts";
import {
  BEGINS_QUESTION,
  existingNames,
  type NameBook,
  type NameSpan,
  type TypedName,
} from "./names.ts";
import { namesState, stateCode } from "../../../pipeline/search/query/query.ts";
import type { NumberEntity } from "./number_entity.ts";
import { type Sought, soughtIn } from "./sought.ts";
import { type NumberContext, numbersOf } from "./numbers.ts";
import type { Reading } from "../tokens/tokens.ts";
import { MONTH_NAME } from "../tokens/vocabulary.ts";

export interface Entities {
  readonly reading: Reading;
  /** A number for each token, null for a word. */
  readonly numbers: readonly (NumberEntity | null)[];
  readonly names: readonly NameSpan[];
  /** The place of the carrier named in the previous question: "the one in Dallas", or only "Dallas". */
  readonly place: string | null;
}

/** What the previous question says about this one. */
export interface EntityContext extends NumberContext {
  /** The name of its carrier, if it had exactly one and named it. */
  readonly name: TypedName | null;
}

export async function findEntities(
  reading: Reading,
  context: EntityContext,
  book: NameBook,
): Promise<Entities> {
  const shown = numbersOf(reading, context);
  const open = shown.map((number) =>
    isShort(number) ? { ...number, role: "unresolved" as const } : number
  );
  const existing = await existingNames(reading, open, book);
  const numbers = shown.map((number, at) =>
    isShort(number) && existing?.some((name) => isTaken(reading, at, name)) ? open[at]! : number
  );
  const names = namesOf(reading, numbers, existing);
  return { reading, numbers, names, place: await placeOf(reading, { names, context, book }) };
}

/** Whether a bare number is short enough to be part of a name: "1996 Trucking LLC". */
function isShort(number: NumberEntity | null): number is NumberEntity {
  return number?.bare === true && number.value < 10_000;
}

/**
 * Whether a short number is of a name, or beside a name of something else: "appointment 1430 for General
 * Transport". A number and a name belong together where they stand side by side, in a list, or where the
 * question says so.
 */
function isTaken({ tokens, spans }: Reading, at: number, { from, to }: NameSpan): boolean {
  if (at >= from && at < to) return true;
  const [first, last] = at < from ? [at + 1, from] : [to, at];
  const between = tokens.slice(first, last);
  // "Morris Enterprises more trucks than drivers?? 136 and 100".
  const isBehind = at > to && spans.slice(to, at).some((span) => /^fleet/.test(span?.mark ?? "")) &&
    tokens.slice(first, last + 1).some(({ gap }) => /[?!]/.test(gap));
  if (isBehind) return true;
  if (spans.some((span) => /^(?:holds|named|compare)$/.test(span?.mark ?? ""))) return false;
  // "Is 5857 still inactive? We've an old packet for Hudson Transport", "is it Vasquez Services, 2107".
  const isSubject = at === 1 && /^(?:is|was|does|did|has|status|check)$/.test(tokens[0]!.text) ||
    at === tokens.length - 1 && /^, $/.test(tokens[at]!.gap) && String(tokens[at]!.raw).length > 3;
  if (isSubject) return false;
  const isClause = tokens.slice(first, last + 1).some(({ gap }) => /[,;.!?]/.test(gap));
  const says = between.some(({ text }) => /^(?:is|are|was|and|or)$/.test(text)) ||
    between.every((_, i) => /^(?:usdot|dot|soft)$/.test(spans[first + i]?.mark ?? ""));
  return between.length > 0 && (isClause || !says);
}

/** Words before a place that is all that a question gives: "no not the big one, Houston". */
const BEFORE_PLACE =
  /^\W*(?:(?:and|what about|how about|not (?:the|that)(?: \S+)? one|not that|no|nope|sorry|i mea?nt?|ones?|yes|yeah|yep|ok|okay|oh|hm+|wait|actually|it['’]?s|that['’]?s|show me|give me)\W+)+/i;
const BEHIND_PLACE =
  /(?:\W+(?:yes|yeah|please|pls|right|correct|i think|i guess|after all|then|ok|okay|thanks))+\W*$/i;

function withoutAsides(text: string): string {
  return text.replace(BEFORE_PLACE, "").replace(BEHIND_PLACE, "");
}

/** What a question gives alone or before a sentence: "no, Miami. Rating?" */
export function saidAlone(text: string): string {
  const [first = "", next = ""] = withoutAsides(text).split(/[?!.,;](?: |$)/).map((part) =>
    part.trim()
  );
  // "Green Bay, Wisconsin".
  const isState = namesState(next.toLowerCase()) && !/^\p{Ll}{2}$/u.test(next);
  return isState ? `${first}, ${next}` : first;
}

async function placeOf(
  reading: Reading,
  { names: [name], context, book }: {
    names: readonly NameSpan[];
    context: EntityContext;
    book: NameBook;
  },
): Promise<string | null> {
  if (context.name === null) return null;
  const said = withoutAsides(reading.text);
  const isThere = async (place: string): Promise<boolean> =>
    await book.find({ ...context.name!, place }) === "found";
  // "The Nebraska one", not "the ranch one".
  const kind =
    /^\W*(?:(?:is|was) (?:that|it|this) )?the ((?!(?:driver|vehicle|truck|hazmat|mc|dot|right)\b)[^,?]+) one[?!.]*$/i
      .exec(said)?.[1];
  const isKind = kind !== undefined && !namesState(kind.toLowerCase()) && !await isThere(kind);
  const place = (isKind ? undefined : kind) ??
    /^\W*(?:in|near|from|(?:el|la) de) (.+?)[?!.]*$/i.exec(said)?.[1] ??
    // "The one in Warren MI. Authority?", "what's the phone of the one in Boise".
    /\b(?:the|that) (?:(?:in)?active )?ones? (?:in|near|from) (.+?)(?:(?<!\b(?:st|ft|mt))[?!.]| with |$)/i
      .exec(said)?.[1] ??
    // "Nebraska one. Rating?"
    (/^\W*(.+?) one\b/i.exec(said)?.[1] === name?.text ? name?.text : undefined);
  // "In June 2025".
  if (/^(?:which|what|\d+$)/i.test(place ?? "")) return null;
  if (MONTH_NAME.test(/^\p{L}+/u.exec(place ?? "")?.[0] ?? "")) return null;
  if (place !== undefined) {
    // "The one in York PA, active": only a state belongs to the place behind a comma.
    const [city, behind] = place.split(/,\s*/);
    const isState = behind === undefined || namesState(behind.toLowerCase());
    return (isState ? place : city) ?? null;
  }
  // "Bronx. How many drivers", "miami, the rating": a place alone, or before a sentence.
  const alone = saidAlone(reading.text);
  const isAlone = name !== undefined && !name.exists && name.text.endsWith(alone) ||
    reading.tokens.length <= 4;
  const isUnknown = alone !== "" && /^\p{L}[\p{L} .,'-]*$/u.test(alone) &&
    alone.split(" ").length <= 3 && isAlone &&
    reading.tokens.some(({ raw }, at) =>
      reading.spans[at] === null && alone.split(" ").includes(raw)
    );
  return isUnknown && await isThere(alone) ? alone : null;
}

/** A question without its names: the words, phrases and numbers around them. */
export class QuestionView {
  readonly reading: Reading;
  readonly names: readonly NameSpan[];
  readonly place: string | null;
  /** The number at each token. */
  readonly places: readonly (NumberEntity | null)[];
  readonly numbers: readonly NumberEntity[];
  readonly marks: ReadonlySet<string>;
  readonly #words: string;
  /** Many rules ask for it, so that it is found once. */
  #sought: Sought | undefined;

  constructor({ reading, numbers, names, place }: Entities) {
    const isFree = (at: number) => !names.some(({ from, to }) => at >= from && at < to);
    const { tokens, spans } = reading;
    this.reading = reading;
    this.names = names;
    this.place = place;
    this.places = numbers;
    this.numbers = numbers.filter((number, at) => number !== null && isFree(at)) as NumberEntity[];
    this.marks = new Set(spans.flatMap((span, at) => span !== null && isFree(at) ? span.mark : []));
    this.#words = tokens.filter((_, at) => isFree(at)).map(({ text }) => text).join(" ");
  }

  /** Whether it has a phrase of one of these marks. */
  has(...marks: string[]): boolean {
    return marks.some((mark) => this.marks.has(mark));
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }

  all(...roles: NumberEntity["role"][]): NumberEntity[] {
    return this.numbers.filter(({ role }) => roles.includes(role));
  }

  /** The USDOT numbers and dockets in a valid range. */
  get carrierNumbers(): NumberEntity[] {
    return this.all("usdot", "docket").filter(({ problem }) => problem === undefined);
  }

  /** The first thing not understood: a name that no carrier has, or an unknown word. */
  get unknown(): string | undefined {
    return this.names.find(({ exists }) => !exists)?.text ?? this.unknownWords[0];
  }

  /** The unknown words, except in names that carriers have. */
  get unknownWords(): string[] {
    const { tokens, spans } = this.reading;
    const isNamed = (at: number): boolean =>
      this.names.some(({ from, to, exists }) => exists && at >= from && at < to);
    return tokens.filter(({ number }, at) =>
      number === undefined && spans[at] === null && !isNamed(at)
    ).map(({ raw }) => raw);
  }

  /** The unknown words, adjacent ones as one text; with `named`, outside all names. */
  unknownPhrases({ named }: { named: boolean }): string[] {
    const { text, tokens, spans } = this.reading;
    const isWord = (at: number): boolean =>
      tokens[at] !== undefined && tokens[at].number === undefined && spans[at] === null &&
      !this.names.some(({ from, to, exists }) => (named || exists) && at >= from && at < to);
    // "Thomas & Watkins".
    const isUnknown = (at: number): boolean =>
      isWord(at) || tokens[at]?.raw === "&" && isWord(at - 1) && isWord(at + 1);
    return tokens.flatMap(({ from }, at) => {
      if (!isUnknown(at) || isUnknown(at - 1) && /^ *$/.test(tokens[at]!.gap)) return [];
      let end = at;
      while (isUnknown(end + 1) && /^ *$/.test(tokens[end + 1]!.gap)) end++;
      return text.slice(from, tokens[end]!.to);
    });
  }

  /** Whether every word is known. With `names`, words of names must be known, too. */
  isKnown({ names }: { names: boolean }): boolean {
    const { tokens, spans } = this.reading;
    return tokens.every(({ number }, at) =>
      number !== undefined || spans[at] !== null ||
      !names && this.names.some(({ from, to }) => at >= from && at < to)
    );
  }

  /** Whether it names a state: "how many carriers does Texas have". */
  get hasState(): boolean {
    return this.unknownWords.some((word) =>
      word.length > 3 && stateCode(word.toLowerCase()) !== undefined
    );
  }

  /** Whether an unknown word follows "in", "from" or "near": "how many carriers in Ohio". */
  get hasPlace(): boolean {
    const { tokens, spans } = this.reading;
    return tokens.some(({ text }, at) => {
      const next = tokens[at + 1];
      const isState = stateCode(`${next?.text} ${tokens[at + 2]?.text}`) !== undefined;
      // "In El Paso".
      const isTown = /^(?:el|la|las|los|san|santa|new|fort|saint|st|ft|mt|port)$/.test(
        next?.text ?? "",
      ) && spans[at + 2] === null;
      return /^(?:in|from|near)$/.test(text) && (spans[at + 1] === null || isState || isTown) &&
        next?.number === undefined && !MONTH_NAME.test(next?.text ?? "");
    });
  }

  /** What a search looks for. */
  get sought(): Sought {
    return this.#sought ??= soughtIn(this.reading, this.names);
  }

  /** The parts between commas, sentence ends and "and", with their phrases outside names. */
  get clauses(): { text: string; isAsking: boolean; phrases: { mark: string; text: string }[] }[] {
    const { text, tokens, spans } = this.reading;
    const textOf = (from: number, to: number): string =>
      text.slice(tokens[from]!.from, tokens[to - 1]!.to);
    const isNamed = (at: number): boolean =>
      this.names.some(({ from, to }) => at >= from && at < to);
    const begins = (at: number): boolean =>
      at === 0 || (spans[at]?.from ?? at) === at && !(isNamed(at) && isNamed(at - 1)) &&
        (/[?;!,.+&/]|^ -+ $/.test(tokens[at]!.gap) ||
          /^(?:and|also|plus)$/.test(tokens[at]!.text));
    const starts = tokens.flatMap((_, at) => begins(at) ? at : []);
    return starts.map((from, i) => {
      const to = starts[i + 1] ?? tokens.length;
      const phrases = spans.flatMap((span, at) =>
        span !== null && at >= from && at < to && span.from === at && !isNamed(at)
          ? { mark: span.mark, text: textOf(span.from, span.to) }
          : []
      );
      const isAsking = BEGINS_QUESTION.test(tokens[from]!.text) || to > from + 1 &&
          BEGINS_QUESTION.test(tokens[from + 1]!.text) ||
        /^(?:and|also|plus)$/.test(tokens[from]!.text) ||
        /^\W*\?/.test(text.slice(tokens[to - 1]!.to));
      return { text: textOf(from, to), isAsking, phrases };
    });
  }

  /** Whether a phrase with this mark is an item of a list: "auth, trucks and oos". */
  lists(mark: string): boolean {
    const { tokens, spans } = this.reading;
    const parts = (at: number): boolean => {
      const token = tokens[at];
      return token === undefined ||
        token.number !== undefined && (at === 0 || at === tokens.length - 1) ||
        /^(?:and|or|plus|vs)$/.test(token.text) ||
        at < 2 && /^(?:the|its|their|whats)$/.test(token.text);
    };
    return spans.some((span, at) =>
      span?.mark === mark && span.from === at &&
      (parts(at - 1) || /[,;:/+]/.test(tokens[at]!.gap)) &&
      (parts(span.to) || /[,;/+?!.]/.test(tokens[span.to]!.gap)) && tokens.length > span.to - at + 2
    );
  }
}
