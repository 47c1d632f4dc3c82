/**
 * SMTP servers on loopback: a real one, and one that fails at a chosen step.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import PostalMime, { type Email } from "postal-mime";
import { until } from "../../until.ts";

/** An email as the server received it. */
export interface Taken {
  from: string;
  to: string[];
  /** The bytes as text. */
  source: string;
  mail: Email;
}

type Refusal = { code: number; message: string };

export interface ServerOptions {
  /** The server's answer to a recipient, and to a body. */
  refusal?: { at: "RCPT TO" | "DATA" } & Refusal;
  /** The name and password that it accepts. */
  login?: readonly [string, string];
}

/** A server that runs until it is closed. */
export interface TestServer {
  port: number;
  taken: Taken[];
  /** The emails, once there are this many. */
  mails(count: number): Promise<Taken[]>;
  /** How many connections were opened. */
  connections: () => number;
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startServer({ login, refusal }: ServerOptions = {}): Promise<TestServer> {
  const taken: Taken[] = [];
  let connections = 0;
  const refusalAt = (command: string): Error | null =>
    refusal?.at === command ? failure(refusal) : null;
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
    onRcptTo: (_address, _session, done) => done(refusalAt("RCPT TO")),
    async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const source = new TextDecoder().decode(Buffer.concat(await Array.fromAsync(stream)));
      const refused = refusalAt("DATA");
      if (refused !== null) return done(refused);
      const to = rcptTo.map(({ address }) => address);
      const from = mailFrom ? mailFrom.address : "";
      taken.push({ from, to, source, mail: await PostalMime.parse(source) });
      done();
    },
  });
  server.on("error", () => {});
  return {
    port: await listening(server.server),
    taken,
    async mails(count) {
      await until(`${count} emails`, () => taken.length >= count);
      assert.equal(taken.length, count);
      return taken;
    },
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function failure({ code, message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/** Listens on a free port. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers to the steps of an email, in order. At the greeting and at the end of the body the client sends nothing. */
const ANSWERS = {
  greeting: "220 test\r\n",
  EHLO: "250 test\r\n",
  MAIL: "250 ok\r\n",
  RCPT: "250 ok\r\n",
  DATA: "354 continue\r\n",
  body: "250 taken\r\n",
};

type Step = keyof typeof ANSWERS;

export const STEPS = Object.keys(ANSWERS) as Step[];

/** Starts a server with fixed answers. At one step it hangs, closes the connection or answers otherwise. */
export async function startScripted(
  at: Step,
  instead: "hang" | "close" | `${number} ${string}\r\n`,
) {
  const open = new Set<Socket>();
  const reached = Promise.withResolvers<void>();
  let bodies = 0;
  const server = createServer((socket) => {
    open.add(socket);
    // The client may disconnect at any time.
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
      // A body arrives in pieces. QUIT gets no answer.
      if (step === undefined || !text.endsWith("\r\n")) return;
      text = "";
      if (isBody) bodies++;
      say(step);
    });
    say("greeting");
  });
  return {
    port: await listening(server),
    /** Resolves when the step is reached. */
    reached: reached.promise,
    /** Bodies that arrived complete. */
    bodies: () => bodies,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
