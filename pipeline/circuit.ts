/**
 * A circuit breaker: stops calling a service that keeps failing. Web APIs only.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

interface CircuitOptions {
  clock: Clock;
  /** Number of consecutive failures that open the circuit. */
  failures: number;
  /** Milliseconds after a failure during which an open circuit makes no calls. */
  openMs: number;
  /** Whether an error means that the service is down, that it is up, or neither. @default {() => "down"} */
  healthOf?: (error: unknown) => "down" | "up" | "unknown";
  /** Called when the circuit opens, with the last failure, and when it closes. */
  onChange?: (change: { down: boolean; error?: unknown }) => void;
}

/** The service was not called, because it failed a moment ago. */
export class CircuitOpen extends Error {
  override readonly name = "CircuitOpen";
}

/** After `failures` consecutive failures, rejects calls for `openMs`. Then lets one call through as a probe. */
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
      // A negative age means that the clock moved backward.
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
