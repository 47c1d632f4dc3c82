/**
 * A real SMTP server on loopback, and what it takes.
 *
 * @module
 */

import { SMTPServer } from "smtp-server";
import PostalMime, { type Email } from "postal-mime";

/** A mail as the server has it. */
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
