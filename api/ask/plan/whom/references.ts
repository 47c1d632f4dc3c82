/**
 * A carrier as a question names it: by number, by name, or as an option listed before.
 *
 * @module
 */

import { quoted } from "../../../../pipeline/text.ts";
import type { Sought } from "../../entities/sought.ts";
import type { TypedName } from "../../entities/names.ts";
import type { NumberEntity } from "../../entities/number_entity.ts";

type NumberRef =
  /** `bare` when no word says that it is a USDOT number. */
  | { readonly by: "dot"; readonly number: number; readonly bare?: boolean }
  | { readonly by: "docket"; readonly prefix: "MC" | "MX" | "FF"; readonly number: number };

export type CarrierRef =
  | NumberRef
  /** `exists` when a carrier has the name. */
  | { readonly by: "name"; readonly exists?: boolean | undefined } & TypedName
  /** One of the options for `of`, counted from 0; -1 is the last. If `only`, it is meant where there are no others. */
  | {
    readonly by: "choice";
    readonly of: CarrierRef | SearchList | null;
    readonly index: number;
    readonly only?: boolean;
  };

/** The carriers that a search lists, of one status only where it asks for that. */
export interface SearchList {
  readonly by: "list";
  readonly sought: Sought;
  readonly status?: "active" | "inactive" | undefined;
  /** The place of which carriers are listed if none is in the place that is sought. */
  readonly wider?: string;
}

export function isNumbered(ref: CarrierRef): ref is NumberRef {
  return ref.by === "dot" || ref.by === "docket";
}

/** Whether it is a number, or a name that a carrier has. */
export function isGivenCarrier(ref: CarrierRef): boolean {
  return isNumbered(ref) || ref.by === "name" && ref.exists === true;
}

/** Whether it is words that may be no name. */
export function isGuess(ref: CarrierRef): boolean {
  return ref.by === "name" && ref.marked === false;
}

export function distinct(refs: readonly CarrierRef[]): CarrierRef[] {
  return [...new Map(refs.map((ref) => [refName(ref), ref])).values()];
}

export function refOf({ role, prefix = "MC", value, bare = false }: NumberEntity): CarrierRef {
  if (role === "docket") return { by: "docket", prefix, number: value };
  return { by: "dot", number: value, ...(bare ? { bare } : {}) };
}

/** A name in a question as a carrier. */
export function nameRef(
  { text, name, place, exists }: Omit<CarrierRef & { by: "name" }, "by" | "marked">,
): CarrierRef & { by: "name" } {
  return { by: "name", text, name, place, marked: true, exists };
}

export function refName(ref: CarrierRef): string {
  if (ref.by === "dot") return `USDOT ${ref.number}`;
  if (ref.by === "docket") return `${ref.prefix} ${ref.number}`;
  return ref.by === "name" ? quoted(ref.text, 200) : "one of the carriers listed before";
}

export function carrierUrl(dot: string | number, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers/${dot}`;
}

export function searchUrl(query: string, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers?q=${encodeURIComponent(query.toWellFormed())}`;
}

export function refUrl(ref: NumberRef, baseUrl: string): string {
  if (ref.by === "dot") return carrierUrl(ref.number, baseUrl);
  return `${baseUrl}/api/v1/dockets/${ref.prefix}-${ref.number}`;
}
