/**
 * Listens for connections, and listens again when the runtime stops accepting them.
 *
 * @module
 */

import { after } from "../../pipeline/clock.ts";
import { sleep } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";

export interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  handler: Deno.ServeHandler<Deno.NetAddr>;
  /** Drops open requests, because the process is about to end. */
  signal: AbortSignal;
  log: (line: string) => void;
}

/**
 * Pauses before listening again, in milliseconds. The pause doubles up to the longest one, and starts over
 * once the server has accepted connections for that long.
 */
const PAUSE_MS = { first: 100, longest: 5_000 };

/** Maximum number of servers kept for their open connections; beyond it, the oldest is shut down. */
const MOST_SERVERS = 10;

export interface Listener {
  readonly port: number;
  /** Resolves when the listener was stopped and its requests have ended or were dropped. */
  readonly finished: Promise<void>;
  /** Accepts no more connections and lets open requests finish. */
  shutdown(): Promise<void>;
}

/**
 * `Deno.serve` ends with "Too many open files" when a connection cannot be accepted, while those that
 * are open are still served. So it is called again after a pause, on the same port.
 *
 * @throws {Error} When the address cannot be listened on.
 */
export function listen(options: ListenOptions): Listener {
  const { hostname, handler, signal, log } = options;
  const servers: Deno.HttpServer<Deno.NetAddr>[] = [];
  let stopping = false;

  function serve(port: number): Deno.HttpServer<Deno.NetAddr> {
    const address = { hostname, port, automaticCompression: true, onListen() {} };
    const server = Deno.serve(address, handler);
    servers.push(server);
    if (servers.length > MOST_SERVERS) servers.shift()!.shutdown().catch(() => {});
    return server;
  }

  async function keep(first: Deno.HttpServer): Promise<void> {
    let pause = PAUSE_MS.first;
    let failing = false;
    for (let server: Deno.HttpServer | null = first; !stopping; server = null) {
      let cancel = (): void => {};
      try {
        server ??= serve(port);
        cancel = after(PAUSE_MS.longest, () => {
          if (failing) log("Connections are accepted again");
          failing = false;
          pause = PAUSE_MS.first;
        });
        await server.finished;
        cancel();
      } catch (error) {
        cancel();
        if (stopping) break;
        if (!failing) log(`Cannot accept connections, trying again: ${messageOf(error)}`);
        failing = true;
        await sleep(pause);
        pause = Math.min(2 * pause, PAUSE_MS.longest);
      }
    }
    await drain();
  }

  async function drain(): Promise<void> {
    await Promise.allSettled(servers.map((server) => server.shutdown()));
  }

  const first = serve(options.port);
  const { port } = first.addr;
  const givenUp = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true })
  );
  const finished = Promise.race([keep(first), givenUp]);
  return {
    port,
    finished,
    async shutdown() {
      stopping = true;
      void drain();
      await finished;
    },
  };
}
