/**
 * From a carrier as a question names it to a USDOT number, or to the carriers it may be.
 *
 * @module
 */

import type { z } from "zod";
import { listed, quoted } from "../../pipeline/text.ts";
import { tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, stateCode } from "../../pipeline/search/query/query.ts";
import type { SnapshotFacts } from "../rules/schemas.ts";
import { ServiceError } from "../operations/errors.ts";
import { lookupMc } from "../operations/lookup.ts";
import { matchCarrier } from "../operations/match.ts";
import { compareName, legalForm } from "../../pipeline/search/shared/name_match.ts";
import { type Operation, perform, type SurfaceDeps } from "../operations/operation.ts";
import {
  MAX_RESULTS,
  searchCarriers,
  type SearchResult,
  searchSpelled,
} from "../operations/search.ts";
import { newYorkToday } from "../rules/calendar.ts";
import { AWAY, IN_PLACE } from "./names.ts";
import { type CarrierRef, isNumbered, type Plan } from "./question.ts";
import { understand } from "./understand.ts";

export type Found = z.infer<typeof SearchResult>;

/** What a reference leads to; of `several`, all have the name when `exact`, else they are near it. */
export type Resolution =
  | { outcome: "found"; dot: number; note: string }
  | { outcome: "missing"; message: string; url: string }
  | { outcome: "several"; label: string; options: Found[]; exact: boolean };

/** Words that one question searches for at most, all its searches together: this bounds its cost. */
const MAX_SEARCHED = 36;

const NEAR_OPTIONS = 6;
const BEFORE_PLACE = new RegExp(`^(?:${AWAY}|${IN_PLACE}|de|en)$`);

/** What stands between a name and its place: " down in ", " out of ". */
const TO_PLACE = new RegExp(` (?:(?:${AWAY}) )+(?:${IN_PLACE})? ?`, "i");

/** Runs the operations of one question, on one day. */
export class Finder {
  /** The day in New York, `YYYY-MM-DD`. */
  readonly today: string;
  readonly baseUrl: string;
  readonly #deps: SurfaceDeps;
  readonly #searches = new Map<string, Promise<Found[]>>();
  #searched = 0;

  constructor(deps: SurfaceDeps) {
    this.#deps = deps;
    this.today = newYorkToday(deps.clock.now());
    this.baseUrl = deps.baseUrl;
  }

  /**
   * The output of an operation.
   *
   * @throws {ServiceError} As {@link perform}.
   * @throws The signal's reason once it is aborted.
   */
  async run<O extends z.ZodType>(
    operation: Operation & { output: O },
    input: Record<string, unknown>,
  ): Promise<z.output<O>> {
    const { today, baseUrl } = this;
    const { reader, signal } = this.#deps;
    signal?.throwIfAborted();
    const finish = (output: unknown) => output as z.output<O>;
    const context = { today, baseUrl, reader, signal, finish };
    return (await perform(operation, input, context)).answer;
  }

  /**
   * What a question means: the first way to read it whose names carriers have. Where there is none, the one
   * with a filed name that it has word for word, as "is Move It Now active" has, or else the likeliest.
   */
  async understand(query: string, prev: readonly string[]): Promise<Plan> {
    const { today } = this;
    const plans = understand(query, prev, today);
    const [first] = plans as [Plan];
    const plan = await this.#firstFound(plans);
    if (plan !== undefined) return plan;
    const [ref, ...more] = first.carriers;
    const text = ref?.by === "name" && more.length === 0 ? ref.texts[0]! : query;
    const filed = (await this.search(text)).flatMap(({ name, dba_name }) => [name, dba_name ?? ""]);
    return understand(query, prev, today, filed)[0]!;
  }

  /** The first plan whose names carriers have, but for the very first: that is for when no carrier has one. */
  async #firstFound(plans: readonly Plan[]): Promise<Plan | undefined> {
    const [first] = plans as [Plan];
    if (first.carriers.length === 0 && first.lacks === undefined) return first;
    if (first.carriers.length > 0 && first.carriers.every(isNumbered)) return first;
    for (const plan of plans.slice(1)) {
      const names = plan.carriers.flatMap((ref) => ref.by === "name" ? [ref.texts] : []);
      if (names.length === 0 || names.length < plan.carriers.length) continue;
      const namesakes = await Promise.all(names.map((texts) => this.#namesakes(texts)));
      if (namesakes.every((list) => list.length > 0)) return plan;
    }
    return undefined;
  }

  /**
   * Finds a carrier.
   *
   * @throws {ServiceError} For anything but a carrier that is not there.
   */
  async resolve(ref: CarrierRef): Promise<Resolution> {
    if (ref.by === "dot") return { outcome: "found", dot: ref.number, note: "" };
    if (ref.by === "docket") return await this.#resolveDocket(ref);
    if (ref.by === "name") return await this.#resolveName(ref.texts);
    const of = await this.resolve(ref.of!);
    if (of.outcome !== "several") return of;
    const option = of.options.at(ref.index);
    return option === undefined ? of : { outcome: "found", dot: Number(option.dot), note: "" };
  }

  /** The snapshot that the last search read. */
  snapshot: SnapshotFacts | undefined;

  /** What a search finds, the likeliest first; nothing once a question has searched too often. */
  search(text: string, operation = searchCarriers): Promise<Found[]> {
    const words = text.trim().split(/\s+/).slice(0, MAX_QUERY_WORDS);
    const query = words.join(" ").slice(0, MAX_QUERY_LENGTH);
    const key = operation === searchSpelled ? `"${query}"` : query;
    const known = this.#searches.get(key);
    if (known !== undefined) return known;
    this.#searched += words.length;
    if (this.#searched > MAX_SEARCHED) return Promise.resolve([]);
    const results = this.run(operation, { q: query, limit: MAX_RESULTS }).then(
      ({ results, snapshot }) => {
        this.snapshot = snapshot;
        return results;
      },
      (error) => {
        if (error instanceof ServiceError && error.code === "invalid_query") return [];
        throw error;
      },
    );
    this.#searches.set(key, results);
    return results;
  }

  async #namesakes(texts: readonly string[]): Promise<Found[]> {
    const byDot = new Map<string, Found>();
    for (const text of texts) {
      const spelled = await this.search(text.replace(TO_PLACE, " "), searchSpelled);
      for (const found of namesakesOf(text, spelled)) byDot.set(found.dot, found);
    }
    return [...byDot.values()];
  }

  async #resolveName(texts: readonly string[]): Promise<Resolution> {
    const [text] = texts as [string];
    const label = quoted(text);
    const namesakes = await this.#namesakes(texts);
    const [one] = namesakes;
    if (one !== undefined && namesakes.length === 1) {
      return { outcome: "found", dot: Number(one.dot), note: `Found by the name ${label}.` };
    }
    const options = one === undefined
      ? (await this.search(text)).slice(0, NEAR_OPTIONS)
      : namesakes;
    if (options.length > 0) {
      return { outcome: "several", label, options, exact: one !== undefined };
    }
    const message = `Cannot find ${label}: no carrier of that name in the data`;
    return { outcome: "missing", message, url: searchUrl(text, this.baseUrl) };
  }

  async #resolveDocket(ref: CarrierRef & { by: "docket" }): Promise<Resolution> {
    const { prefix, number } = ref;
    const label = `${prefix} ${number}`;
    try {
      // A search would go on to names where no carrier has the number.
      const dots = prefix === "MC"
        ? await this.run(lookupMc, { mc: String(number) })
          .then(({ dot, other_dots }) => [dot, ...other_dots])
        : await this.run(matchCarrier, { mc: label })
          .then(({ carriers }) => carriers.map(({ dot }) => dot));
      const note = dots.length === 1
        ? `USDOT ${dots[0]} lists ${label}.`
        : `${label} is listed by USDOT ${listed(dots.slice(0, NEAR_OPTIONS))}: check the name.`;
      return { outcome: "found", dot: Number(dots[0]), note };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
      return { outcome: "missing", message: error.message, url: refUrl(ref, this.baseUrl) };
    }
  }
}

/**
 * The carriers of a name: those with its legal form, else those of that name whatever the form;
 * where there is none, those of the name before the place, in that place.
 */
function namesakesOf(text: string, results: readonly Found[]): Found[] {
  const form = legalForm(text);
  const namesakes = (test: (name: string, found: Found) => boolean): Found[] =>
    results.filter((found) =>
      [found.name, found.dba_name ?? ""].some((name) => name !== "" && test(name, found))
    );
  const whole = namesakes((name) => isNamed(text, name));
  const same = namesakes((name) => isNamed(text, name) && legalForm(name) === form);
  // Of more carriers than a search returns, some of the same form may be missing.
  if (form !== "" && same.length > 0 && whole.length < MAX_RESULTS) return same;
  const words = tokenize(text);
  return whole.length > 0 ? whole : namesakes((name, found) => isNameInPlace(words, name, found));
}

function isNameInPlace(words: readonly string[], name: string, { city, state }: Found): boolean {
  const town = tokenize(city).join(" ");
  const isState = (text: string): boolean => (stateCode(text) ?? text) === state.toLowerCase();
  return words.some((_, end) => {
    const place = words.slice(end).filter((word) => !BEFORE_PLACE.test(word)).join(" ");
    const before = words.slice(
      0,
      words.findLastIndex((word, at) => at < end && !BEFORE_PLACE.test(word)) + 1,
    );
    const inTown = town !== "" && (place === town || place.startsWith(`${town} `));
    const fits = inTown ? place === town || isState(place.slice(town.length + 1)) : isState(place);
    return before.length > 0 && place !== "" && fits && isNamed(before.join(" "), name);
  });
}

function isNamed(text: string, name: string): boolean {
  return compareName(text, { legal_name: name, dba_name: null }) === "match";
}

export function carrierUrl(dot: string | number, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers/${dot}`;
}

export function searchUrl(query: string, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers?q=${encodeURIComponent(query.toWellFormed())}`;
}

export function refUrl(ref: CarrierRef & { by: "dot" | "docket" }, baseUrl: string): string {
  if (ref.by === "dot") return carrierUrl(ref.number, baseUrl);
  return ref.prefix === "MC"
    ? `${baseUrl}/api/v1/mc/${ref.number}`
    : searchUrl(`${ref.prefix} ${ref.number}`, baseUrl);
}
