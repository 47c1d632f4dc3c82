/**
 * A circuit breaker: a service that fails is not called over and over. Web APIs only.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

interface CircuitOptions {
  clock: Clock;
  /** Failures in a row that open the circuit. */
  failures: number;
  /** Milliseconds after a failure in which an open circuit makes no call. */
  openMs: number;
  /** What an error says of the service: it is down, it is up, or neither. @default {() => "down"} */
  healthOf?: (error: unknown) => "down" | "up" | "unknown";
  /** Called when the circuit opens, with the last failure, and when it closes. */
  onChange?: (change: { down: boolean; error?: unknown }) => void;
}

/** The service failed a moment ago and was not called. */
export class CircuitOpen extends Error {
  override readonly name = "CircuitOpen";
}

/** After some failures in a row calls fail at once for a while; then one is let through as a probe. */
export class Circuit {
  readonly #options: CircuitOptions;
  #failures = 0;
  #failedAt = 0;
  #isProbing = false;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get down(): boolean {
    return this.#failures >= this.#options.failures;
  }

  /** @throws {CircuitOpen} When the service was not called. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const isProbe = this.down;
    if (isProbe) {
      const age = this.#options.clock.now() - this.#failedAt;
      // A negative age is a clock put back.
      if (this.#isProbing || (age >= 0 && age < this.#options.openMs)) {
        throw new CircuitOpen("it failed a moment ago");
      }
      this.#isProbing = true;
    }
    try {
      const result = await call();
      this.#note("up");
      return result;
    } catch (error) {
      this.#note(this.#options.healthOf?.(error) ?? "down", error);
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  #note(health: "down" | "up" | "unknown", error?: unknown): void {
    if (health === "unknown") return;
    const before = this.down;
    this.#failures = health === "up" ? 0 : this.#failures + 1;
    this.#failedAt = this.#options.clock.now();
    if (this.down !== before) this.#options.onChange?.({ down: this.down, error });
  }
}
