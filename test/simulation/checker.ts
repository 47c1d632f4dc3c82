/**
 * The promises to readers, checked on every answer.
 *
 * @module
 */

import type { Pointer } from "../../pipeline/snapshot/manifest.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { POINTER_TTL_MS } from "./cdn.ts";
import { DOTS, dotsOf, holderOf, KEEPS, type Move, numberOf } from "./publisher.ts";

/** A reader's question. With a day it asks for a carrier as of that day. */
export type SimulatedQuestion = "mc" | "batch" | number | { asOf: string };

/** The carrier for questions as of a day: each build has it. */
export const AS_OF_DOT = 5;

/** The outcome of a request. */
export interface SimulatedAnswer {
  question: SimulatedQuestion;
  /** The snapshot of the answer; null without an answer. */
  id: string | null;
  /** The body, or the error's code. */
  text: string;
  /** Milliseconds since the epoch. */
  begun: number;
}

/**
 * Milliseconds for which a service may still answer from the previous snapshot after the pointer moved: a minute
 * until it reads the pointer again, the time that an edge caches it, and the time of the reads.
 */
const CAUGHT_UP_MS = 60_000 + POINTER_TTL_MS + 5_000;

/** What one service has read, and must follow from then on. */
export class Witness {
  /** Sequence of the pointer that the service must have adopted: it read the pointer and its manifest completely. */
  adopted = 0;
  #adoptedId = "";
  #pending: Pointer | null = null;
  /** When reading the pointer last failed. */
  failedAt = -Infinity;

  /** Observes what the reader of the service reads. */
  watch(source: Source, now: () => number): Source {
    return {
      name: source.name,
      get: async (path, signal) => {
        const document = path === "current.json" || path.endsWith("/manifest.json");
        try {
          const bytes = await source.get(path, signal);
          if (bytes === null && document) this.failedAt = now();
          else if (bytes !== null && document) this.#read(path, bytes);
          return bytes;
        } catch (error) {
          if (document) this.failedAt = now();
          throw error;
        }
      },
    };
  }

  #read(path: string, bytes: Uint8Array): void {
    if (path === "current.json") {
      this.#pending = JSON.parse(new TextDecoder().decode(bytes)) as Pointer;
      if (this.#pending.snapshot === this.#adoptedId) this.#adopt(this.#pending);
    } else if (this.#pending !== null && path === `s/${this.#pending.snapshot}/manifest.json`) {
      this.#adopt(this.#pending);
    }
  }

  #adopt({ sequence = 0, snapshot }: Pointer): void {
    if (sequence < this.adopted) return;
    this.adopted = sequence;
    this.#adoptedId = snapshot;
  }
}

/** The state when an answer is judged. */
interface Known {
  moves: readonly Move[];
  /** {@link Witness.adopted} at the time of the request. */
  adopted: number;
  /** {@link Witness.failedAt} at the time of the answer. */
  failedAt: number;
  /** Whether the CDN's requests have no faults. */
  faultless: boolean;
}

/** The violation in an answer, or null. */
export function judge(
  answer: SimulatedAnswer,
  { moves, adopted, failedAt, faultless }: Known,
): string | null {
  const { question, id, text, begun } = answer;
  if (typeof question === "object") {
    return judgeAsOf(answer, { day: question.asOf, moves, adopted, failedAt, faultless });
  }
  if (id === null) {
    if (text !== "upstream_unavailable") return `unexpected error ${text}`;
    return faultless ? "no answer without faults" : null;
  }
  const latest = moves.findLast((move) => move.id === id);
  if (latest === undefined) return `an answer from ${id}, which was never published`;
  const mixed = wholeness(question, { n: numberOf(id), text, faultless });
  if (mixed !== null) return `${mixed} in an answer from ${id}`;
  if (latest.sequence < adopted) {
    return `an answer from ${id}, after the pointer had been seen to move (${adopted})`;
  }
  const due = moves.findLast(({ at }) => at <= begun - CAUGHT_UP_MS);
  const hasLooked = begun - failedAt > CAUGHT_UP_MS;
  if (due === undefined || !hasLooked || latest.sequence >= due.sequence) return null;
  return `an answer from ${id}, ${(begun - due.at) / 1000} s after the pointer moved to ${due.id}`;
}

/** Like {@link judge}, but replays all moves instead of trusting the snapshots' own lists. */
function judgeAsOf(
  { id, text, begun }: SimulatedAnswer,
  { day, moves, adopted, failedAt, faultless }: Known & { day: string },
): string | null {
  if (text === "upstream_unavailable") {
    return faultless ? `no answer as of ${day} without faults` : null;
  }
  const due = begun - failedAt > CAUGHT_UP_MS
    ? moves.findLast(({ at }) => at <= begun - CAUGHT_UP_MS)?.sequence ?? 0
    : 0;
  const expected = moves.filter(({ sequence }) => sequence >= Math.max(adopted, due))
    .map((move) => answerAsOf(moves.slice(0, move.sequence), day));
  if (!expected.includes(id)) return `as of ${day} ${id} instead of ${[...new Set(expected)]}`;
  const isWhole = id === null ? text === "not_kept" : text === `NAME ${id}`;
  return isWhole ? null : `as of ${day} ${text} in an answer from ${id}`;
}

/** The snapshot that answers for a day after these moves; null before the first retained one. */
function answerAsOf(moves: readonly Move[], day: string): string | null {
  const chain: Move[] = [];
  for (const move of moves) {
    const at = chain.findIndex(({ id }) => id === move.id);
    // A move back within the chain, or to the next snapshot.
    if (at >= 0) chain.length = at + 1;
    else chain.push(move);
  }
  const oldest = Date.parse(chain.at(-1)!.day) - KEEPS.days * 86_400_000;
  const kept = chain.filter((one) => Date.parse(one.day) >= oldest && one.day <= day);
  return kept.findLast((one) => one.day === kept.at(-1)!.day)?.id ?? null;
}

/** How a body differs from the n-th build, or null. */
function wholeness(
  question: Exclude<SimulatedQuestion, object>,
  { n, text, faultless }: { n: number; text: string; faultless: boolean },
): string | null {
  const marks = new Set(text.match(/\bg\d+\b/g));
  marks.delete(`g${n}`);
  if (marks.size > 0) return `something of ${[...marks]}`;
  const dots = dotsOf(n);
  if (question === "mc") {
    return JSON.parse(text).dot === String(holderOf(n)) ? null : "another holder of the docket";
  }
  if (question !== "batch") {
    return dots.includes(question) === (text !== "not_found") ? null : `the wrong ${text}`;
  }
  const { results } = JSON.parse(text) as { results: { ok: boolean; error?: { code: string } }[] };
  for (const [i, { ok, error }] of results.entries()) {
    const unread = error?.code === "upstream_unavailable";
    if (unread && faultless) return "an item that could not be read without faults";
    if (!unread && ok !== dots.includes(DOTS[i]!)) return `a wrong item for ${DOTS[i]}`;
  }
  return null;
}
