/**
 * Sends mails over SMTP; nodemailer is imported lazily.
 *
 * @module
 */

import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { abortable } from "../state/abortable.ts";
import type { Sender } from "./address.ts";

/** A mail to one address. */
export interface Mail {
  /** Makes the Message-ID: the same mail has the same. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Link for one-click unsubscribing (RFC 8058); null for no such header. */
  unsubscribe: string | null;
  /** Milliseconds since the epoch; the Date header. */
  at: number;
}

/**
 * What became of a mail. The reason has commands and codes only: what a server writes often repeats
 * the address.
 *
 * - `sent`: the server has taken it.
 * - `later`: the server has not, and may later.
 * - `down`: not handed over: no connection, no login, or the server refuses this service.
 * - `refused`: never for this address.
 * - `unknown`: handed over without an answer, so it may or may not arrive.
 */
export type Sent =
  | { outcome: "sent" }
  | { outcome: "later" | "down" | "refused" | "unknown"; reason: string };

/** Sends mails, one at a time. */
export interface Mailer {
  /** Sends one. Never throws, and ends within {@link SEND_MS}. */
  send(mail: Mail): Promise<Sent>;
  /** Closes the connection and ends a sending in progress. A later sending opens another. */
  close(): Promise<void>;
}

/** Milliseconds within which a sending ends. */
export const SEND_MS = 120_000;

/** Milliseconds to connect, to be greeted, and without a byte from the server. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 100_000 };

const CLOSE_MS = 1_000;

/**
 * Keeps one connection while mails are sent. With a password it requires TLS, unless the query says
 * `ignoreTLS=true`. It uses nodemailer's connection, not its transport, which does not say whether the
 * body was handed over when something fails.
 */
export class SmtpMailer implements Mailer {
  readonly #url: string;
  readonly #from: Sender;
  #connection: SMTPConnection | null = null;
  #abort: (reason: Error) => void = () => {};

  /** @param options `smtp://user:password@host:587` or `smtps://`, with nodemailer's options in the query. */
  constructor({ url, from }: { url: string; from: Sender }) {
    this.#url = url;
    this.#from = from;
  }

  async send(mail: Mail): Promise<Sent> {
    let handedOver = false;
    const control = new AbortController();
    const { signal } = control;
    const timer = setTimeout(() => control.abort(failure("ETIMEDOUT")), SEND_MS);
    this.#abort = (reason) => control.abort(reason);
    try {
      const handing = this.#hand(mail, { signal, onBody: () => handedOver = true });
      await abortable(handing, signal);
      return { outcome: "sent" };
    } catch (error) {
      this.#drop();
      return outcomeOf(error as SmtpFailure, handedOver);
    } finally {
      clearTimeout(timer);
      this.#abort = () => {};
    }
  }

  async close(): Promise<void> {
    this.#abort(failure("ECLOSED"));
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null || connection.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => connection.close(), CLOSE_MS);
      connection.once("end", () => {
        clearTimeout(timer);
        resolve();
      });
      connection.quit();
    });
  }

  async #hand(
    mail: Mail,
    { signal, onBody }: { signal: AbortSignal; onBody: () => void },
  ): Promise<void> {
    const message = await this.#compose(mail);
    const connection = await this.#ready(signal);
    // Or an aborted sending would continue.
    signal.throwIfAborted();
    // Read from once the server has asked for it.
    const body = new Readable({
      read() {
        onBody();
        this.push(message);
        this.push(null);
      },
    });
    const envelope = { from: this.#from.address, to: [mail.to], size: message.length };
    await new Promise<void>((resolve, reject) => {
      connection.send(envelope, body, (error) => error ? reject(error) : resolve());
    });
  }

  async #compose({ id, to, subject, text, unsubscribe, at }: Mail): Promise<Uint8Array> {
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    const composer = new MailComposer({
      from: this.#from,
      to: { name: "", address: to },
      subject,
      text,
      date: new Date(at),
      messageId: `<${id}@${this.#from.address.split("@")[1]}>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribe === null ? {} : {
          "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
    });
    return await composer.compile().build();
  }

  async #ready(signal: AbortSignal): Promise<SMTPConnection> {
    if (this.#connection !== null && !this.#connection.destroyed) return this.#connection;
    const { default: Connection } = await import("nodemailer/lib/smtp-connection");
    const { parseConnectionUrl } = await import("nodemailer/lib/shared");
    signal.throwIfAborted();
    const { auth, ...options } = parseConnectionUrl(this.#url);
    const connection = new Connection({
      requireTLS: auth !== undefined && options.ignoreTLS !== true,
      ...TIMEOUTS,
      dnsTimeout: TIMEOUTS.connectionTimeout,
      ...options,
      socketCloseTimeout: CLOSE_MS,
      // They would write addresses.
      logger: false,
      debug: false,
      transactionLog: false,
    });
    this.#connection = connection;
    await new Promise<void>((resolve, reject) => {
      // Stays for failures between two mails: the next one finds the connection destroyed.
      connection.on("error", reject);
      connection.connect((error) => error ? reject(error) : resolve());
    });
    if (auth !== undefined) {
      await new Promise<void>((resolve, reject) => {
        connection.once("error", reject);
        connection.login(auth, (error) => error ? reject(error) : resolve());
      });
    }
    return connection;
  }

  #drop(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

/** What is read of an error; its message may hold the address. */
interface SmtpFailure extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

function failure(code: string): SmtpFailure {
  return Object.assign(new Error(code), { code });
}

/** 5.7.x is about who sends, e.g. a server on a block list, not about the address. */
const ABOUT_US = /^5\d\d[ -]5\.7\./;

function outcomeOf(error: SmtpFailure, handedOver: boolean): Sent {
  const { code = "failed", command = "CONN", response = "", responseCode = 0 } = error;
  if (responseCode >= 400) {
    const reason = `${command} answered ${responseCode}`;
    if (command !== "RCPT TO" && command !== "DATA") return { outcome: "down", reason };
    const forGood = responseCode >= 500 && !ABOUT_US.test(response);
    return { outcome: forGood ? "refused" : "later", reason };
  }
  return { outcome: handedOver ? "unknown" : "down", reason: `${command} ${code}` };
}
