/**
 * Ranks carriers by how well their names and places match a query. Web APIs only.
 *
 * @module
 */

import { LINE_FEED, type ListEntry, type ListFile, type ListRows } from "../shared/lists_file.ts";
import { contentLetters } from "../shared/tokenizer.ts";
import { ByteTokenizer } from "./byte_tokenizer.ts";
import type { Expansion } from "./candidates.ts";
import { NameMatcher, PlaceMatcher } from "./matcher.ts";
import type { ParsedQuery, QueryReading } from "./query.ts";

/** How a name compares with a query; carriers are compared member by member in this order. */
interface NameScore {
  /**
   * 5 the query is the name, 4 except for the legal form; 3 and 2 likewise with the carrier's place;
   * 1 except for the order of words; 0 another name.
   */
  exact: number;
  /** Sum of the weights of the words found: a word weighs more the fewer carriers have it. */
  matched: number;
  /** Words of the query, stop words too, that are the carrier's place. */
  placed: number;
  /** Edits; half of one more where the first letter differs. */
  typos: number;
  /** Words found only as the beginning of a longer one. */
  prefixes: number;
  /** 1 where the name has words that were not asked for. */
  extra: number;
  /** Bytes of the words at the name's beginning that are as typed: `K & J` is not `KJ`. */
  typed: number;
  /** Pairs of words that follow each other as in the query. */
  adjacent: number;
}

/** The criteria that rank a carrier: the score of its better name, then these. */
interface RankCriteria extends NameScore {
  active: boolean;
  /** -1 where not filed. */
  power_units: number;
}

const NO_SCORE: NameScore = {
  exact: 0,
  matched: 0,
  placed: 0,
  typos: 0,
  prefixes: 0,
  extra: 0,
  typed: 0,
  adjacent: 0,
};

/** Negative when `a` ranks before `b`. */
function compareScores(a: NameScore, b: NameScore): number {
  return b.exact - a.exact || b.matched - a.matched || b.placed - a.placed || a.typos - b.typos ||
    a.prefixes - b.prefixes || a.extra - b.extra || b.typed - a.typed ||
    b.adjacent - a.adjacent;
}

/** Negative when `a` ranks before `b`. */
function compareCriteria(a: RankCriteria, b: RankCriteria): number {
  return compareScores(a, b) || Number(b.active) - Number(a.active) ||
    b.power_units - a.power_units;
}

/** A carrier with what ranked it. */
export interface RankedEntry {
  entry: ListEntry;
  criteria: RankCriteria;
}

/** The `limit` best carriers of some lists, best first, each once. */
export function bestEntries(
  lists: readonly ListRows[],
  { ranker, limit }: { ranker: Ranker; limit: number },
): RankedEntry[] {
  interface Row {
    criteria: RankCriteria;
    dot: number;
    file: ListFile;
    row: number;
    text: number;
  }
  const best: Row[] = [];
  const { criteria } = ranker;
  for (const { file, from, to, text } of lists) {
    let next = text;
    for (let row = from; row < to; row++) {
      const start = next;
      next = ranker.read(file.bytes, start);
      if (!ranker.enough) continue;
      criteria.active = file.active(row);
      criteria.power_units = file.powerUnits(row);
      const dot = file.dot(row);
      let at = best.length;
      let order = -1;
      while (at > 0) {
        const previous = best[at - 1]!;
        order = compareCriteria(criteria, previous.criteria) || dot - previous.dot;
        if (order >= 0) break;
        at--;
      }
      // 0 is the same carrier, listed twice.
      if (order === 0 || at === limit) continue;
      best.splice(at, 0, { criteria: { ...criteria }, dot, file, row, text: start });
      if (best.length > limit) best.pop();
    }
  }
  return best.map(({ criteria, file, row, text }) => ({ criteria, entry: file.entry(row, text) }));
}

/** A carrier that has less than this share of the words asked for is not what was meant. */
const LEAST_SHARE = 0.5;

const BLANK = 32;
const AMPERSAND = 38;
const APOSTROPHE = 39;

/** A query in lower case, with one blank between words and ampersands and no other sign. */
function spelled(text: string): Uint8Array {
  const parts = text.toLowerCase().replaceAll("'", "").match(/&|[a-z0-9\u0080-\uffff]+/g) ?? [];
  return new TextEncoder().encode(parts.join(" "));
}

/** How many bytes of the whole words that a text, read like {@link spelled}, and a query begin with. */
function sameStart(bytes: Uint8Array, from: number, query: Uint8Array): number {
  let same = 0;
  let words = 0;
  for (let at = from;; at++) {
    const code = bytes[at] ?? LINE_FEED;
    const letter = code >= 65 && code <= 90 ? code + 32 : code;
    const isSign = letter === AMPERSAND;
    const isLetter = letter >= 97 && letter <= 122 || letter >= 48 && letter <= 57 || letter >= 128;
    if (!isLetter && letter !== APOSTROPHE && same > words) {
      // A word has ended: in the query too, or it is another one.
      if ((query[same] ?? BLANK) !== BLANK) return words;
      words = same;
    }
    if (code === LINE_FEED) return words;
    if (!isLetter && !isSign) continue;
    if (same === words && words > 0) same++;
    if (query[same] !== letter) return words;
    same++;
    if (isSign) words = same;
  }
}

interface PreparedReading {
  reading: QueryReading;
  /** Positions in the query's words that this reading takes for a place. */
  placeWords: number[];
  placed: number;
  /** Edits of the place. */
  typos: number;
  /** The letters of all words. */
  typed: string;
  /** The letters without stop words: "car max inc" is "carmax". */
  meant: string;
}

/** Compares carriers with a query. Make one per query, with all terms that may stand for its words. */
export class Ranker {
  /** Of the carrier read last; undefined unless {@link enough}. */
  readonly criteria: RankCriteria = { ...NO_SCORE, active: false, power_units: -1 };
  /** Whether the carrier read last has enough of the query to be an answer. */
  enough = false;
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #matcher: NameMatcher;
  readonly #readings: PreparedReading[];
  readonly #places: PlaceMatcher;
  readonly #typed: Uint8Array;
  readonly #name = new ByteTokenizer();
  readonly #dba = new ByteTokenizer();
  readonly #next: NameScore = { ...NO_SCORE };

  /** @param weigh The weight of a word of the query. */
  constructor(query: ParsedQuery, { expansions, weigh }: {
    expansions: readonly Expansion[];
    weigh: (word: string) => number;
  }) {
    this.#weights = query.words.map(weigh);
    this.#typed = spelled(query.text);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#matcher = new NameMatcher(query, expansions);
    this.#readings = query.readings.map((reading) => prepare(reading, query));
    this.#places = new PlaceMatcher(query.readings);
  }

  /**
   * Reads the text of a carrier into the criteria, except those of its fleet.
   *
   * @returns The offset after it.
   */
  read(bytes: Uint8Array, at: number): number {
    let next = this.#name.read(bytes, at, LINE_FEED);
    const dba = next;
    const hasDba = bytes[next] !== LINE_FEED;
    if (hasDba) next = this.#dba.read(bytes, next, LINE_FEED);
    else next++;
    next = this.#places.read(bytes, next);
    this.enough = false;
    this.#matcher.match(this.#name);
    this.#offer(this.#name, bytes, at);
    if (!hasDba) return next;
    this.#matcher.match(this.#dba);
    this.#offer(this.#dba, bytes, dba);
    if (this.criteria.exact > 0 || this.enough && this.isWhole(this.criteria)) return next;
    this.#matcher.matchBoth(this.#name, this.#dba);
    this.#offer(undefined, bytes, at);
    return next;
  }

  /** Whether a carrier has all that was asked for, except for typos. */
  isWhole({ matched }: RankCriteria): boolean {
    return matched >= this.#total - 0.001;
  }

  /** Takes the score of the name matched last, or of both names together, if it is the best so far. */
  #offer(name: ByteTokenizer | undefined, bytes: Uint8Array, at: number): void {
    if (!this.#score(name, this.#next)) return;
    // Words in another order begin with any of them.
    this.#next.typed = this.#next.exact === 1 ? 0 : sameStart(bytes, at, this.#typed);
    if (this.enough && compareScores(this.criteria, this.#next) <= 0) return;
    Object.assign(this.criteria, this.#next);
    this.enough = true;
  }

  /** Scores what was matched last; false, with `into` unchanged, when it has too little of the query. */
  #score(name: ByteTokenizer | undefined, into: NameScore): boolean {
    const matcher = this.#matcher;
    let placed = 0;
    this.#readings.forEach((prepared, r) => {
      if (!this.#fits(r) || prepared.placed <= placed) return;
      prepared.placeWords.forEach((k, i) => matcher.grant(k, i === 0 ? prepared.typos : 0));
      placed = prepared.placed;
    });
    const size = this.#weights.length;
    let matched = 0;
    let found = 0;
    let typos = 0;
    let prefixes = 0;
    for (let k = 0; k < size; k++) {
      matched += matcher.covered[k]! * this.#weights[k]!;
      found += matcher.covered[k]!;
      if (matcher.covered[k]! > 0) typos += matcher.costs[k]!;
      prefixes += matcher.prefixed[k]!;
    }
    if (matched < LEAST_SHARE * this.#total && found < LEAST_SHARE * size) return false;
    into.exact = name === undefined ? 0 : this.#exactness(name);
    into.matched = Math.round(matched * 1000) / 1000;
    into.placed = placed;
    into.typos = typos;
    into.prefixes = prefixes;
    into.extra = matcher.extra;
    into.adjacent = matcher.adjacent;
    return true;
  }

  #exactness(name: ByteTokenizer): number {
    let exact = 0;
    this.#readings.forEach(({ meant, reading }, r) => {
      if (!this.#fits(r) || meant === "") return;
      if (name.spells(meant, this.#matcher.stop)) {
        exact = Math.max(exact, reading.place === undefined ? 4 : 2);
      } else if ((this.#matcher.readings & 1 << r) !== 0) exact = Math.max(exact, 1);
    });
    if (exact < 2) return exact;
    const typed = this.#readings.findIndex(({ typed }, r) => this.#fits(r) && name.spells(typed));
    return typed < 0 ? exact : Math.max(exact, typed === 0 ? 5 : 3);
  }

  /** Whether a reading fits the place of the carrier read last. */
  #fits(r: number): boolean {
    return (this.#places.fitting & 1 << r) !== 0;
  }
}

function prepare(reading: QueryReading, query: ParsedQuery): PreparedReading {
  const { place } = reading;
  const placeWords = place === undefined ? [] : query.tokens.slice(place.from, place.to)
    .map((word) => query.words.indexOf(word)).filter((i) => i >= 0);
  return {
    reading,
    placeWords,
    placed: place === undefined ? 0 : place.to - place.from,
    typos: place?.typos ?? 0,
    typed: reading.tokens.join(""),
    meant: contentLetters(reading.tokens),
  };
}
