/**
 * From a carrier as a question names it to a USDOT number, or to the carriers it may be.
 *
 * @module
 */

import type { z } from "zod";
import { type Clock } from "../../pipeline/clock.ts";
import { quoted } from "../../pipeline/inert.ts";
import { fold, meaning } from "../../pipeline/search/fold.ts";
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from "../../pipeline/search/query.ts";
import { stateCode } from "../../pipeline/search/states.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import { lookupMc } from "../operations/lookup_mc.ts";
import { type Operation, perform } from "../operations/operation.ts";
import { MAX_RESULTS, searchCarriers, type SearchResult } from "../operations/search_carriers.ts";
import { formatForPeople, newYorkToday } from "../rules/calendar.ts";
import type { CarrierRef, Plan } from "./intents.ts";

/** What `/ask` works with. */
export interface AskDeps {
  reader: SnapshotReader;
  clock: Clock;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Ends the work between two operations, e.g. when the client is gone. */
  signal?: AbortSignal | undefined;
}

/** Runs operations on one day. */
export interface Operations {
  /** The day in New York, `YYYY-MM-DD`. */
  today: string;
  baseUrl: string;
  /**
   * The output of an operation.
   *
   * @throws {ServiceError} As {@link perform}.
   * @throws The signal's reason once it is aborted.
   */
  run<O extends z.ZodType>(
    operation: Operation & { output: O },
    input: Record<string, unknown>,
  ): Promise<z.output<O>>;
}

/** A carrier that a search found. */
export type Found = z.infer<typeof SearchResult>;

/** What a reference leads to. */
export type Resolution =
  | { outcome: "found"; dot: number; note: string }
  | { outcome: "missing"; label: string; message: string; url: string }
  /** `exact`: they all bear the name; else they are only near it. */
  | { outcome: "several"; label: string; options: Found[]; exact: boolean };

/** Searches for names in one question at most, which bounds its cost. */
const MAX_SEARCHES = 8;
const NEAR_OPTIONS = 6;
const LEGAL_FORM = /^(?:llc|inc|incorporated|corp|corporation|co|company|ltd|limited|lp|llp|pllc)$/;
const LONG_FORMS: Readonly<Record<string, string>> = {
  incorporated: "inc",
  corporation: "corp",
  company: "co",
  limited: "ltd",
};

/** Makes {@link Operations}. */
export function openOperations({ reader, clock, baseUrl, signal }: AskDeps): Operations {
  const today = newYorkToday(clock.now());
  return {
    today,
    baseUrl,
    async run(operation, input) {
      signal?.throwIfAborted();
      const { answer } = await perform(operation, input, {
        today,
        baseUrl,
        reader,
        signal,
        finish: (output) => output,
      });
      // The operation's own type says what it answers.
      return answer as never;
    },
  };
}

/** Finds the carriers of one question. */
export class Finder {
  readonly #searched = new Map<string, Promise<Found[]>>();
  #dataDate = "";

  constructor(readonly operations: Operations) {}

  /**
   * The plan whose name a carrier bears, of those a question may mean; the first when none does.
   * Names of several carriers are left as they are.
   */
  async choose(plans: readonly Plan[]): Promise<{ plan: Plan; bearers: Found[] }> {
    const [first] = plans as [Plan];
    const bearers = new Map<string, Found>();
    let chosen: Plan | undefined;
    for (const plan of plans) {
      const names = plan.carriers.filter((ref) => ref.by === "name");
      if (names.length !== 1 || plan.carriers.length !== 1) {
        if (plan !== first && await this.#allBorne(plan)) return { plan, bearers: [] };
        continue;
      }
      const borne = await this.#bearers(names[0]!.texts[0]!);
      if (borne.length > 0) chosen ??= plan;
      for (const found of borne) bearers.set(found.dot, found);
    }
    return { plan: chosen ?? first, bearers: [...bearers.values()] };
  }

  /**
   * Finds one carrier.
   *
   * @throws {ServiceError} For anything but a carrier that is not there.
   */
  async resolve(ref: CarrierRef): Promise<Resolution> {
    switch (ref.by) {
      case "dot":
        return { outcome: "found", dot: ref.number, note: "" };
      case "docket":
        return await this.#resolveDocket(ref);
      case "name":
        return await this.#resolveName(ref.texts);
      case "choice": {
        const of = await this.resolve(ref.of!);
        if (of.outcome !== "several") return of;
        const option = of.options.at(ref.index);
        return option === undefined
          ? { ...of, exact: true }
          : { outcome: "found", dot: Number(option.dot), note: "" };
      }
    }
  }

  /** What is found for a query, the likeliest first. */
  search(text: string): Promise<Found[]> {
    const query = text.trim().split(/\s+/).slice(0, MAX_QUERY_WORDS).join(" ")
      .slice(0, MAX_QUERY_LENGTH);
    const known = this.#searched.get(query);
    if (known !== undefined) return known;
    if (this.#searched.size >= MAX_SEARCHES) return Promise.resolve([]);
    const results = this.operations.run(searchCarriers, { q: query, limit: MAX_RESULTS }).then(
      ({ results, snapshot }) => {
        this.#dataDate = snapshot.data_date;
        return results;
      },
      (error) => {
        if (error instanceof ServiceError && error.code === "invalid_query") return [];
        throw error;
      },
    );
    this.#searched.set(query, results);
    return results;
  }

  async #allBorne({ carriers }: Plan): Promise<boolean> {
    const names = carriers.filter((ref) => ref.by === "name");
    for (const { texts } of names) {
      if ((await this.#bearers(texts[0]!)).length === 0) return false;
    }
    return names.length > 1;
  }

  async #bearers(text: string): Promise<Found[]> {
    return bearersOf(text, await this.search(text));
  }

  async #resolveName(texts: readonly string[]): Promise<Resolution> {
    const label = quoted(texts[0]!);
    const bearers = new Map<string, Found>();
    for (const text of texts) {
      for (const found of await this.#bearers(text)) bearers.set(found.dot, found);
    }
    return await this.resolveAmong([...bearers.values()], texts[0]!, label);
  }

  /** The carrier that bears a name, the bearers when there are several, else those near it. */
  async resolveAmong(bearers: Found[], text: string, label = quoted(text)): Promise<Resolution> {
    const [one, ...others] = bearers;
    if (one !== undefined && others.length === 0) {
      const note = `I searched for ${label} and found ${quoted(one.name)} (USDOT ${one.dot}).`;
      return { outcome: "found", dot: Number(one.dot), note };
    }
    if (one !== undefined) return { outcome: "several", label, options: bearers, exact: true };
    const options = (await this.search(text)).slice(0, NEAR_OPTIONS);
    if (options.length > 0) return { outcome: "several", label, options, exact: false };
    const url = searchUrl(text, this.operations.baseUrl);
    const census = this.#dataDate === "" ? "" : ` of ${formatForPeople(this.#dataDate)}`;
    const message = `Cannot find ${label}: no carrier of that name in the FMCSA census${census}`;
    return { outcome: "missing", label, message, url };
  }

  async #resolveDocket(
    { prefix, number }: CarrierRef & { by: "docket" },
  ): Promise<Resolution> {
    const label = `${prefix} ${number}`;
    const url = prefix === "MC"
      ? `${this.operations.baseUrl}/api/v1/mc/${number}`
      : searchUrl(label, this.operations.baseUrl);
    const dots = await this.#holders(prefix, number);
    if (!Array.isArray(dots)) return { outcome: "missing", label, message: dots.message, url };
    const [dot, ...others] = dots;
    const also = others.length === 0
      ? ""
      : `; so do USDOT ${others.slice(0, NEAR_OPTIONS).join(", ")}, so check the name`;
    return {
      outcome: "found",
      dot: Number(dot),
      note: `USDOT ${dot} lists ${label}${also}.`,
    };
  }

  async #holders(prefix: string, number: number): Promise<string[] | { message: string }> {
    if (prefix !== "MC") {
      const found = await this.search(`${prefix} ${number}`);
      return found.length > 0 ? found.map(({ dot }) => dot) : {
        message: `Cannot find docket number ${prefix} ${number} in the FMCSA census`,
      };
    }
    try {
      const { dot, other_dots } = await this.operations.run(lookupMc, { mc: String(number) });
      return [dot, ...other_dots];
    } catch (error) {
      if (error instanceof ServiceError && error.code === "not_found") return error;
      throw error;
    }
  }
}

/**
 * The carriers that bear a name, with the place behind it if there is one: those of exactly that name
 * with its legal form, else those of that name whatever the form, else those in the place.
 */
export function bearersOf(text: string, results: readonly Found[]): Found[] {
  const words = fold(text);
  const typed = words.map((word) => LONG_FORMS[word] ?? word).join("");
  const wanted = meaning(words);
  const names = (found: Found): string[] => [found.name, found.dba_name ?? ""];
  const whole = results.filter((found) =>
    names(found).some((name) => meaning(fold(name)) === wanted)
  );
  if (words.some((word) => LEGAL_FORM.test(word))) {
    const same = whole.filter((found) =>
      names(found).some((name) =>
        fold(name).map((word) => LONG_FORMS[word] ?? word).join("") === typed
      )
    );
    if (same.length > 0) return same;
    // Another legal form may be another company; none on file is not.
    const formless = whole.filter((found) =>
      names(found).some((name) => !fold(name).some((word) => LEGAL_FORM.test(word)))
    );
    if (whole.length > 0) return formless.length === whole.length ? formless : [];
  }
  if (whole.length > 0) return whole;
  const there = results.filter((found) =>
    names(found).some((name) => name !== "" && isNameAndPlace(words, name, found))
  );
  return there;
}

function isNameAndPlace(words: readonly string[], name: string, { city, state }: Found): boolean {
  const own = meaning(fold(name));
  for (let end = words.length - 1; end >= 1; end--) {
    const place = words.slice(end);
    const lead = /^(?:in|of|at|near|from|out)$/.test(words[end - 1] ?? "") ? 1 : 0;
    if (meaning(words.slice(0, end - lead)) !== own) continue;
    if (isPlace(place.filter((word) => !/^(?:in|of|at|near|from|out)$/.test(word)), city, state)) {
      return true;
    }
  }
  return false;
}

function isPlace(words: readonly string[], city: string, state: string): boolean {
  const joined = words.join(" ");
  const cityWords = fold(city).join(" ");
  const code = state.toLowerCase();
  if (joined === "" || cityWords === "" && code === "") return false;
  const isState = (text: string): boolean => text !== "" && (stateCode(text) ?? text) === code;
  return joined === cityWords || isState(joined) ||
    joined.startsWith(`${cityWords} `) && isState(joined.slice(cityWords.length + 1));
}

/** Address of a search in this API. */
export function searchUrl(query: string, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers?q=${encodeURIComponent(query.toWellFormed())}`;
}

/** A carrier as an option to choose. */
export function optionOf({ name, city, state, dot, active }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${quoted(name)}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}${
    active ? "" : ", not active"
  })`;
}
