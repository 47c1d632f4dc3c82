/**
 * Publishers and the store they write to, as the simulation models them. The store is consistent, with a
 * pointer that is moved by compare-and-swap and a history of its moves; publishing writes the objects
 * first, the manifest last of them, then the pointer.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { POINTER_PATH } from "../../pipeline/snapshot/manifest.ts";
import { jsonBytes, type Objects, putSnapshot, record } from "../pipeline/snapshot/memory.ts";
import type { VirtualTime } from "../pipeline/virtual_time.ts";
import type { Random } from "../synthetic/random.ts";

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

/** The number of a build by the id of its snapshot. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}

/** The objects of the n-th build below `s/`; every record says which build it is of. */
function built(n: number): Objects {
  let objects = BUILT.get(n);
  if (objects === undefined) {
    const said = { legal_name: `NAME g${n}`, city: `CITY g${n}` };
    const carriers = dotsOf(n).map((dot) => record(dot, said));
    BUILT.set(n, objects = new Map());
    putSnapshot(objects, { id: `g${n}`, carriers, dockets: { MC: { 1: [holderOf(n)] } } });
  }
  return objects;
}

/** The paths of the n-th build's objects below `s/`. */
function pathsOf(n: number): string[] {
  return [...built(n).keys()].filter((path) => path !== POINTER_PATH);
}

/** The store. */
export class OriginStore {
  readonly moves: Move[] = [];
  readonly objects = new Map<string, Stored>();
  #writes = 0;

  constructor(readonly clock: Clock) {}

  put(path: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.objects.set(path, { bytes, etag: `"${++this.#writes}"`, at: this.clock.now() });
  }

  /** The validator to move the pointer by, undefined before the first move. */
  get pointerTag(): string | undefined {
    return this.objects.get(POINTER_PATH)?.etag;
  }

  /** Moves the pointer to the n-th build, unless it was moved since `tag` was read. */
  move(n: number, tag: string | undefined): boolean {
    if (this.pointerTag !== tag) return false;
    const pointer = JSON.parse(new TextDecoder().decode(built(n).get(POINTER_PATH)));
    const at = this.clock.now();
    const sequence = this.moves.length + 1;
    this.moves.push({ sequence, id: pointer.snapshot, at });
    const published_at = new Date(at).toISOString();
    this.put(POINTER_PATH, jsonBytes({ ...pointer, sequence, published_at }));
    return true;
  }
}

/** Rules that a mutant breaks. */
export interface PublisherRules {
  /** The pointer is moved before the objects are there. */
  pointerFirst?: boolean;
  /** What the pointer named lately may be deleted at once. */
  deletesAtOnce?: boolean;
}

const KEPT_MS = 7 * 86_400_000;
const KEPT_SNAPSHOTS = 3;

/** A publisher; `purge` notifies the CDN that the pointer moved. */
export function startPublisher(
  { time, random, origin, purge, rules }: {
    time: VirtualTime;
    random: Random;
    origin: OriginStore;
    purge: () => void;
    rules: PublisherRules;
  },
) {
  const move = (n: number, tag: string | undefined): void => {
    if (origin.move(n, tag)) purge();
  };
  return {
    /** Publishes the n-th build, unless it is killed on the way or another was quicker. */
    async publish(n: number, { dies }: { dies: number }): Promise<void> {
      const tag = origin.pointerTag;
      if (rules.pointerFirst) move(n, tag);
      for (const path of pathsOf(n)) {
        await time.sleep(random.below(400));
        if (random.chance(dies)) return;
        origin.put(path, built(n).get(path)!);
      }
      await time.sleep(random.below(3_000));
      if (random.chance(dies) || rules.pointerFirst) return;
      move(n, tag);
    },

    /** Points at the previous snapshot again, if it is whole. */
    rollBack(): void {
      const current = origin.moves.at(-1)?.id;
      const previous = origin.moves.findLast(({ id }) => id !== current);
      if (previous === undefined) return;
      const n = numberOf(previous.id);
      if (pathsOf(n).every((path) => origin.objects.has(path))) move(n, origin.pointerTag);
    },

    /** Deletes snapshots that no reader needs: not named by the pointer now or before, not young, not among the last. */
    async collect(): Promise<void> {
      const ids = [...new Set(origin.moves.toReversed().map(({ id }) => id))];
      for (const id of ids.slice(rules.deletesAtOnce ? 0 : KEPT_SNAPSHOTS)) {
        const named = origin.moves.findLast((move) => move.id === id)!;
        // A snapshot is needed until some time after another one was pointed at.
        const left = origin.moves.find(({ sequence }) => sequence > named.sequence)?.at ?? Infinity;
        if (!rules.deletesAtOnce && time.now() - left < KEPT_MS) continue;
        for (const path of pathsOf(numberOf(id))) {
          await time.sleep(random.below(50));
          origin.objects.delete(path);
        }
      }
    },
  };
}
