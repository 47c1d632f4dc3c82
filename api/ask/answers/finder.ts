/**
 * From a carrier as a question names it to a USDOT number, or to the carriers it may be.
 *
 * @module
 */

import type { z } from "zod";
import { isSameName } from "../../../pipeline/company_name.ts";
import { legalForm, parseName } from "../../../pipeline/name_words.ts";
import { listed, quoted } from "../../../pipeline/text.ts";
import { likelyNames } from "../../../pipeline/search/query/search.ts";
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../../pipeline/search/query/query.ts";
import type { SnapshotFacts } from "../../rules/schemas.ts";
import { ServiceError } from "../../operations/errors.ts";
import { lookupCarrier, lookupDocket } from "../../operations/lookup.ts";
import {
  forCaller,
  type Operation,
  perform,
  type SurfaceDeps,
} from "../../operations/operation.ts";
import { MAX_RESULTS, searchCarriers, searchSpelled } from "../../operations/search.ts";
import { newYorkToday } from "../../rules/new_york.ts";
import { spellings, withTownWords } from "../entities/name_forms.ts";
import type { NameBook, NameOutcome, TypedName, Understanding } from "../entities/names.ts";
import { type CarrierRef, refUrl, type SearchList, searchUrl } from "../plan/whom/references.ts";
import { filedNames, type Found, isInPlace, isSought, placeWords } from "./fitting.ts";
import { listedIn } from "./lists.ts";
import { resolvedName } from "./named.ts";
import {
  Budget,
  foundAs,
  MAX_SEARCHED,
  NEAR_OPTIONS,
  type Resolution,
  type Searches,
} from "./resolution.ts";

/** If at most this many carriers list a docket and only the first is active, the answer is about the first. */
const MAX_HOLDERS = 2;

/** Runs the operations of one conversation, on one day. */
export class Finder implements Understanding, Searches {
  /** The day in New York, `YYYY-MM-DD`. */
  readonly today: string;
  readonly baseUrl: string;
  /** The snapshot that the last search read. */
  snapshot: SnapshotFacts | undefined;
  readonly #deps: SurfaceDeps;
  readonly #searches = new Map<string, Promise<Found[]>>();

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

  /** The names of all carriers, to read one of so many questions with. */
  books(questions: number): NameBook {
    const budget = new Budget(Math.floor(MAX_SEARCHED / questions));
    return {
      likely: (texts) => this.#likely(texts),
      find: async (name): Promise<NameOutcome> => {
        const namesakes = await this.namesakes(name, budget);
        return namesakes === null ? "not searched" : namesakes.length > 0 ? "found" : "absent";
      },
    };
  }

  async #likely(texts: readonly string[]): Promise<ReadonlySet<string>> {
    if (texts.length === 0) return new Set();
    try {
      return await this.#deps.reader.use((snapshot) => likelyNames(snapshot, texts));
    } catch (error) {
      throw forCaller(error);
    }
  }

  /**
   * Finds a carrier.
   *
   * @throws {ServiceError} For anything but a carrier that is not there.
   */
  async resolve(
    ref: CarrierRef,
    budget: Budget,
    { compared = false }: { compared?: boolean } = {},
  ): Promise<Resolution> {
    if (ref.by === "dot") return { outcome: "found", dot: ref.number, note: "" };
    if (ref.by === "docket") return await this.#resolveDocket(ref, compared);
    if (ref.by === "name") return await resolvedName(ref, budget, this);
    const of = ref.of?.by === "list"
      ? await this.#optionsOf(ref.of, budget)
      : await this.resolve(ref.of!, budget);
    if (of.outcome !== "several") return of;
    const option = of.options.at(ref.index);
    return option === undefined || ref.only === true && of.options.length > 1
      ? of
      : foundAs(option, "");
  }

  async #optionsOf(list: SearchList, budget: Budget): Promise<Resolution> {
    const { text, all } = await listedIn(list, budget, this);
    if (all.length === 0) {
      const message = `No carrier is left of those found for ${quoted(text)}`;
      return { outcome: "absent", message, url: searchUrl(text, this.baseUrl) };
    }
    const fitting = all.filter((one) => isSought(one, list.sought));
    const options = fitting.length > 0 ? fitting : all;
    const exact = list.sought.name === "" || fitting.length > 0;
    return { outcome: "several", label: quoted(text), options, exact };
  }

  /** What a search finds, the likeliest first; null when it is not made. */
  async search(
    text: string,
    budget: Budget,
    operation = searchCarriers,
  ): Promise<Found[] | null> {
    const words = text.trim().split(/\s+/).slice(0, MAX_QUERY_WORDS);
    const query = words.join(" ").slice(0, MAX_QUERY_LENGTH);
    const key = operation === searchSpelled ? `"${query}"` : query;
    const known = this.#searches.get(key);
    if (known !== undefined) return await known;
    if (!budget.take(words.length)) return null;
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
    return await results;
  }

  /** The carriers of a name, in its place; of a legal form where some have it. Null when not searched. */
  async namesakes({ name, place }: TypedName, budget: Budget): Promise<Found[] | null> {
    const byDot = new Map<string, Found>();
    const words = withTownWords(placeWords(place).join(" "));
    for (const spelled of spellings(name)) {
      const found = await this.#everyNamed(spelled) ??
        await this.search(`${spelled} ${words}`, budget, searchSpelled);
      if (found === null) return null;
      const given = parseName(spelled);
      const named = found.flatMap((found) => {
        const names = filedNames(found).filter((name) => isSameName(given, name));
        const there = words === "" || isInPlace(found, words);
        const forms = names.map(({ forms }) => forms.map(({ text }) => text).join(" "));
        return names.length > 0 && there ? [{ found, forms }] : [];
      });
      const form = legalForm(spelled);
      const same = named.filter(({ forms }) => forms.includes(form));
      // Of more carriers than a search returns, some of the same form may be missing.
      const best = form !== "" && same.length > 0 && named.length < MAX_RESULTS ? same : named;
      for (const { found } of best) byDot.set(found.dot, found);
    }
    return [...byDot.values()];
  }

  /** The carriers of a name, if an earlier search has all of them. */
  async #everyNamed(spelled: string): Promise<Found[] | undefined> {
    const found = await this.#searches.get(`"${spelled}"`);
    return found === undefined || found.length >= MAX_RESULTS ? undefined : found;
  }

  async #resolveDocket(
    ref: CarrierRef & { by: "docket" },
    compared: boolean,
  ): Promise<Resolution> {
    const { prefix, number } = ref;
    const label = `${prefix} ${number}`;
    try {
      // A search would try names if no carrier has the number.
      const { dot, other_dots } = await this.run(lookupDocket, { docket: `${prefix}-${number}` });
      const dots = [dot, ...other_dots];
      if (dots.length > 1 && !compared) {
        const options = await Promise.all(
          dots.slice(0, NEAR_OPTIONS).map(async (dot) => {
            const carrier = await this.run(lookupCarrier, { dot });
            return { ...carrier, active: carrier.status === "active" };
          }),
        );
        const isOne = options.length <= MAX_HOLDERS && options[0]!.active && !options[1]!.active;
        if (!isOne) {
          return { outcome: "several", label, options, exact: true, holders: dots };
        }
      }
      const note = dots.length === 1
        ? `Only USDOT ${dots[0]} lists ${label}.`
        : `${label} is listed by ${dots.length} carriers, USDOT ${
          listed(dots.slice(0, NEAR_OPTIONS))
        }${dots.length > NEAR_OPTIONS ? " and others" : ""}: check the name.`;
      return { outcome: "found", dot: Number(dots[0]), note };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
      const hint = prefix === "MC" ? `. If it is a USDOT number, ask for DOT ${number}` : "";
      return { outcome: "absent", message: error.message + hint, url: refUrl(ref, this.baseUrl) };
    }
  }
}
