/**
 * SMTP servers on loopback: a real one, and one that fails at a chosen step.
 *
 * @module
 */

import { type AddressInfo, createServer, type Socket } from "node:net";
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
export async function startScripted(
  at: Step,
  instead: "hang" | "close" | `${number} ${string}\r\n`,
) {
  const open = new Set<Socket>();
  const reached = Promise.withResolvers<void>();
  let bodies = 0;
  const server = createServer((socket) => {
    open.add(socket);
    // The client goes away as it likes.
    socket.on("error", () => {});
    const say = (step: Step): void => {
      if (step !== at) return void socket.write(ANSWERS[step]);
      reached.resolve();
      if (instead === "close") socket.destroy();
      else if (instead !== "hang") socket.write(instead);
    };
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      const isBody = text.includes("\r\n.\r\n");
      const step = isBody ? "body" : STEPS.find((step) => text.toUpperCase().startsWith(step));
      // A body comes in pieces; QUIT is not answered.
      if (step === undefined || !text.endsWith("\r\n")) return;
      text = "";
      if (isBody) bodies++;
      say(step);
    });
    say("greeting");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** Resolves when the step is reached. */
    reached: reached.promise,
    /** Bodies that arrived whole. */
    bodies: () => bodies,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
