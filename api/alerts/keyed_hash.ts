/**
 * Names for addresses, clients and tokens that tell nothing about them.
 *
 * @module
 */

import { type Kv, type KvKey, KvUnavailable } from "../state/kv.ts";
import { NO_END_MS } from "./records.ts";

const SECRET_KEY: KvKey = ["alert_secret"];
const TRIES = 5;
const HEX_DIGITS = 32;

/** HMAC-SHA-256 under a key that the store holds, made by the first who needs it. */
export class KeyedHash {
  readonly #kv: Kv;
  readonly #newToken: () => string;
  #key: Promise<CryptoKey> | null = null;

  /** @param newToken A text that nobody can guess. */
  constructor(kv: Kv, newToken: () => string) {
    this.#kv = kv;
    this.#newToken = newToken;
  }

  /**
   * The name of something, 32 hexadecimal digits; different for each kind of thing.
   *
   * @throws {KvUnavailable}
   */
  async of(kind: "mailbox" | "client" | "link" | "mail", ...parts: string[]): Promise<string> {
    this.#key ??= this.#open().catch((error) => {
      this.#key = null;
      throw error;
    });
    const bytes = new TextEncoder().encode(JSON.stringify([kind, ...parts]));
    const digest = await crypto.subtle.sign("HMAC", await this.#key, bytes);
    return new Uint8Array(digest).toHex().slice(0, HEX_DIGITS);
  }

  async #open(): Promise<CryptoKey> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const entry = await this.#kv.get<string>(SECRET_KEY);
      if (entry.value !== null) return await importKey(entry.value);
      const value = this.#newToken() + this.#newToken();
      // Whoever comes first: the next reading tells.
      await this.#kv.commit({
        checks: [entry],
        writes: [{ key: SECRET_KEY, value, expireIn: NO_END_MS }],
      });
    }
    throw new KvUnavailable("Cannot make the key of the alerts: the store fails");
  }
}

function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [
    "sign",
  ]);
}
