/**
 * A {@link Mailer} over SMTP. Nothing of nodemailer is loaded before the first mail.
 *
 * @module
 */

import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { abortable } from "../state/abortable.ts";
import type { Sender } from "./address.ts";
import { type Mail, type Mailer, SEND_MS, type Sent } from "./mailer.ts";

/** Milliseconds that each step of a sending may take. */
export interface SmtpTimeouts {
  connect: number;
  greeting: number;
  /** Without a byte from the server. */
  idle: number;
  /** All of it. */
  total: number;
}

/** What an {@link SmtpMailer} is wired from. */
export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://`; nodemailer's options may stand in its query. */
  url: string;
  from: Sender;
  timeouts?: SmtpTimeouts;
}

const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 10_000, idle: 100_000, total: SEND_MS };

const CLOSE_MS = 1_000;

/**
 * Keeps one connection as long as mails go well. With a password it insists on TLS, unless the query
 * says `ignoreTLS=true`. The connection is driven here, not by nodemailer's transport, because only so
 * it is known whether the body was handed over when something fails.
 */
export class SmtpMailer implements Mailer {
  readonly #url: string;
  readonly #from: Sender;
  readonly #timeouts: SmtpTimeouts;
  #connection: SMTPConnection | null = null;
  #breakOff: (reason: Error) => void = () => {};

  /** Connects with the first mail. */
  constructor({ url, from, timeouts = TIMEOUTS }: SmtpOptions) {
    this.#url = url;
    this.#from = from;
    this.#timeouts = timeouts;
  }

  async send(mail: Mail): Promise<Sent> {
    let handedOver = false;
    const control = new AbortController();
    const { signal } = control;
    const timer = setTimeout(() => control.abort(failure("ETIMEDOUT")), this.#timeouts.total);
    this.#breakOff = (reason) => control.abort(reason);
    try {
      const handing = this.#hand(mail, { signal, onBody: () => handedOver = true });
      await abortable(handing, signal);
      return { outcome: "sent" };
    } catch (error) {
      this.#drop();
      return outcomeOf(error as SmtpFailure, handedOver);
    } finally {
      clearTimeout(timer);
      this.#breakOff = () => {};
    }
  }

  async close(): Promise<void> {
    this.#breakOff(failure("ECLOSED"));
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
    // Or a sending that was given up would go on.
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
    const { connect, greeting, idle } = this.#timeouts;
    const { auth, ...options } = parseConnectionUrl(this.#url);
    const connection = new Connection({
      requireTLS: auth !== undefined && options.ignoreTLS !== true,
      ...options,
      connectionTimeout: connect,
      greetingTimeout: greeting,
      socketTimeout: idle,
      dnsTimeout: connect,
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
