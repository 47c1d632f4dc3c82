/**
 * Listens for connections, and listens again when the runtime stops accepting them.
 *
 * @module
 */

import type { After } from "../../pipeline/clock.ts";
import { messageOf } from "../../pipeline/text.ts";

export interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  handler: Deno.ServeHandler<Deno.NetAddr>;
  /** Ends everything at once. */
  signal: AbortSignal;
  after: After;
  sleep: (ms: number) => Promise<void>;
  log: (line: string) => void;
}

/** Milliseconds before listening again: doubled up to the longest, until accepting lasts that long. */
const PAUSE_MS = { first: 100, longest: 5_000 };

/** Servers whose open connections are served; the oldest one is ended beyond that. */
const MOST_SERVERS = 10;

/**
 * `Deno.serve` ends with "Too many open files" when a connection cannot be accepted, while those that
 * are open are still served. So it is called again after a pause, on the same port.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #servers: Deno.HttpServer<Deno.NetAddr>[] = [];
  readonly port: number;
  /** Resolves once the listener was stopped and its requests have ended or were given up. */
  readonly finished: Promise<void>;
  readonly #givenUp = Promise.withResolvers<void>();
  readonly #ending = new WeakSet<Deno.HttpServer>();
  #stopping = false;

  /** @throws {Error} When the address cannot be listened on. */
  constructor(options: ListenOptions) {
    this.#options = options;
    const first = this.#serve(options.port);
    options.signal.addEventListener("abort", () => {
      if (this.#stopping) this.#givenUp.resolve();
      this.#stopping = true;
    });
    this.port = first.addr.port;
    this.finished = Promise.race([this.#keep(first), this.#givenUp.promise]);
  }

  /** Accepts no more, and lets open requests end. */
  async shutdown(): Promise<void> {
    this.#stopping = true;
    void this.#drain();
    await this.finished;
  }

  async #drain(): Promise<void> {
    await Promise.allSettled(this.#servers.map((server) => this.#end(server)));
  }

  #end(server: Deno.HttpServer): Promise<void> {
    this.#ending.add(server);
    return server.shutdown();
  }

  #serve(port: number): Deno.HttpServer<Deno.NetAddr> {
    const { hostname, signal: outer, handler } = this.#options;
    const control = new AbortController();
    const { signal } = control;
    const server = Deno.serve(
      { hostname, port, signal, automaticCompression: true, onListen: () => {} },
      handler,
    );
    // Deno throws when the signal of a server is aborted that is shutting down or closed.
    const abort = (): void => {
      if (!this.#ending.has(server)) control.abort();
    };
    outer.addEventListener("abort", abort);
    const forget = (): void => outer.removeEventListener("abort", abort);
    server.finished.then(forget, forget);
    this.#servers.push(server);
    if (this.#servers.length > MOST_SERVERS) void this.#end(this.#servers.shift()!).catch(() => {});
    return server;
  }

  async #keep(first: Deno.HttpServer<Deno.NetAddr>): Promise<void> {
    const { log, sleep, after } = this.#options;
    let pause = PAUSE_MS.first;
    let failing = false;
    for (let server: typeof first | null = first; !this.#stopping; server = null) {
      let cancel = (): void => {};
      try {
        server ??= this.#serve(this.port);
        cancel = after(PAUSE_MS.longest, () => {
          if (failing) log("Connections are accepted again");
          failing = false;
          pause = PAUSE_MS.first;
        });
        await server.finished;
        break;
      } catch (error) {
        cancel();
        if (this.#stopping) break;
        if (!failing) log(`Cannot accept connections, trying again: ${messageOf(error)}`);
        failing = true;
        await sleep(pause);
        pause = Math.min(2 * pause, PAUSE_MS.longest);
      }
    }
    await this.#drain();
  }
}
