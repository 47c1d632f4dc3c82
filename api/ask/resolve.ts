/**
 * From a carrier as a question names it to a USDOT number.
 *
 * @module
 */

import { fold, meaning } from "../../pipeline/search/fold.ts";
import { ServiceError } from "../operations/errors.ts";
import { lookupMc } from "../operations/lookup_mc.ts";
import { searchCarriers, type SearchResult } from "../operations/search_carriers.ts";
import type { z } from "zod";
import type { Desk } from "./run.ts";
import type { Elicitation } from "./schemas.ts";
import type { CarrierRef } from "./understanding.ts";
import { refName } from "./wording.ts";

/** A carrier that was found. */
export interface Resolved {
  outcome: "found";
  ref: CarrierRef;
  dot: number;
  /** What has to be told about how it was found; empty for nothing. */
  note: string;
}

/** A carrier that nobody has; `url` is where that can be checked. */
export interface Missing {
  outcome: "missing";
  ref: CarrierRef;
  message: string;
  url: string;
}

/** What a name led to. */
export type Resolution = Resolved | Missing | { outcome: "ambiguous"; elicitation: Elicitation };

type Found = z.infer<typeof SearchResult>;

const CANDIDATES = 6;

/**
 * Finds the carrier.
 *
 * @throws {ServiceError} For anything but a carrier that is not there.
 */
export async function resolve(ref: CarrierRef, desk: Desk): Promise<Resolution> {
  if (ref.by === "dot") return { outcome: "found", ref, dot: ref.number, note: "" };
  return ref.by === "mc" ? await resolveMc(ref, desk) : await resolveName(ref, desk);
}

/** Address of a search in this API. */
export function searchUrl(query: string, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers?q=${encodeURIComponent(query.toWellFormed())}`;
}

async function resolveMc(ref: CarrierRef & { by: "mc" }, desk: Desk): Promise<Resolution> {
  try {
    const { dot, other_dots } = await desk.run(lookupMc, { mc: String(ref.number) });
    const others = other_dots.slice(0, CANDIDATES).map((other) => `USDOT ${other}`).join(", ");
    const note = `${refName(ref)} is listed by USDOT ${dot}${
      others === "" ? "" : `, which goes first, and by ${others}`
    }.`;
    return { outcome: "found", ref, dot: Number(dot), note };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    const url = `${desk.baseUrl}/api/v1/mc/${ref.number}`;
    return { outcome: "missing", ref, message: error.message, url };
  }
}

async function resolveName(ref: CarrierRef & { by: "name" }, desk: Desk): Promise<Resolution> {
  const { name } = ref;
  const url = searchUrl(name, desk.baseUrl);
  const answer = await desk.run(searchCarriers, { q: name, limit: CANDIDATES }).catch((error) => {
    if (error instanceof ServiceError && error.code === "invalid_query") return error;
    throw error;
  });
  if (answer instanceof ServiceError) {
    const message = `Cannot search for ${refName(ref)}: ${answer.message}`;
    return { outcome: "missing", ref, message, url };
  }
  const { results, snapshot } = answer;
  const pool = inPlace(results, name);
  const same = pool.filter((found) => isCalled(found, name));
  const chosen = pool.length === 1 ? pool[0] : same.length === 1 ? same[0] : undefined;
  if (chosen !== undefined) {
    const note = `Searched for ${refName(ref)}: ${chosen.name} (USDOT ${chosen.dot}).`;
    return { outcome: "found", ref, dot: Number(chosen.dot), note };
  }
  if (pool.length === 0) {
    const message = `Cannot find ${
      refName(ref)
    }: no carrier of that name in the census of ${snapshot.data_date}`;
    return { outcome: "missing", ref, message, url };
  }
  const text = `Which ${refName(ref)} do you mean?`;
  const options = pool.map(label);
  const question = { id: "carrier", text, type: "single_select" as const, options };
  return { outcome: "ambiguous", elicitation: { text, questions: [question] } };
}

/** Those in a city that the name speaks of; all where it speaks of none. */
function inPlace(results: readonly Found[], name: string): readonly Found[] {
  const words = ` ${fold(name).join(" ")} `;
  const there = results.filter(({ city }) => {
    const folded = fold(city).join(" ");
    return folded !== "" && words.includes(` ${folded} `);
  });
  return there.length > 0 ? there : results;
}

function isCalled(found: Found, name: string): boolean {
  const wanted = meaning(fold(name.replace(/ (?:in|near|at|from) .*$/i, "")));
  return [found.name, found.dba_name ?? ""].some((own) => meaning(fold(own)) === wanted);
}

function label({ name, city, state, dot }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${name}${place === "" ? "" : `, ${place}`} (USDOT ${dot})`;
}
