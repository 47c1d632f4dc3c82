/**
 * Names for addresses, keys and tokens that cannot be reversed without the secret of the store.
 *
 * @module
 */

import { createHmac } from "node:crypto";
import { type Kv, type KvKey, NO_END_MS, transact } from "./kv.ts";

const SECRET_KEY: KvKey = ["secret"];

/**
 * HMAC-SHA-256 with a secret that the first process on a store creates: a plain hash of an IPv4 address
 * is reversed in seconds by hashing all of them.
 */
export class KeyedHash {
  readonly #kv: Kv;
  #secret: Promise<string> | null = null;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  /** 32 hexadecimal digits, different for each kind. */
  async of(kind: string, ...parts: readonly string[]): Promise<string> {
    this.#secret ??= this.#open().catch((error) => {
      this.#secret = null;
      throw error;
    });
    return createHmac("sha256", await this.#secret).update(JSON.stringify([kind, ...parts]))
      .digest("hex").slice(0, 32);
  }

  #open(): Promise<string> {
    return transact({ kv: this.#kv }, [SECRET_KEY], ({ value }) => {
      if (value !== null) return { result: value.token as string };
      const token = crypto.getRandomValues(new Uint8Array(32)).toHex();
      return {
        result: token,
        writes: [{ key: SECRET_KEY, value: { token }, expireIn: NO_END_MS }],
      };
    });
  }
}
