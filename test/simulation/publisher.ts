/**
 * What a publisher does, by the rules of publishing: objects first, the manifest last of them, then
 * the pointer by compare-and-swap; a way back; and what may be deleted when.
 *
 * @module
 */

import type { VirtualTime } from "../pipeline/virtual_time.ts";
import type { Random } from "../synthetic/random.ts";
import { built, type Origin } from "./origin.ts";

/** Rules that a mutant breaks. */
export interface PublisherRules {
  /** The pointer is moved before the objects are there. */
  pointerFirst?: boolean;
  /** What the pointer named lately may be deleted at once. */
  deletesAtOnce?: boolean;
}

/** What a publisher works with. */
export interface PublisherParts {
  time: VirtualTime;
  random: Random;
  origin: Origin;
  /** Tells the CDN that the pointer moved. */
  purge: () => void;
  rules: PublisherRules;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;
const KEPT_SNAPSHOTS = 3;

/** Publishes, goes back and deletes. */
export class Publisher {
  readonly #parts: PublisherParts;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  /** Publishes the n-th build, unless it is killed on the way or somebody else was quicker. */
  async publish(n: number, { dies }: { dies: number }): Promise<void> {
    const { time, random, origin, rules } = this.#parts;
    const tag = origin.pointerTag;
    if (rules.pointerFirst) this.#move(n, tag);
    const paths = [...built(n).keys()].filter((path) => path !== "current.json");
    for (const path of paths) {
      await time.sleep(random.below(400));
      if (random.chance(dies)) return;
      origin.put(path, built(n).get(path)!);
    }
    await time.sleep(random.below(3_000));
    if (random.chance(dies) || rules.pointerFirst) return;
    this.#move(n, tag);
  }

  /** Points at the snapshot before the current one again. */
  rollBack(): void {
    const { origin } = this.#parts;
    const current = origin.moves.at(-1)?.id;
    const before = origin.moves.findLast(({ id }) => id !== current);
    if (before === undefined || !origin.holds(numberOf(before.id))) return;
    this.#move(numberOf(before.id), origin.pointerTag);
  }

  /** Deletes snapshots that nobody needs: not named by the pointer now or before, not young, not among the last. */
  async collect(): Promise<void> {
    const { time, random, origin, rules } = this.#parts;
    const ids = [...new Set(origin.moves.toReversed().map(({ id }) => id))];
    const kept = rules.deletesAtOnce ? 0 : KEPT_SNAPSHOTS;
    for (const id of ids.slice(kept)) {
      const named = origin.moves.findLast((move) => move.id === id)!;
      // A snapshot is needed until some time after another one was pointed at.
      const left = origin.moves.find(({ sequence }) => sequence > named.sequence)?.at ?? Infinity;
      if (!rules.deletesAtOnce && time.now() - left < KEPT_MS) continue;
      for (const path of built(numberOf(id)).keys()) {
        if (path === "current.json") continue;
        await time.sleep(random.below(50));
        origin.objects.delete(path);
      }
    }
  }

  #move(n: number, tag: string | null): void {
    const { origin, purge } = this.#parts;
    if (origin.move(n, tag)) purge();
  }
}

/** The number of a build by the id of its snapshot. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}
