/**
 * What lets a broken neighbour rest instead of asking it over and over. Web APIs only.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

/** What an error tells of the neighbour: it does not work, it does, or nothing either way. */
export type Verdict = "down" | "up" | "unknown";

/** Options of {@link Circuit}. */
export interface CircuitOptions {
  clock: Clock;
  /** Failures in a row after which the neighbour is let rest. */
  failures: number;
  /** Milliseconds after a failure in which no call is made. */
  rest: number;
  /** @default {() => "down"} */
  verdict?: (error: unknown) => Verdict;
  /** Told when the neighbour begins to rest, with the last failure, and when it answers again. */
  onChange?: (change: { down: boolean; error?: unknown }) => void;
}

/** The neighbour failed a moment ago and was not asked. */
export class Resting extends Error {
  override readonly name = "Resting";
}

/** After some failures in a row calls fail at once for a while; then one is let through to see. */
export class Circuit {
  readonly #options: CircuitOptions;
  #failures = 0;
  #failedAt = 0;
  #probing = false;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Whether calls are, or were at the last one, held back. */
  get down(): boolean {
    return this.#failures >= this.#options.failures;
  }

  /**
   * Makes the call, or not.
   *
   * @throws {Resting} When the neighbour was not asked.
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const probe = this.down;
    if (probe) {
      const age = this.#options.clock.now() - this.#failedAt;
      // A negative age is a clock put back.
      if (this.#probing || (age >= 0 && age < this.#options.rest)) {
        throw new Resting("it failed a moment ago");
      }
      this.#probing = true;
    }
    try {
      const result = await call();
      this.#heard("up");
      return result;
    } catch (error) {
      this.#heard(this.#options.verdict?.(error) ?? "down", error);
      throw error;
    } finally {
      if (probe) this.#probing = false;
    }
  }

  #heard(verdict: Verdict, error?: unknown): void {
    if (verdict === "unknown") return;
    const before = this.down;
    this.#failures = verdict === "up" ? 0 : this.#failures + 1;
    this.#failedAt = this.#options.clock.now();
    if (this.down !== before) this.#options.onChange?.({ down: this.down, error });
  }
}
