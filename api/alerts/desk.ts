/**
 * E-mail alerts as the pages see them.
 *
 * GET of a link only shows what it is about ({@link AlertsDesk.describe}: mail scanners follow links);
 * POST does it. The links in the mails are
 *
 * - `{base_url}/alerts/confirm/{token}`: GET a page with a button, POST {@link AlertsDesk.confirm};
 * - `{base_url}/alerts/unsubscribe/{token}`: GET a page with a button, POST
 *   {@link AlertsDesk.unsubscribe}, also from mail programs (RFC 8058: no cookie, no other check, body
 *   `List-Unsubscribe=One-Click`), which want a 2xx and no redirect, also the second time.
 *
 * @module
 */

/** A wish for alerts. */
export interface SignUp {
  /** As typed. */
  address: string;
  /** 1 to 99,999,999. */
  dot: number;
  /** Who asks: sign-ups are counted by it. */
  client: string;
}

/**
 * The answer to a sign-up. `accepted` is all that is said to whoever types an address, whether it is
 * new, known, or had as many mails as it may: say "if the address is right, a mail is on its way".
 */
export type SignUpAnswer =
  | { outcome: "accepted" | "invalid_address" | "unknown_carrier" | "unavailable" | "off" }
  | { outcome: "too_many"; /** Seconds. */ retryAfter: number };

/** The answer to a link; `unknown` when it never led anywhere, was used, or has expired. */
export type LinkAnswer<Done extends string> =
  | { outcome: Done; dot: number }
  | { outcome: "unknown" | "unavailable" };

/** What a link is about: the carrier, never the address. */
export type Described =
  | { outcome: "found"; purpose: "confirm" | "unsubscribe"; dot: number }
  | { outcome: "unknown" | "unavailable" };

/** What pages need of the alerts. No method throws for what a visitor sends or for an outage. */
export interface AlertsDesk {
  /** Whether there is a mail server. Without, sign-ups are `off` and links still work. */
  readonly enabled: boolean;
  /** Takes a sign-up and sends the mail that asks for its confirmation. */
  signUp(wish: SignUp): Promise<SignUpAnswer>;
  /** Tells what a link is about; changes nothing. */
  describe(token: string): Promise<Described>;
  confirm(token: string): Promise<LinkAnswer<"confirmed">>;
  unsubscribe(token: string): Promise<LinkAnswer<"unsubscribed">>;
}
