/**
 * The store that publishers write to, as the simulation models it: consistent, with a pointer that is
 * moved by compare-and-swap, and a history of all its moves.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { Pointer } from "../../pipeline/snapshot/manifest.ts";
import { jsonBytes, type Objects, putSnapshot, record } from "../pipeline/snapshot/memory.ts";

/** A move of the pointer. */
export interface Move {
  sequence: number;
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** An object with its validator and when it was written. */
export interface Stored {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  at: number;
}

/** What the n-th build made, once for all seeds. */
const BUILT = new Map<number, Objects>();

/** Numbers that carriers have in some snapshot. */
export const DOTS = [5, 7, 105, 205, 305];

/** The carriers of the n-th build: some come and go, so that shards do too. */
export function dotsOf(n: number): number[] {
  return DOTS.filter((dot) => dot <= 105 || (dot + n) % 3 !== 0);
}

/** The holder of docket MC 1 in the n-th build. */
export function holderOf(n: number): number {
  return 100_000 + n;
}

/** The objects of the n-th build, its pointer among them; every record says which build it is of. */
export function built(n: number): Objects {
  let objects = BUILT.get(n);
  if (objects === undefined) {
    objects = new Map();
    const carriers = dotsOf(n).map((dot) =>
      record(dot, { legal_name: `NAME g${n}`, city: `CITY g${n}` })
    );
    putSnapshot(objects, { id: `g${n}`, carriers, dockets: { MC: { 1: [holderOf(n)] } } });
    BUILT.set(n, objects);
  }
  return objects;
}

/** The store. */
export class Origin {
  readonly moves: Move[] = [];
  readonly objects = new Map<string, Stored>();
  readonly #clock: Clock;
  #writes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(path: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.objects.set(path, { bytes, etag: `"${++this.#writes}"`, at: this.#clock.now() });
  }

  /** The validator to move the pointer by, null before the first move. */
  get pointerTag(): string | null {
    return this.objects.get("current.json")?.etag ?? null;
  }

  /** Moves the pointer to the n-th build, unless somebody else moved it since `tag` was read. */
  move(n: number, tag: string | null): boolean {
    if (this.pointerTag !== tag) return false;
    const built_ = JSON.parse(new TextDecoder().decode(built(n).get("current.json"))) as Pointer;
    const at = this.#clock.now();
    const sequence = this.moves.length + 1;
    this.moves.push({ sequence, id: built_.snapshot, at });
    const published_at = new Date(at).toISOString();
    this.put("current.json", jsonBytes({ ...built_, sequence, published_at }));
    return true;
  }

  /** Whether all objects of the n-th build are there. */
  holds(n: number): boolean {
    return [...built(n).keys()].every((path) => this.objects.has(path));
  }
}
