/**
 * Counts what shards hold, to compare with what the manifest says they hold.
 *
 * @module
 */

import type { Manifest } from "./manifest.ts";
import type { CarrierShard, DocketShard } from "./shards.ts";

/** Counts of all shards read so far. */
export class Tally {
  readonly counts: Manifest["counts"] = {
    carriers: 0,
    active: 0,
    inactive: 0,
    pending: 0,
    dockets: 0,
    inspections: 0,
    carriers_inspected: 0,
  };
  #bytes = { carriers: 0, dockets: 0 };
  #search = { objects: 0, bytes: 0 };
  #docketNumbers = 0;
  #indexedDockets = 0;
  // Sums of hashes: equal when records and index hold the same pairs of docket and carrier.
  #recordPairs = 0;
  #indexPairs = 0;

  addBytes(family: keyof Manifest["families"], bytes: number): void {
    this.#bytes[family] += bytes;
  }

  addSearchFile(bytes: number): void {
    this.#search.objects++;
    this.#search.bytes += bytes;
  }

  addCarriers(records: CarrierShard): void {
    const { counts } = this;
    for (const { dot, status, dockets = [], inspections } of records) {
      counts.carriers++;
      if (status === "A") counts.active++;
      else if (status === "I") counts.inactive++;
      else counts.pending++;
      counts.dockets += dockets.length;
      counts.inspections += inspections?.total ?? 0;
      if (inspections) counts.carriers_inspected++;
      for (const { prefix, number } of dockets) {
        this.#recordPairs = (this.#recordPairs + pairHash(prefix, number, dot)) >>> 0;
      }
    }
  }

  addDockets(shard: DocketShard): void {
    for (const [prefix, numbers] of Object.entries(shard)) {
      for (const [number, dots] of Object.entries(numbers)) {
        this.#docketNumbers++;
        this.#indexedDockets += dots.length;
        for (const dot of dots) {
          this.#indexPairs = (this.#indexPairs + pairHash(prefix, Number(number), dot)) >>> 0;
        }
      }
    }
  }

  /** Where the counts are not those of the manifest, in words. */
  compare(manifest: Manifest): string[] {
    const { carriers, dockets } = manifest.families;
    const expected: [what: string, found: number, said: number][] = [
      ...Object.entries(this.counts).map(([name, count]) =>
        [`counts.${name}`, count, manifest.counts[name as keyof Manifest["counts"]]] as [
          string,
          number,
          number,
        ]
      ),
      ["families.carriers.items", this.counts.carriers, carriers.items],
      ["families.carriers.bytes", this.#bytes.carriers, carriers.bytes],
      ["families.dockets.items", this.#docketNumbers, dockets.items],
      ["families.dockets.bytes", this.#bytes.dockets, dockets.bytes],
      ["search.objects", this.#search.objects, manifest.search?.objects ?? 0],
      ["search.bytes", this.#search.bytes, manifest.search?.bytes ?? 0],
    ];
    const problems = expected.filter(([, found, said]) => found !== said)
      .map(([what, found, said]) => `The manifest's ${what} is ${said}, the shards hold ${found}`);
    if (this.#indexedDockets !== this.counts.dockets || this.#recordPairs !== this.#indexPairs) {
      problems.push("The docket index does not hold the dockets of the carrier records");
    }
    return problems;
  }
}

function pairHash(prefix: string, number: number, dot: number): number {
  let hash = Math.imul(number, 0x9e3779b1) ^ Math.imul(dot, 0x85ebca6b);
  for (let i = 0; i < prefix.length; i++) hash = Math.imul(hash ^ prefix.charCodeAt(i), 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) >>> 0;
}
