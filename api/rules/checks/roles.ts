/**
 * What a carrier filed about the part it plays (CARSHIP and CLASSDEF of the census).
 *
 * @module
 */
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";

/** The class whose carriers need operating authority; always quoted, never said of a carrier. */
export const FOR_HIRE_CLASS = "AUTHORIZED FOR HIRE";

const ROLE_WORDS: Readonly<Record<string, string>> = {
  C: "carrier",
  S: "shipper",
  B: "broker",
  R: "registrant",
  F: "freight forwarder",
  I: "intermodal equipment provider",
  T: "cargo tank facility",
};

/** Whether the census lists one of the roles; false as well when it lists none. */
export function hasRole({ roles }: CarrierRecord, ...letters: string[]): boolean {
  return roles !== undefined && letters.some((letter) => roles.includes(letter));
}

/** Whether the census lists roles and none of these is among them. */
export function lacksRole(record: CarrierRecord, ...letters: string[]): boolean {
  return record.roles !== undefined && record.roles.length > 0 && !hasRole(record, ...letters);
}

/** The roles for people: `broker and freight forwarder`. Letters not known are left out. */
export function roleWords({ roles = [] }: CarrierRecord): string {
  const words = roles.flatMap((letter) => ROLE_WORDS[letter] ?? []);
  return words.length === 0
    ? "something else than a carrier"
    : [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");
}
