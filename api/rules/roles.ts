/**
 * The roles that a carrier filed, in words.
 *
 * @module
 */
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { listed } from "../../pipeline/text.ts";

const ROLE_WORDS: Readonly<Record<string, string>> = {
  C: "carrier",
  S: "shipper",
  B: "broker",
  R: "registrant",
  F: "freight forwarder",
  I: "intermodal equipment provider",
  T: "cargo tank facility",
};

/** Whether the census lists one of the roles; false too when it lists no role at all. */
export function hasRole({ roles }: CarrierRecord, ...letters: string[]): boolean {
  return roles !== undefined && letters.some((letter) => roles.includes(letter));
}

/** Whether the census lists roles and none of these is among them. */
export function lacksRole(record: CarrierRecord, ...letters: string[]): boolean {
  return record.roles !== undefined && record.roles.length > 0 && !hasRole(record, ...letters);
}

/** A role for people; a letter that FMCSA does not publish is kept. */
export function roleWord(letter: string): string {
  return ROLE_WORDS[letter] ?? `unknown (${letter})`;
}

/** The roles for people: `broker and freight forwarder`. Unknown letters are left out. */
export function roleWords({ roles = [] }: CarrierRecord): string {
  const words = roles.flatMap((letter) => ROLE_WORDS[letter] ?? []);
  return words.length === 0 ? "something else than a carrier" : listed(words);
}
