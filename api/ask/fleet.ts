/**
 * How many vehicles a question speaks of, and which years.
 *
 * @module
 */

import { readCount } from "./counts.ts";
import type { Reading } from "./reading.ts";
import type { Year } from "./understanding.ts";

/** Vehicles and years of a question. */
export interface Fleet {
  vehicles?: number;
  /** A range, or "more than": which fee it is cannot be told. */
  unsure: boolean;
  years: Year[];
  /** Tokens that are taken and name no carrier. */
  used: ReadonlySet<number>;
}

const RELATIVE: ReadonlySet<string> = new Set(["this", "next", "last"]);
const PLACEHOLDERS = /^(?:heavy|duty|commercial|motor|power|registered|total|active|more|big)$/;
// USDOT numbers of this length and more are usual, fleets of that size are not.
const CARRIER_DIGITS = 6;
const LARGEST = 9_999_999;

/**
 * Reads the fleet.
 *
 * @param reading The question.
 * @param about Whether it is about UCR fees, so that a number without a noun can be a fleet.
 */
export function readFleet(reading: Reading, about: boolean): Fleet {
  const { tokens } = reading;
  const used = new Set<number>();
  const counts: number[] = [];
  const years: Year[] = [];
  let unsure = false;
  for (let at = 0; at < tokens.length; at++) {
    const count = used.has(at) ? null : readCount(tokens, at);
    if (count !== null) {
      const noun = nounAfter(reading, count.to);
      const second = noun < 0 ? rangeEnd(reading, count.to) : -1;
      const after = /^fleet$|^size$/.test(reading.word(at - 2)) && reading.word(at - 1) === "of";
      if (noun >= 0 || second >= 0 || after) {
        const end = Math.max(noun + 1, second + 1, count.to);
        for (let i = at; i < end; i++) used.add(i);
        if (reading.is(noun, "trailer")) continue;
        counts.push(count.value);
        if (second >= 0 || reading.is(at - 1, "count_unsure") || count.value > LARGEST) {
          unsure = true;
        }
        at = end - 1;
        continue;
      }
    }
    const word = reading.word(at);
    // "truck 12" is a name the fleet gives it.
    if (reading.is(at - 1, "vehicle") && word.length < CARRIER_DIGITS && count !== null && !about) {
      used.add(at);
    }
    if ((word === "no" || word === "without") && nounAfter(reading, at + 1) >= 0) counts.push(0);
    if (RELATIVE.has(word) && reading.word(at + 1) === "year") years.push(word as Year);
    if (isYear(reading, at, about)) {
      years.push(Number(word));
      used.add(at);
    }
  }
  if (about && counts.length === 0) {
    const loose = looseCount(reading, used);
    if (loose !== null) counts.push(loose);
  }
  const sum = counts.reduce((total, count) => total + count, 0);
  return {
    ...(counts.length === 0 || unsure ? {} : { vehicles: sum }),
    unsure,
    years: [...new Set(years)],
    used,
  };
}

/** Where the vehicles' noun ends after a count: `12 heavy trucks`; -1 where there is none. */
function nounAfter(reading: Reading, from: number): number {
  let at = from;
  while (at < from + 2 && PLACEHOLDERS.test(reading.word(at)) && !isNoun(reading, at)) at++;
  if (!isNoun(reading, at)) return -1;
  return reading.spans[at]!.to - 1;
}

function isNoun(reading: Reading, at: number): boolean {
  return reading.is(at, "vehicle", "trailer");
}

/** `10 to 20 trucks`, `3-5 trucks`, `2 or 3 trucks`: the token before the noun, else -1. */
function rangeEnd(reading: Reading, from: number): number {
  const at = /^(?:to|or|and|through)$/.test(reading.word(from)) ? from + 1 : from;
  const second = readCount(reading.tokens, at);
  if (second === null || nounAfter(reading, second.to) < 0) return -1;
  return second.to - 1;
}

function isYear(reading: Reading, at: number, about: boolean): boolean {
  if (reading.tokens[at]?.kind !== "number" || !/^20\d\d$/.test(reading.word(at))) return false;
  if (reading.is(at - 1, "dot", "mc", "docket", "number")) return false;
  return about || /^(?:in|year)$/.test(reading.word(at - 1));
}

/** A short number without a noun: `UCR for 5`. */
function looseCount(reading: Reading, used: Set<number>): number | null {
  for (let at = 0; at < reading.tokens.length; at++) {
    if (used.has(at) || reading.spans[at] !== null && reading.tokens[at]?.kind === "number") {
      continue;
    }
    if (reading.is(at - 1, "dot", "mc", "docket", "number", "firms", "broker")) continue;
    const count = readCount(reading.tokens, at);
    if (count === null || String(count.value).length >= CARRIER_DIGITS) continue;
    if (reading.tokens[at]!.kind !== "number" && reading.word(at) === "one") continue;
    for (let i = at; i < count.to; i++) used.add(i);
    return count.value;
  }
  return null;
}
