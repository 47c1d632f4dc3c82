/**
 * Sends emails over SMTP; nodemailer is imported lazily.
 *
 * @module
 */

import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { abortable } from "../../pipeline/retry.ts";
import type { Sender } from "./address.ts";
import { mailHtml } from "./mail_text.ts";

export interface Mail {
  /** Becomes the Message-ID. */
  id: string;
  to: string;
  subject: string;
  /** Sent as text, and as HTML in which URLs are links. */
  text: string;
  /** Link for one-click unsubscribing (RFC 8058); null in an email that answers a sign-up. */
  unsubscribe: string | null;
}

/**
 * The result of sending an email. The reason has only commands and codes, because the server's text often
 * repeats the address.
 *
 * - `sent`: the server accepted it.
 * - `later`: the server rejected it, but may accept it later.
 * - `down`: it was not handed over, because there was no connection, the login failed, or the server refuses
 *   this service.
 * - `refused`: the server permanently rejected it for this address.
 * - `unknown`: it was handed over but the server did not respond, so it may or may not arrive.
 */
export type Sent =
  | { outcome: "sent" }
  | { outcome: "later" | "down" | "refused" | "unknown"; reason: string };

export interface HandOver {
  /**
   * Called just before the email is handed over, because the machine may have slept since the claim. If it
   * returns false, the email is not sent.
   */
  hasTime: () => boolean;
  signal: AbortSignal;
}

/** Sends emails, one at a time. */
export interface Mailer {
  /** Sends one email. Never throws, and ends within {@link SEND_MS} or when the signal is aborted. */
  send(mail: Mail, how: HandOver): Promise<Sent>;
  close(): Promise<void>;
}

export const SEND_MS = 120_000;

/** Timeouts in milliseconds: for connecting, for the server's greeting, and for inactivity. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 100_000 };

const CLOSE_MS = 1_000;
const CHECK_MS = 20_000;

/**
 * Keeps one connection while emails are sent. With a password it requires TLS, unless the query says
 * `ignoreTLS=true`. It uses nodemailer's connection, not its transport, which does not say whether the
 * body was handed over when something fails.
 */
export class SmtpMailer implements Mailer {
  readonly #url: string;
  readonly #from: Sender;
  #connection: SMTPConnection | null = null;

  /** @param options `smtp://user:password@host:587` or `smtps://`, with nodemailer's options in the query. */
  constructor({ url, from }: { url: string; from: Sender }) {
    this.#url = url;
    this.#from = from;
  }

  async send(mail: Mail, how: HandOver): Promise<Sent> {
    let handedOver = false;
    const signal = AbortSignal.any([how.signal, AbortSignal.timeout(SEND_MS)]);
    const late = Object.assign(new Error(), { code: "ENDED" });
    const onBody = () => {
      if (!how.hasTime()) throw late;
      handedOver = true;
    };
    try {
      await abortable(this.#hand(mail, signal, onBody), signal, late);
      return { outcome: "sent" };
    } catch (error) {
      this.#connection?.close();
      this.#connection = null;
      return outcomeOf(error as SmtpFailure, handedOver);
    }
  }

  /** Connects and logs in, and sends nothing; null when that works, else the reason. Never throws. */
  async check(): Promise<string | null> {
    const signal = AbortSignal.timeout(CHECK_MS);
    const late = Object.assign(new Error(), { code: "ENDED" });
    try {
      await abortable(this.#connect(signal), signal, late);
      await this.close();
      return null;
    } catch (error) {
      this.#connection?.close();
      this.#connection = null;
      const sent = outcomeOf(error as SmtpFailure, false);
      return sent.outcome === "sent" ? null : sent.reason;
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null || connection.destroyed) return;
    const timer = setTimeout(() => connection.close(), CLOSE_MS);
    await new Promise((resolve) => {
      connection.once("end", resolve);
      connection.quit();
    });
    clearTimeout(timer);
  }

  async #hand(mail: Mail, signal: AbortSignal, onBody: () => void): Promise<void> {
    const message = await compose(mail, this.#from);
    const connection = await this.#connect(signal);
    // Otherwise, sending would continue after an abort.
    signal.throwIfAborted();
    // Read only once the server has asked for the body.
    const body = Readable.from(function* () {
      onBody();
      yield message;
    }());
    const envelope = { from: this.#from.address, to: [mail.to], size: message.length };
    await callback((done) => connection.send(envelope, body, done));
  }

  async #connect(signal: AbortSignal): Promise<SMTPConnection> {
    if (this.#connection !== null && !this.#connection.destroyed) return this.#connection;
    const { default: Connection } = await import("nodemailer/lib/smtp-connection");
    const { parseConnectionUrl } = await import("nodemailer/lib/shared");
    signal.throwIfAborted();
    const { auth, ...options } = parseConnectionUrl(this.#url);
    const connection = this.#connection = new Connection({
      requireTLS: auth !== undefined && options.ignoreTLS !== true,
      ...TIMEOUTS,
      dnsTimeout: TIMEOUTS.connectionTimeout,
      ...options,
      socketCloseTimeout: CLOSE_MS,
      // These would log addresses.
      logger: false,
      debug: false,
      transactionLog: false,
    });
    await callback((done) => {
      // Stays attached, because an error between two emails would otherwise be uncaught. The next email
      // reconnects.
      connection.on("error", done);
      connection.connect(done);
    });
    if (auth !== undefined) {
      await callback((done) => {
        connection.once("error", done);
        connection.login(auth, done);
      });
    }
    return connection;
  }
}

async function compose(
  { id, to, subject, text, unsubscribe }: Mail,
  from: Sender,
): Promise<Uint8Array> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from,
    to: { name: "", address: to },
    subject,
    text,
    html: mailHtml(text),
    messageId: `<${id}@${from.address.split("@")[1]}>`,
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

function callback(work: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => work((error) => error ? reject(error) : resolve()));
}

/** The parts of an error that are used; its message may contain the address. */
interface SmtpFailure extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** 5.7.x is about the sender, such as a server on a block list, not about the address. */
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
