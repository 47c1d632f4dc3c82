/**
 * Who is inspected how often, and in which order.
 *
 * @module
 */

import { carrierFacts, inspectionWeight } from "./carrier.ts";
import type { Country } from "./plan.ts";
import { Random } from "./random.ts";

/** The share of all inspections the busiest carrier may have (26,709 of 8.2 million). */
const LARGEST_SHARE = 0.00326;

/**
 * The carrier index of every inspection, in file order: 4 bytes an inspection, so 33 MB for the country.
 * Every carrier that is ever inspected appears at least once if there are inspections enough.
 */
export function planInspections(country: Country): Uint32Array {
  const slots = new Uint32Array(country.inspections);
  if (slots.length === 0) return slots;
  const { inspected, weights } = weigh(country);
  const once = slots.length >= 2 * inspected.length ? 1 : 0;
  const spread = slots.length - once * inspected.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const limit = Math.max(1, Math.floor(LARGEST_SHARE * slots.length));
  let at = 0;
  let cumulative = 0;
  let given = 0;
  for (let i = 0; i < inspected.length; i++) {
    cumulative += weights[i] as number;
    const upTo = Math.round((spread * cumulative) / total);
    const count = Math.min(limit, once + upTo - given);
    given = upTo;
    slots.fill(inspected[i] as number, at, at + count);
    at += count;
  }
  // What the limit cut off goes around, one each.
  for (let i = 0; at < slots.length; i++) slots[at++] = inspected[i % inspected.length] as number;
  shuffle(slots, country.seed);
  return slots;
}

function weigh(country: Country): { inspected: Uint32Array; weights: Float32Array } {
  let size = 0;
  let inspected = new Uint32Array(1024);
  let weights = new Float32Array(1024);
  for (let index = 0; index < country.carriers; index++) {
    const weight = inspectionWeight(country, carrierFacts(country, index));
    if (weight === 0) continue;
    if (size === inspected.length) {
      const largerInspected = new Uint32Array(size * 2);
      const largerWeights = new Float32Array(size * 2);
      largerInspected.set(inspected);
      largerWeights.set(weights);
      inspected = largerInspected;
      weights = largerWeights;
    }
    inspected[size] = index;
    weights[size++] = weight;
  }
  if (size === 0) return { inspected: new Uint32Array(1), weights: new Float32Array(1).fill(1) };
  return { inspected: inspected.subarray(0, size), weights: weights.subarray(0, size) };
}

function shuffle(slots: Uint32Array, seed: number): void {
  const random = new Random().restart(seed, 0, 9);
  for (let i = slots.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const other = slots[j] as number;
    slots[j] = slots[i] as number;
    slots[i] = other;
  }
}
