/**
 * Stage 2, bare numbers: the role of a number without words of its own, by what stands around it.
 *
 * @module
 */

import { legalForm } from "../../../pipeline/name_words.ts";
import { digitsOf } from "../tokens/number_patterns.ts";
import type { Reading, Token } from "../tokens/tokens.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";
import { isMention, type Mentions } from "./mentions.ts";
import { isCarrierNumber, type NumberEntity } from "./number_entity.ts";

interface Around {
  reading: Reading;
  /** The numbers: earlier ones with their final role, later ones with the role of the words attached to them. */
  known: readonly (NumberEntity | null)[];
  fee: boolean;
  kinds: Mentions;
  /** Whether the previous question asked for a fee. */
  after: boolean;
}

/**
 * The role of a number without words of its own. It is a USDOT number unless something takes it away: a
 * list, a sum or a fee, a mention of dockets, a ZIP code, a year, or a name that it begins.
 */
export function roleOfBare(around: Around, at: number): Partial<NumberEntity> {
  const bare = bareAt(around, at);
  return asFleet(bare) ?? asListed(bare) ?? asOther(bare) ?? asDocket(bare) ?? asCount(bare) ??
    asCarrierOrFleet(bare);
}

/** A number without words of its own, and what stands around it. */
interface Bare {
  readonly around: Around;
  readonly at: number;
  readonly value: number;
  readonly digits: number;
  readonly gap: string;
  readonly before: Token | undefined;
  readonly after: Token | undefined;
  /** Whether it may be a carrier's. */
  readonly fits: boolean;
  readonly yearLike: boolean;
  readonly marks: readonly string[];
  readonly isLink: (token: Token) => boolean;
  /** The number before it in a list. */
  readonly listed: NumberEntity | null | undefined;
  readonly beginsName: boolean;
  readonly isOfName: boolean;
  /** Whether the question counts vehicles. */
  readonly fleets: boolean;
}

function bareAt(around: Around, at: number): Bare {
  const { reading: { tokens, spans }, known } = around;
  const { text, value } = known[at]!;
  const { gap } = tokens[at]!;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const digits = digitsOf(text).length;
  const marks = spans.map((span) => span?.mark.split("=")[0] ?? "");
  const isLink = (token: Token): boolean =>
    /^(?:and|or)$/.test(token.text) ||
    marks.includes("compare") && /^(?:with|to|the|vs|versus)$/.test(token.text);
  const other = tokens.findLastIndex((token, i) => i < at && !isLink(token));
  const beginsName = mayName(around.reading, at + 1);
  return {
    ...{ around, at, value, digits, gap, before, after, marks, isLink, beginsName },
    // "Pickup at 0800".
    fits: digits > 2 && digits <= 8 && !text.startsWith("0"),
    yearLike: /^(?:199\d|20[0-3]\d)$/.test(text) ||
      /^19[5-9]\d$/.test(text) && /^(?:since|in|until)$/.test(before?.text ?? ""),
    listed: /^[\s,;&/]*$/.test(gap) && at - other <= 3 ? known[other] : undefined,
    isOfName: digits < 5 && beginsName && (digits < 4 || before?.number !== undefined),
    fleets: known.some((one) => one?.role === "vehicles"),
  };
}

type Role = Partial<NumberEntity> | undefined;

/** "2 trucks and lease 4", "21 trucks vs 20". */
function asFleet({ around, at, gap, fleets, before }: Bare): Role {
  if (/(?<!-)[<>]=?\s*$/.test(gap)) return { role: "other" };
  // "180 units, not 282".
  if (fleets && before?.text === "not") return { role: "other" };
  if (fleets && isAdded(around, at)) return { role: "vehicles", added: true };
  const fleet = around.fee ? comparedFleet(around, at) : undefined;
  return fleet && { role: "vehicles", ...fleet.noun && { noun: fleet.noun } };
}

/** What the number before it in a list is. */
function asListed(bare: Bare): Role {
  const { around: { fee }, value, digits, gap, before, after, fits, listed, beginsName } = bare;
  if (digits === 4 && (listed?.role === "year" || bare.yearLike && fee)) return { role: "year" };
  // "DOT 286764 795 Transport Inc": a number before a word of a name is of the name.
  const inList = !beginsName || /\S/.test(gap) || before?.number === undefined;
  if (isCarrierNumber(listed) && inList && value > 0 && fits) {
    const { role, prefix, bare } = listed!;
    return { role, ...(prefix && { prefix }), ...(bare && { bare }) };
  }
  if (listed?.doubtful && fits) return { doubtful: true };
  // "UCR for fleets of 2, 5 and 20".
  const endsPart = after === undefined || after.number !== undefined || /[,;.?]/.test(after.gap) ||
    /^(?:and|or)$/.test(after.text);
  return fee && listed?.role === "vehicles" && endsPart && digits < 6
    ? { role: "vehicles" }
    : undefined;
}

/** The states of each first digit of ZIP codes (USPS). */
const ZIP_STATES = [
  "ct ma me nh nj ri vt pr",
  "de ny pa",
  "dc md nc sc va wv",
  "al fl ga ms tn",
  "in ky mi oh",
  "ia mn mt nd sd wi",
  "il ks mo ne",
  "ar la ok tx",
  "az co id nm nv ut wy",
  "ak ca hi or wa",
];

/** Whether a ZIP code may be of a state: not "NJ 43706", since those of New Jersey begin with 0. */
function isZipOf(text: string, state: string): boolean {
  const first = ZIP_STATES.findIndex((states) => states.split(" ").includes(state));
  return first < 0 || text.startsWith(String(first));
}

/** A ZIP code, equipment, or part of a name for something else: "MCS-105", "load-21800", "OH 44306". */
function asOther({ around, at, digits, gap, before }: Bare): Role {
  const { text, spans } = around.reading;
  const isZip = digits === 5 && gap === " " &&
    isZipOf(around.reading.tokens[at]!.raw, before?.text ?? "") &&
    (/^[A-Z]{2}$/.test(before?.raw ?? "") && /\p{Ll}/u.test(text) ||
      /^[a-z]{2}$/.test(before?.text ?? "") && spans[at - 1] === null);
  // "Truck 12 trailer 5300".
  const isEquipment = before?.number !== undefined && gap === " " &&
    /(?:truck|trailer|unit)$/i.test(before.raw);
  // "26,001 lb combination if the trailer is only 9,000".
  const isAmount = /,/.test(around.reading.tokens[at]!.raw) && AMOUNTS.test(text.toLowerCase());
  return isZip || isEquipment || isAmount || /[-_]$/.test(gap) && gap.length === 1
    ? { role: "other" }
    : undefined;
}

/** What is given in thousands. */
const AMOUNTS = /\b(?:lbs?|pounds|weigh\w*|gvwr|gcwr|gvw|bond|dollars|miles)\b/;

/** A docket where the question mentions one, or a number that may be one. */
function asDocket({ around, at, before, after, fits, isOfName }: Bare): Role {
  const { reading: { tokens }, kinds } = around;
  // "Is 11067 the MC of DOT 27259".
  if (/^(?:the|their|its|his)$/.test(after?.text ?? "") && isMention(tokens[at + 2]) && fits) {
    return { role: "docket", prefix: "MC", mentioned: true };
  }
  // "I'm 57583 and waiting on my MC": the caller's own number.
  const isOwn = /^(?:im|i am|were|we are|am)$/.test(before?.text ?? "");
  if (kinds === null || kinds === "asked" || !fits || isOfName || isOwn) return undefined;
  return kinds === "doubtful" || isMention(after)
    ? { doubtful: true }
    : { role: "docket", prefix: prefixSaid(tokens), mentioned: true };
}

/** The prefix that a question says beside none of its numbers: "FF number, 583". */
function prefixSaid(tokens: readonly Token[]): "MC" | "MX" | "FF" {
  const [said, ...more] = (["MC", "MX", "FF"] as const).filter((prefix) =>
    tokens.some(({ text }) => text === prefix.toLowerCase())
  );
  return said === undefined || more.length > 0 ? "MC" : said;
}

/** A count or amount beside a carrier's number, or a year. */
function asCount(bare: Bare): Role {
  const { around: { reading: { tokens, spans }, known, fee }, at, digits, before, after } = bare;
  const isGiven = known.some((one) => isCarrierNumber(one) && !one!.bare);
  // "Is DOT 286764 active, they have 1000 drivers".
  const isCounted = digits > 2 && /s$/.test(after?.text ?? "") && /^\s*$/.test(after!.gap) &&
    !/^(?:hard|join|)$/.test(bare.marks[at + 1]!);
  // "Power units of dot 4848, I got 208".
  const isTheirs = digits < 5 && /^(?:got|have|has|had|shows|says)$/.test(before?.text ?? "");
  // "A Peterbilt 389 and a Volvo 760, DOT is 16943".
  const isModel = digits === 3 && before !== undefined && spans[at - 1] === null &&
    before.number === undefined && /^\p{Lu}/u.test(before.raw) && tokens[at]!.gap === " ";
  if (isGiven && (isCounted || isTheirs || isModel)) return { role: "other" };
  // "More than 100 trucks? I found Williams & Graham with 233".
  if (bare.fleets && digits < 5 && /^(?:with|has|have|had|shows|lists)$/.test(before?.text ?? "")) {
    return { role: "other" };
  }
  // "Compare 2018 and 46576".
  const beginsList = bare.marks.includes("compare") &&
    (after?.number !== undefined && /^[\s,]*$/.test(after.gap) ||
      bare.isLink(after ?? tokens[at]!) && tokens[at + 2]?.number !== undefined);
  // "What about 2026", after a question about a fee.
  if (bare.yearLike && !beginsList) return bare.around.after ? { role: "year" } : {};
  // "4455 trux, ucr": a count of something.
  const isOfUnknown = fee && after !== undefined && spans[at + 1] === null &&
    after.number === undefined && digits > 3 && digits < 6 && after.gap === " ";
  return isOfUnknown ? {} : undefined;
}

/** A carrier's number, or in a question about a fee, vehicles. */
function asCarrierOrFleet(bare: Bare): Partial<NumberEntity> {
  const { around: { reading: { tokens, spans }, known, fee, after: followsFee }, at, marks } = bare;
  const { before, after, fleets } = bare;
  // "MCS-150 due date and UCR fee for 896": the due date needs a carrier.
  const ofFleet = fee && !marks.includes("pay") && bare.digits <= 3 &&
    (fleets || !marks.some((mark) => /^(?:due|mcs150|status|rating|oos|authority)$/.test(mark)));
  if (!ofFleet) {
    // "Has 440 auto been shut down": the number begins a name in lower case.
    const isBeside = bare.digits === 3 && after?.gap === " " && after.number === undefined &&
      spans[at + 1] === null;
    // "MC 9164, 2 loads tomorrow 1200 each": beside a number of a stated kind, only a linked one is a carrier's.
    const isApart = known.some((one) => isCarrierNumber(one) && !one!.bare) &&
      before !== undefined && before.number === undefined && !LINKS_NUMBER.test(before.text) &&
      !/[.?!:\n]/.test(bare.gap);
    return !bare.fits || bare.isOfName || isBeside
      ? {}
      : isApart
      ? { role: "other" }
      : { role: "usdot", bare: true };
  }
  // "35448 has 8, what would UCR be if they hit 21".
  if (/^(?:hits?|reach(?:es)?)$/.test(before?.text ?? "")) return { role: "vehicles" };
  // "Does 13805 owe ucr 138 or 276": amounts beside a carrier.
  if (known.slice(0, at).some((one) => isCarrierNumber(one))) return { role: "other" };
  const afterFee = at === 0 && after === undefined ||
    /^(?:for|of|ucr|fee|cost)$/.test(before?.text ?? "") ||
    // "And 7 in 2027".
    followsFee &&
      tokens.slice(0, at).every(({ text }) =>
        /^(?:and|an|what|how|about|if|its|i|we|he|she|they|have|had|has|make|it|say|buys?|bought|adds?|gets?|runs?|own|only|just|drops?|dropped|hits?|reach(?:es)?|down|up|go(?:es)?|to|with|at|for|ok|so|now|then|instead)$/
          .test(text)
      );
  return afterFee && !fleets && !bare.beginsName ? { role: "vehicles" } : {};
}

/** A word in front of another carrier's number: "DOT 35096, but my notes say 35906". */
const LINKS_NUMBER =
  /^(?:and|nad|or|with|vs?|versus|to|than|not|is|are|was|says?|said|shows?|reads?|lists?|but|also|plus|check|compare|numbers?|no|meant?|its?|for|of|about|on|under|by|carriers?|one|gave|does|do|did|has|have|can)$/;

/** Whether a word behind a number may be of the same name or street. */
function mayName({ text, tokens, spans }: Reading, at: number): boolean {
  const token = tokens[at];
  return token !== undefined && /^[ &-]*$/.test(token.gap) &&
    (FIRM_WORD.test(token.text) || legalForm(tokens[at + 1]?.text ?? "") !== "" ||
      // "870 Truck Lines".
      /^\p{Lu}/u.test(token.raw) && FIRM_WORD.test(tokens[at + 1]?.text ?? "") ||
      spans[at] === null && /^\p{Lu}/u.test(token.raw) && /\p{Ll}/u.test(text));
}

/** The vehicles that a bare number is compared with: "21 trucks vs 20", "is 100 trucks cheaper than 101". */
function comparedFleet(
  { reading: { tokens }, known }: Around,
  at: number,
): NumberEntity | undefined {
  const before = known.findLastIndex((one, i) => i < at && one?.role === "vehicles");
  const other = before < 0
    ? known.findIndex((one, i) => i > at && one?.role === "vehicles")
    : before;
  if (known[at]!.value > 99_999 || /^20[0-3]\d$/.test(tokens[at]!.raw)) return undefined;
  const words = tokens.slice(Math.min(at, other) + 1, Math.max(at, other)).map(({ text }) => text);
  return words.length > 0 && words.length <= 3 &&
      words.some((word) => /^(?:vs|versus|than|to)$/.test(word))
    ? known[other]!
    : undefined;
}

/** Whether a bare number is plainly added to vehicles: "2 trucks and lease 4", "own 18 and lease 4 trucks". */
function isAdded({ reading: { tokens }, known }: Around, at: number): boolean {
  const isFleet = (one: NumberEntity | null | undefined): boolean => one?.role === "vehicles";
  const before = known.findLastIndex((one, i) => i < at && isFleet(one));
  const other = before < 0 ? known.findIndex((one, i) => i > at && isFleet(one)) : before;
  if (other < 0 || known[at]!.value > 99_999 || known[other]!.vague) return false;
  const words = tokens.slice(Math.min(at, other) + 1, Math.max(at, other))
    .map(({ text }) => text);
  const held =
    /^(?:my|his|her|our|their|leased?|leasing|own|owned|rent|rented|more|others?|extra|another|additional)$/;
  return words.length <= 5 &&
    words.some((word) => /^(?:and|plus)$/.test(word) || held.test(word)) &&
    words.every((word) =>
      /^(?:and|plus|i|we|they|also|then|of|on|own|owner|ops?|operators?|company|run|have|got|with)$/
        .test(word) || held.test(word)
    ) &&
    (words.some((word) => held.test(word)) || held.test(tokens[at + 1]?.text ?? ""));
}
