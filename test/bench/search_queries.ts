/**
 * Known-item queries: what a person looking for one carrier may type, by kind, and which other answers are
 * equally good.
 *
 * @module
 */

import { Random } from "../synthetic/random.ts";
import type { BenchCarrier } from "./search_engine.ts";
import {
  abbreviated,
  punctuated,
  withOtherAnd,
  withOtherInitials,
  withSlips,
  withWrongBlank,
} from "./search_habits.ts";
import { fold, NOISE, significant, STATE_NAMES, withoutForm } from "./search_text.ts";

/** The carrier that a query is made for. */
interface Subject {
  carrier: BenchCarrier;
  random: Random;
  /** The legal name in lowercase without its legal form; its words; and those of them that carry meaning. */
  bare: string;
  words: string[];
  weighty: string[];
}

interface Kind {
  /** The typed name; null when the carrier doesn't allow this kind. */
  make(subject: Subject): string | null;
  /** The place typed after or before it. An equally good carrier must be there, too. */
  place?: "city" | "state" | "misspelt city" | "city first";
  /** The name asked for. @default the legal name */
  asks?: "dba";
  /** What the name of an equally good carrier must share. @default {"words"} */
  twin?: keyof typeof NAME_KEYS;
  /** Which of a name's {@link meaningsOf} the query has. The carrier itself is then the only correct answer. */
  meaning?(folded: string): string | null;
}

/** The whole name; its words without legal forms; their letters; its first word. */
const NAME_KEYS = {
  whole: (folded: string) => folded,
  words: (folded: string) => significant(folded).join(" "),
  letters: (folded: string) => significant(folded).join(""),
  first: (folded: string) => significant(folded)[0] ?? "",
} as const;

const bare = (subject: Subject): string => subject.bare;

/** The kinds of query by group, in the order of the report. */
const GROUPED: Record<string, Record<string, Kind>> = {
  /** One habit or typo. */
  plain: {
    exact: { twin: "whole", make: ({ carrier }) => carrier.name },
    no_suffix: { make: ({ carrier, bare }) => fold(bare) === carrier.folded.name ? null : bare },
    dba: { asks: "dba", twin: "whole", make: ({ carrier }) => carrier.dba.toLowerCase() },
    typo1: { make: (it) => slips(it, 1) },
    typo2: { make: (it) => slips(it, 2) },
    name_city: { place: "city", make: bare },
    name_state: { place: "state", make: bare },
    reordered: { make: reordered },
    dropped_word: {
      make: ({ weighty, random }) =>
        weighty.length < 3 ? null : weighty.toSpliced(random.below(weighty.length), 1).join(" "),
    },
    prefix: { make: ({ words }) => both(words.slice(0, -1).join(" "), beginning(words.at(-1)!)) },
    punctuation: { twin: "whole", make: ({ carrier, random }) => punctuated(carrier.name, random) },
    dot: { make: ({ carrier }) => String(carrier.dot) },
  },
  /** Two mistakes, or a mistake and a place. */
  mixed: {
    name_misspelt_city: { place: "misspelt city", make: bare },
    first_word_city: {
      place: "city",
      twin: "first",
      make: ({ weighty }) => weighty[0]!.length < 3 ? null : significant(fold(weighty[0]!))[0]!,
    },
    extra_word_city: {
      place: "city",
      make: ({ bare, words, random }) =>
        `${bare} ${random.one(EXTRA_WORDS.filter((word) => !words.includes(word)))}`,
    },
    name_dba: {
      make({ bare, carrier }) {
        const dba = withoutForm(carrier.dba);
        return fold(dba) === fold(bare) ? null : both(bare, dba);
      },
    },
    typo_prefix: {
      make: (it) =>
        both(slips({ ...it, words: it.words.slice(0, -1) }, 1), beginning(it.words.at(-1)!)),
    },
    typo2_state: { place: "state", make: (it) => slips(it, 2) },
    typo3: { make: (it) => slips(it, 3) },
    first_letter: {
      make: (it) =>
        withLongWord(it, (word) => {
          const letters = [..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => letter !== word[0]);
          return it.random.one(letters) + word.slice(1);
        }),
    },
    wrong_blank: { make: ({ words, random }) => withWrongBlank(words, random) },
  },
  /** A broker in a hurry. A carrier named exactly as typed is equally good. */
  hurried: {
    abbreviated: { make: ({ words, random }) => abbreviated(words, random) },
    abbreviated_state: {
      place: "state",
      make: ({ words, random }) => abbreviated(words, random),
    },
    and_sign: { make: ({ bare, random }) => withOtherAnd(bare, random) },
    initials: { twin: "letters", make: ({ bare, random }) => withOtherInitials(bare, random) },
    plural: {
      make: (it) => withLongWord(it, (word) => word.endsWith("s") ? word.slice(0, -1) : `${word}s`),
    },
    city_name: { place: "city first", make: bare },
    typo2_city: { place: "city", make: (it) => slips(it, 2) },
    dba_city: { asks: "dba", place: "city", make: ({ carrier }) => withoutForm(carrier.dba) },
  },
  /** What people call the carriers that they see most. Carriers are drawn with their inspections as weights. */
  weighted: {
    known_first: {
      meaning: (folded) => beginningOf(units(folded).slice(0, 1)),
      make({ carrier }) {
        const [first = ""] = units(carrier.folded.name);
        return /^[a-z].{2}/.test(first) ? first : null;
      },
    },
    known_two: {
      meaning: (folded) => beginningOf(units(folded).slice(0, 2)),
      make({ carrier }) {
        const all = units(carrier.folded.name);
        return all.length < 3 || all[1]!.length < 2 ? null : all.slice(0, 2).join(" ");
      },
    },
    known_joined: {
      meaning: (folded) => beginningOf(units(folded).slice(0, 2)),
      make({ carrier }) {
        const [first = "", second = ""] = units(carrier.folded.name);
        return second.length < 2 || first.length + second.length < 5 ? null : first + second;
      },
    },
    known_trade: {
      meaning: tradeless,
      make({ bare, random }) {
        const at = TRADES.findIndex((trade) => bare.split(" ").includes(trade));
        if (at < 0 || bare.split(" ").length < 2) return null;
        const other = TRADES[(at + 1 + random.below(TRADES.length - 1)) % TRADES.length]!;
        return bare.split(" ").map((word) => word === TRADES[at] ? other : word).join(" ");
      },
    },
  },
};

/** Trade words that people interchange. */
const TRADES = ["trucking", "transport", "transportation"];

/** The words of a folded name that carry meaning, initials joined: `jb hunt transport`. */
function units(folded: string): string[] {
  const joined = significant(folded).join(" ").replace(/(?<=\b[a-z0-9]) (?=[a-z0-9]\b)/g, "");
  return joined.split(" ");
}

function beginningOf(words: readonly string[]): string {
  return `begins ${words.join("")}`;
}

/** A name's words without the trade; null without a trade word that people interchange. */
function tradeless(folded: string): string | null {
  const words = significant(folded);
  const other = words.filter((word) => !TRADES.includes(word));
  return other.length === words.length ? null : `but trade ${other.join(" ")}`;
}

/** What short forms of a name may mean: its beginning, and the name without its trade. */
export function meaningsOf({ folded }: BenchCarrier): string[] {
  const all = [folded.name, folded.dba].filter((name) => name !== "").flatMap((name) => {
    const words = units(name);
    return [beginningOf(words.slice(0, 1)), beginningOf(words.slice(0, 2)), tradeless(name)];
  });
  return [...new Set(all)].filter((it) => it !== null);
}

const KINDS: Record<string, Kind> = Object.assign({}, ...Object.values(GROUPED));

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);

/** The kinds for which carriers are drawn with their inspections as weights. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set(Object.keys(GROUPED.weighted!));

/** The names of the kinds by group, including queries typed by hand. */
export const GROUPS: readonly (readonly [group: string, kinds: readonly string[]])[] = [
  ["typed", ["typed"]],
  ...Object.entries(GROUPED).map(([group, kinds]) => [group, Object.keys(kinds)] as const),
];

/** A query and the carrier it is meant for. */
export interface KnownItem {
  kind: string;
  query: string;
  /** 0 when any carrier with one of the keys is correct. */
  dot: number;
  /** Carriers with one of these {@link keysOf} are equally good answers. */
  keys: string[];
  /** For {@link KNOWN_KINDS}: the carrier's inspections, and which of its {@link meaningsOf} the query has. */
  known?: { inspections: number; meaning: string };
}

const MAX_CHARACTERS = 200;
const MAX_WORDS = 12;

/**
 * Makes a query for a carrier; deterministic for a carrier, kind and seed.
 *
 * @returns Null when the carrier doesn't allow a query of this kind.
 */
export function makeQuery(kind: string, carrier: BenchCarrier, seed: number): KnownItem | null {
  const { make, place, asks = "name", twin = "words", meaning } = KINDS[kind]!;
  const { dot, folded } = carrier;
  const bare = withoutForm(carrier.name);
  const words = bare.split(/\s+/);
  const weighty = words.filter((word) => fold(word).split(" ").some((part) => !NOISE.has(part)));
  if (folded[asks] === "" || weighty.length === 0) return null;
  const random = new Random().restart(seed, dot, KIND_NAMES.indexOf(kind));
  const name = make({ carrier, random, bare, words, weighty });
  const where = name === null ? null : placeTyped(place, carrier, random);
  if (name === null || where === null || (place !== undefined && fold(where) === "")) return null;
  const query = (place === "city first" ? `${where} ${name}` : `${name} ${where}`).trim();
  if (query.length < 2 || query.length > MAX_CHARACTERS) return null;
  if (query.split(/\s+/).length > MAX_WORDS) return null;
  const { inspections } = carrier;
  if (meaning !== undefined) {
    const known = { inspections, meaning: meaning(folded.name)! };
    return { kind, query, dot, keys: [`dot ${dot}`], known };
  }
  if (kind === "dot") return { kind, query, dot, keys: [`dot ${dot}`] };
  const area = place === undefined ? "" : place === "state" ? carrier.state : folded.city;
  const asked = [folded[asks], ...kind in GROUPED.hurried! ? [fold(name)] : []];
  return { kind, query, dot, keys: asked.map((name) => keyOf(twin, name, area)) };
}

/** The queries in search_typed.txt: `query = name of a carrier @ its city`, with the city if it has one. */
export function typedItems(text: string): KnownItem[] {
  return text.split("\n").flatMap((line) => {
    const [, query, name, city = ""] = /^([^#=]+) = ([^@]+?)(?: @ (.+))?$/.exec(line) ?? [];
    if (query === undefined) return [];
    return [{ kind: "typed", query, dot: 0, keys: [keyOf("words", fold(name!), fold(city))] }];
  });
}

/** What a carrier shares with equally good answers: its number, or a name and a place. */
export function keysOf({ dot, folded: { name, dba, city }, state }: BenchCarrier): string[] {
  const names = dba === "" ? [name] : [name, dba];
  const twins = Object.keys(NAME_KEYS) as (keyof typeof NAME_KEYS)[];
  const keys = names.flatMap((name) =>
    twins.flatMap((twin) => ["", city, state].map((area) => keyOf(twin, name, area)))
  );
  return [`dot ${dot}`, ...keys];
}

function keyOf(twin: keyof typeof NAME_KEYS, name: string, area: string): string {
  return `${twin} ${NAME_KEYS[twin](name)} ${area}`;
}

/** The typed place; `""` for no place, null if it can't be misspelled. */
function placeTyped(
  place: Kind["place"],
  { city, state }: BenchCarrier,
  random: Random,
): string | null {
  if (place === undefined) return "";
  if (place === "state") {
    return ((random.chance(0.5) ? STATE_NAMES.get(state) : undefined) ?? state).toLowerCase();
  }
  const words = city.toLowerCase().split(" ");
  return (place === "misspelt city" ? withSlips(words, 1, { random }) : words)?.join(" ") ?? null;
}

const PREFIX_SHARE = 0.6;

/** Words that people add to a name from memory. */
const EXTRA_WORDS = "trucking transport services group usa express freight company logistics".split(
  " ",
);

/** Two parts of a query; null when one is missing. */
function both(a: string | null, b: string | null): string | null {
  return a === null || b === null || fold(a) === "" || fold(b) === "" ? null : `${a} ${b}`;
}

function slips({ words, random }: Subject, count: number): string | null {
  const may = (word: string): boolean => !NOISE.has(fold(word));
  return withSlips(words, count, { random, may })?.join(" ") ?? null;
}

/** The words with a change in one of four or more letters. */
function withLongWord(
  { words, random }: Subject,
  change: (word: string) => string,
): string | null {
  const long = words.flatMap((word, at) => /^[a-z]{4,}$/.test(word) ? [at] : []);
  if (long.length === 0) return null;
  const at = random.one(long);
  return words.with(at, change(words[at]!)).join(" ");
}

function beginning(word: string): string | null {
  return /^[a-z]{4,}$/.test(word) ? word.slice(0, Math.round(word.length * PREFIX_SHARE)) : null;
}

function reordered({ weighty, random }: Subject): string | null {
  const order = [...weighty];
  for (let left = order.length; left > 1; left--) {
    const other = random.below(left);
    [order[left - 1], order[other]] = [order[other]!, order[left - 1]!];
  }
  // A shuffle that changed nothing becomes a rotation, so that all lengths are equally likely.
  if (order.join(" ") === weighty.join(" ")) order.push(order.shift()!);
  return order.join(" ") === weighty.join(" ") ? null : order.join(" ");
}
