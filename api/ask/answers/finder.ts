/**
 * From a carrier as a question names it to a USDOT number, or to the carriers it may be.
 *
 * @module
 */

import type { z } from "zod";
import { isSameName } from "../../../pipeline/company_name.ts";
import { legalForm, parseName } from "../../../pipeline/name_words.ts";
import { listed, quoted } from "../../../pipeline/text.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { likelyNames } from "../../../pipeline/search/query/search.ts";
import {
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  namesState,
} from "../../../pipeline/search/query/query.ts";
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
import {
  filedNames,
  type Found,
  hasLegalName,
  hasWords,
  hasWordsMeant,
  isInPlace,
  isNear,
  isNearPlace,
  isOnFile,
  isSought,
  onlyHolder,
  onlyWhole,
  placeWords,
  sharesName,
} from "./fitting.ts";
import { type CarrierRef, refUrl, type SearchList, searchUrl } from "../plan/whom/references.ts";
import { soughtText } from "../entities/entities.ts";
import { FIRM_WORD, hasFirmWord } from "../tokens/vocabulary.ts";

/** The carrier or carriers of a reference. If `several` are `exact`, all have the name; otherwise they are similar. */
export type Resolution =
  | { outcome: "found"; dot: number; note: string }
  | { outcome: "absent"; message: string; url: string }
  | { outcome: "not searched"; message: string; url: string }
  | {
    outcome: "several";
    label: string;
    options: Found[];
    exact: boolean;
    /** All carriers that list a docket, if there are more than options. */
    holders?: readonly string[];
  };

/** What a search lists; `isPartly` if no carrier has all words of the name and is in the place. */
interface Listed {
  /** The place searched; without its last word if no carrier matches the whole place. */
  readonly place: string;
  readonly text: string;
  /** All that the search found, those that fit, and of these the ones of the status. */
  readonly found: readonly Found[];
  readonly near: readonly Found[];
  readonly all: Found[];
  readonly isPartly: boolean;
}

function foundAs({ dot }: Found, note: string): Resolution {
  return { outcome: "found", dot: Number(dot), note };
}

/** The most words searched for; bounds the cost of a question. */
const MAX_SEARCHED = 36;

/** The most carriers to choose from. */
export const NEAR_OPTIONS = 6;

/** If at most this many carriers list a docket and only the first is active, the answer is about the first. */
const MAX_HOLDERS = 2;

/** The searches left to one part of a conversation. */
export class Budget {
  #words: number;

  constructor(words = MAX_SEARCHED) {
    this.#words = words;
  }

  /** Whether a search of so many words may be made; counts it. */
  take(words: number): boolean {
    this.#words -= words;
    return this.#words >= 0;
  }
}

/** Runs the operations of one conversation, on one day. */
export class Finder implements Understanding {
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
        const namesakes = await this.#namesakes(name, budget);
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
    if (ref.by === "name") return await this.#resolveName(ref, budget);
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
    const { text, all } = await this.list(list, budget);
    if (all.length === 0) {
      const message = `No carrier is left of those found for ${quoted(text)}`;
      return { outcome: "absent", message, url: searchUrl(text, this.baseUrl) };
    }
    const fitting = all.filter((one) => isSought(one, list.sought));
    const options = fitting.length > 0 ? fitting : all;
    const exact = list.sought.name === "" || fitting.length > 0;
    return { outcome: "several", label: quoted(text), options, exact };
  }

  /** The carriers of a list, or those of the wider place where the first has none. */
  async list(list: SearchList, budget: Budget): Promise<Listed> {
    const { sought, wider } = list;
    const listed = await this.#listAny(list, budget);
    return wider === undefined || !listed.isPartly
      ? listed
      : await this.#listAny({ ...list, sought: { ...sought, place: wider } }, budget);
  }

  /** The carriers of a list, in any of its places. */
  async #listAny({ sought, ...list }: SearchList, budget: Budget): Promise<Listed> {
    const each: Listed[] = [];
    for (const place of sought.place.split(" or ")) {
      each.push(await this.#listIn({ ...list, sought: { ...sought, place } }, budget));
    }
    if (each.length === 1) return each[0]!;
    const whole = each.filter(({ isPartly }) => !isPartly);
    const lists = whole.length > 0 ? whole : each;
    const { place } = sought;
    return {
      text: soughtText(sought),
      place,
      isPartly: whole.length === 0,
      found: lists.flatMap(({ found }) => found),
      near: lists.flatMap(({ near }) => near),
      all: lists.flatMap(({ all }) => all),
    };
  }

  /** The carriers in the place with each word of the name, if there are any. */
  async #listIn({ sought, status }: SearchList, budget: Budget): Promise<Listed> {
    const text = soughtText(sought);
    const whole =
      await this.search(soughtText({ ...sought, place: withTownWords(sought.place) }), budget) ??
        [];
    // "The Joliet paper: which companies are in Joliet".
    const searched =
      whole.length > 0 || sought.place === "" || sought.name === "" || hasFirmWord(sought.name)
        ? whole
        : await this.search(sought.place, budget) ?? [];
    // "Nogales Sonora": a region that FMCSA's records have by another name.
    const town = sought.place.split(" ").slice(0, -1).join(" ");
    const places = town === "" || sought.name === "" ? [] : [sought.place, town];
    const isThere = (place: string) => searched.some((one) => isSought(one, { ...sought, place }));
    const place = places.find(isThere) ?? sought.place;
    const fitting = searched.filter((one) => isSought(one, { ...sought, place }));
    // A search for "WA" also finds SAFE WAY.
    const isNone = fitting.length === 0 && sought.name === "" && namesState(place.toLowerCase());
    const found = isNone ? [] : searched;
    const isNarrow = sought.place !== "" || sought.inNames;
    const near = isNarrow && fitting.length > 0 ? fitting : found;
    const all = near.filter(({ active }) =>
      status === undefined || active === (status === "active")
    );
    const hasPlace = (one: Found) => isOnFile(one, place) || isNearPlace(one, place);
    const isPartly = fitting.length === 0 &&
      (sought.name !== "" || sought.place !== "" && !found.some(hasPlace));
    return { text, found, near, all, place, isPartly };
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
  async #namesakes({ name, place }: TypedName, budget: Budget): Promise<Found[] | null> {
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

  async #resolveName(ref: TypedName, budget: Budget): Promise<Resolution> {
    const { text } = ref;
    const label = quoted(text);
    const url = searchUrl(text, this.baseUrl);
    const namesakes = await this.#namesakes(ref, budget);
    const [one] = namesakes ?? [];
    if (one !== undefined && namesakes!.length === 1) {
      const isLegal = hasLegalName(one, ref);
      // The carrier has the name as its DBA name; one with it as its legal name may be meant.
      const others = isLegal || ref.place === ""
        ? []
        : (await this.#namesakes({ ...ref, place: "" }, budget))?.filter((other) =>
          other.dot !== one.dot && hasLegalName(other, ref)
        ) ?? [];
      // They are in other places, so the answer mentions them and doesn't ask.
      const legal = others.slice(0, NEAR_OPTIONS).map(({ dot, city, state }) =>
        `USDOT ${dot} (${quoted(`${city} ${state}`.trim())})`
      );
      const elsewhere = legal.length === 0 ? "" : ` It is also the legal name of ${listed(legal)}.`;
      const note = `Found by the name ${label}${isLegal ? "" : ", its DBA name"}.${elsewhere}`;
      return foundAs(one, note);
    }
    const elsewhere = one === undefined && ref.place !== ""
      ? await this.#namesakes({ ...ref, place: "" }, budget)
      : null;
    const there = elsewhere === null ? undefined : await this.#nearThere(ref, elsewhere, budget);
    if (there !== undefined) return there;
    // "Black Trucking GV Rigging": the legal and the other name.
    const byAll = `Found by its names and place in ${label}.`;
    const both = onlyWhole(elsewhere ?? [], text);
    if (both !== undefined) return foundAs(both, byAll);
    if (elsewhere !== null && elsewhere.length > 0) {
      // Of a common name, those in the place come first: "Smith Hauling Wisconsin".
      const near = (await this.#inPlaceOf(ref, budget)).slice(0, NEAR_OPTIONS / 2);
      const all = elsewhere.length <= NEAR_OPTIONS / 2
        ? [...elsewhere, ...near]
        : [...near, ...elsewhere];
      const options = [...new Map(all.map((one) => [one.dot, one])).values()];
      return { outcome: "several", label, options: options.slice(0, NEAR_OPTIONS), exact: false };
    }
    const near = one === undefined ? await this.#near(text, budget) : null;
    const whole = onlyWhole(near ?? [], withTownWords(text));
    if (whole !== undefined) return foundAs(whole, byAll);
    const only = onlyHolder(near ?? [], text, ref);
    if (only !== undefined) {
      const note =
        `No carrier is named exactly ${label}; this is the only one with it in its names${
          hasWords(only, text) ? "" : " and place"
        }.`;
      return foundAs(only, note);
    }
    // "Zzyzx Bros Hauling": the others only have "hauling".
    const isNamed = near?.some((found) => sharesName(found, text));
    const options =
      near?.filter((found) => isNamed && (ref.marked !== false || isNear(found, text)))
        .slice(0, NEAR_OPTIONS) ?? namesakes ?? [];
    if (options.length > 0) {
      return { outcome: "several", label, options, exact: one !== undefined };
    }
    if (namesakes === null || near === null) {
      const message = `Did not search for ${label}: the question names too many carriers. ` +
        "Ask about it alone";
      return { outcome: "not searched", message, url };
    }
    const message = `Cannot find ${label}: no carrier with that name in the data`;
    return { outcome: "absent", message, url };
  }

  /** What a search finds for a name, then for the name with its town spelled out: "Roger Sandhu Philly". */
  async #near(text: string, budget: Budget): Promise<Found[] | null> {
    const found = await this.search(text, budget);
    const spelled = withTownWords(text);
    const more = spelled === text || found === null ? [] : await this.search(spelled, budget) ?? [];
    return found && [...new Map([...more, ...found].map((one) => [one.dot, one])).values()];
  }

  /** The carriers in the place whose names have its distinctive words, not "trucking" or "LLC". */
  async #inPlaceOf({ name, place }: TypedName, budget: Budget): Promise<Found[]> {
    const own = tokenize(name).filter((word) => !FIRM_WORD.test(word) && legalForm(word) === "");
    if (own.length === 0) return [];
    const words = placeWords(place).join(" ");
    const found = await this.search(`${name} ${words}`, budget) ?? [];
    return found.filter((one) => isInPlace(one, words) && hasWords(one, own.join(" ")));
  }

  /** The only carrier in nearly the place with a name or all its words, or the only one with the place as a word of its name. */
  async #nearThere(
    { name, place }: TypedName,
    elsewhere: readonly Found[],
    budget: Budget,
  ): Promise<Resolution | undefined> {
    // "Miguel Perez Lubbock" may have a middle initial; a company's name would be found as it is.
    const found = hasFirmWord(name) ? [] : await this.search(`${name} ${place}`, budget) ?? [];
    const words = placeWords(place).join(" ");
    const [one, ...more] = new Map(
      [...elsewhere, ...found].filter((one) =>
        (isNearPlace(one, place) || isInPlace(one, words)) && hasWordsMeant(one, name)
      ).map((one) => [one.dot, one]),
    ).values();
    if (one !== undefined && more.length === 0) {
      const filed = quoted(`${one.city} ${one.state}`.trim());
      const note = `Found by ${quoted(name)} in its names, in ${filed}.`;
      return foundAs(one, note);
    }
    // "No, the propane one", after Jones.
    const named = found.filter((found) => hasWords(found, place) && isNear(found, name));
    return named.length === 1
      ? { outcome: "several", label: quoted(`${name} ${place}`), options: named, exact: false }
      : undefined;
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
