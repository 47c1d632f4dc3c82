/**
 * SMTP servers on loopback: a real one, and one that fails at a chosen step.
 *
 * @module
 */

import { SMTPServer } from "smtp-server";
import PostalMime, { type Email } from "postal-mime";

/** An email as the server has it. */
export interface Taken {
  from: string;
  to: string[];
  /** The bytes as text. */
  source: string;
  mail: Email;
}

/** How the server behaves. */
export interface ServerOptions {
  /** What it says to a recipient; undefined to take it. */
  rcpt?: (address: string) => { code: number; message: string } | undefined;
  /** What it says to a body. */
  data?: () => Promise<{ code: number; message: string } | undefined>;
  /** Name and password it wants. */
  login?: readonly [string, string];
}

/** A server that runs until it is closed. */
export interface TestServer {
  port: number;
  taken: Taken[];
  /** Connections there were. */
  connections: () => number;
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { login } = options;
  const taken: Taken[] = [];
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: login === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect(_session, done) {
      connections++;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === login?.[0] && password === login?.[1]) done(null, { user: username });
      else done(failure({ code: 535, message: `Not you, ${username}` }));
    },
    onRcptTo({ address }, _session, done) {
      const answer = options.rcpt?.(address);
      done(answer && failure(answer));
    },
    async onData(stream, { envelope }, done) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const source = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
      const answer = await options.data?.();
      if (answer !== undefined) return done(failure(answer));
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address);
      taken.push({ from, to, source, mail: await PostalMime.parse(source) });
      done();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  return {
    port,
    taken,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function failure({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/** Steps in the order of an email; at the greeting and at the end of the body the client says nothing. */
export const STEPS = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "body"] as const;

/** One of {@link STEPS}. */
export type Step = (typeof STEPS)[number];

const ANSWERS: Record<Step, string> = {
  greeting: "220 test\r\n",
  EHLO: "250 test\r\n",
  MAIL: "250 ok\r\n",
  RCPT: "250 ok\r\n",
  DATA: "354 continue\r\n",
  body: "250 taken\r\n",
};

/** Starts a server with fixed answers, which at one step hangs, closes the connection or answers otherwise. */
export function startScripted(at: Step, instead: "hang" | "close" | `${number} ${string}\r\n`) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const reached = Promise.withResolvers<void>();
  let bodies = 0;

  async function talk(connection: Deno.Conn): Promise<void> {
    const encoder = new TextEncoder();
    const say = async (step: Step): Promise<boolean> => {
      if (step !== at) return await connection.write(encoder.encode(ANSWERS[step])) > 0;
      reached.resolve();
      if (instead === "hang") await new Promise(() => {});
      if (instead === "close") {
        connection.close();
        open.delete(connection);
        return false;
      }
      return await connection.write(encoder.encode(instead)) > 0;
    };
    let text = "";
    const decoder = new TextDecoder();
    if (!await say("greeting")) return;
    for await (const chunk of connection.readable.values({ preventCancel: true })) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\r\n.\r\n")) {
        bodies++;
        if (!await say("body")) return;
      } else {
        const verb = text.slice(0, 4).trim().toUpperCase();
        const step = STEPS.find((step) => step === verb);
        if (!text.endsWith("\r\n") || step === undefined) {
          // A body comes in pieces; QUIT is not answered.
          continue;
        }
        if (!await say(step)) return;
      }
      text = "";
    }
  }

  async function accept(): Promise<void> {
    for await (const connection of listener) {
      open.add(connection);
      // The client goes away as it likes.
      talk(connection).catch(() => {});
    }
  }
  const accepting = accept();

  return {
    port: listener.addr.port,
    /** Resolves when the step is reached. */
    reached: reached.promise,
    /** Bodies that arrived whole. */
    bodies: () => bodies,
    async close(): Promise<void> {
      listener.close();
      for (const connection of open) {
        try {
          connection.close();
        } catch {
          // It is closed already.
        }
      }
      await accepting.catch(() => {});
    },
  };
}
