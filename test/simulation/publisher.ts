/**
 * Publishers and the store they write to, as the simulation models them. The store is consistent: its pointer
 * moves by compare-and-swap, and it records the moves. A build follows the snapshot that is current when
 * it begins. Publishing writes the objects first, with the manifest last, and then the pointer.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { keptOf, type PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import type { Keeps } from "../../pipeline/snapshot/manifest.ts";
import { POINTER_PATH } from "../../pipeline/snapshot/paths.ts";
import { jsonBytes, type Objects, putSnapshot, record } from "../pipeline/snapshot/memory.ts";
import type { VirtualTime } from "../pipeline/virtual_time.ts";
import type { Random } from "../synthetic/random.ts";

/** A move of the pointer. */
export interface Move {
  sequence: number;
  id: string;
  /** The data date. */
  day: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** An object with its validator and the time it was written. */
export interface Stored {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  at: number;
}

/** The retention of old snapshots: longer than that of withdrawn ones. */
export const KEEPS: Keeps = { days: 9, month_ends: 0 };

/** The result of a build. */
interface Built {
  objects: Objects;
  /** The chain up to and including this snapshot. */
  chain: readonly PastSnapshot[];
}

/** Numbers of carriers in at least one snapshot. */
export const DOTS = [5, 7, 105, 205, 305];

/** The carriers of the n-th build. Some come and go, so that shards do too. */
export function dotsOf(n: number): number[] {
  return DOTS.filter((dot) => dot <= 105 || (dot + n) % 3 !== 0);
}

/** The holder of docket MC 1 in the n-th build. */
export function holderOf(n: number): number {
  return 100_000 + n;
}

/** The number of a build, from the id of its snapshot. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}

/** The n-th build; every record contains n. */
function build(n: number, { past, day }: { past: readonly PastSnapshot[]; day: string }): Built {
  const said = { legal_name: `NAME g${n}`, city: `CITY g${n}` };
  const carriers = dotsOf(n).map((dot) => record(dot, said));
  const objects: Objects = new Map();
  const dockets = { MC: { 1: [holderOf(n)] } };
  const more = { dataDate: day, past, keeps: KEEPS };
  const chain = putSnapshot(objects, { id: `g${n}`, carriers, dockets, ...more });
  return { objects, chain };
}

/** The store. */
export class OriginStore {
  readonly moves: Move[] = [];
  readonly objects = new Map<string, Stored>();
  readonly #built = new Map<number, Built>();
  #writes = 0;

  constructor(readonly clock: Clock) {}

  put(path: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.objects.set(path, { bytes, etag: `"${++this.#writes}"`, at: this.clock.now() });
  }

  /** The validator for moving the pointer; undefined before the first move. */
  get pointerTag(): string | undefined {
    return this.objects.get(POINTER_PATH)?.etag;
  }

  /** Makes the n-th build, dated today. */
  build(n: number, past: readonly PastSnapshot[]): void {
    const day = new Date(this.clock.now()).toISOString().slice(0, 10);
    this.#built.set(n, build(n, { past, day }));
  }

  /** The chain up to a build; empty without one. */
  chainOf(n: number | undefined): readonly PastSnapshot[] {
    return n === undefined ? [] : this.#built.get(n)!.chain;
  }

  /** The paths of the n-th build's objects below `s/`, in the order in which they are written. */
  pathsOf(n: number): string[] {
    return [...this.#built.get(n)!.objects.keys()].filter((path) => path !== POINTER_PATH);
  }

  /** Writes one of these objects. */
  upload(n: number, path: string): void {
    this.put(path, this.#built.get(n)!.objects.get(path)!);
  }

  /** Moves the pointer to the n-th build, unless it moved since `tag` was read. */
  move(n: number, tag: string | undefined): boolean {
    if (this.pointerTag !== tag) return false;
    const { objects } = this.#built.get(n)!;
    const pointer = JSON.parse(new TextDecoder().decode(objects.get(POINTER_PATH)));
    const at = this.clock.now();
    const sequence = this.moves.length + 1;
    this.moves.push({ sequence, id: pointer.snapshot, day: pointer.data_date, at });
    const published_at = new Date(at).toISOString();
    this.put(POINTER_PATH, jsonBytes({ ...pointer, sequence, published_at }));
    return true;
  }
}

/** Rules that a mutant breaks. */
export interface PublisherRules {
  /** The pointer moves before the objects exist. */
  pointerFirst?: boolean;
  /** Recently replaced snapshots may be deleted immediately. */
  deletesAtOnce?: boolean;
  /** Old snapshots are deleted although the pointer promises to keep them. */
  forgetsChain?: boolean;
  /** A build follows the one before it, even if that was withdrawn or never published. */
  followsLastBuild?: boolean;
}

const KEPT_MS = 7 * 86_400_000;
const KEPT_SNAPSHOTS = 3;

/** A publisher; `purge` notifies the CDN of a pointer move. */
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
    /** Publishes the n-th build, unless it is killed on the way or another publisher is faster. */
    async publish(n: number, { dies }: { dies: number }): Promise<void> {
      const tag = origin.pointerTag;
      const current = origin.moves.at(-1)?.id;
      const isFirst = n === 0 || current === undefined;
      const before = rules.followsLastBuild ? n - 1 : numberOf(current ?? "g0");
      origin.build(n, origin.chainOf(isFirst ? undefined : before));
      if (rules.pointerFirst) move(n, tag);
      for (const path of origin.pathsOf(n)) {
        await time.sleep(random.below(400));
        if (random.chance(dies)) return;
        origin.upload(n, path);
      }
      await time.sleep(random.below(3_000));
      if (random.chance(dies) || rules.pointerFirst) return;
      move(n, tag);
    },

    /** Points at the previous snapshot again, if it is complete. */
    rollBack(): void {
      const current = origin.moves.at(-1)?.id;
      const previous = origin.moves.findLast(({ id }) => id !== current);
      if (previous === undefined) return;
      const n = numberOf(previous.id);
      if (origin.pathsOf(n).every((path) => origin.objects.has(path))) move(n, origin.pointerTag);
    },

    /**
     * Deletes snapshots that no reader needs: not named by the pointer now or before, not retained by its chain,
     * not recent, and not among the last ones.
     */
    async collect(): Promise<void> {
      const current = origin.moves.at(-1)?.id;
      const previous = origin.moves.findLast(({ id }) => id !== current)?.id;
      const kept = new Set(
        [current, previous].flatMap((id) =>
          keptOf(origin.chainOf(id === undefined ? id : numberOf(id)), KEEPS)
        )
          .map(({ id }) => id),
      );
      const ids = [...new Set(origin.moves.toReversed().map(({ id }) => id))];
      for (const id of ids.slice(rules.deletesAtOnce ? 0 : KEPT_SNAPSHOTS)) {
        const named = origin.moves.findLast((move) => move.id === id)!;
        // A snapshot is needed for some time after the pointer moved away from it.
        const left = origin.moves.find(({ sequence }) => sequence > named.sequence)?.at ?? Infinity;
        if (!rules.deletesAtOnce && time.now() - left < KEPT_MS) continue;
        if (!rules.deletesAtOnce && !rules.forgetsChain && kept.has(id)) continue;
        for (const path of origin.pathsOf(numberOf(id))) {
          await time.sleep(random.below(50));
          origin.objects.delete(path);
        }
      }
    },
  };
}
