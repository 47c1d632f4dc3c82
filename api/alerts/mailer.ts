/**
 * What alerts need of a mail server.
 *
 * @module
 */

/** A mail to one address. */
export interface Mail {
  /** Makes the Message-ID: the same mail has the same. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Where one click (RFC 8058) unsubscribes; null when the mail has no such header. */
  unsubscribe: string | null;
  /** Milliseconds since the epoch; the Date header. */
  at: number;
}

/**
 * What became of a mail. The reason is made of commands and codes, never of what the server wrote: that
 * often repeats the address.
 *
 * - `sent`: the server has taken it.
 * - `later`: the server has not, and may later.
 * - `down`: it did not come to that: no connection, no login, or the server refuses this service.
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
  /** Lets the connection go, and breaks a sending off that is under way. A later sending opens another. */
  close(): Promise<void>;
}

/** Milliseconds within which a sending ends. */
export const SEND_MS = 120_000;
