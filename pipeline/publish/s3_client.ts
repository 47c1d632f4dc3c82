/**
 * Signed requests to an S3 server, tried again while a failure may pass. Neither messages nor errors
 * hold a key.
 *
 * @module
 */

import { AwsClient } from "aws4fetch";
import { messageOf } from "../text.ts";
import { backOff, PassingError, sleep, watch } from "../retry.ts";

/** Where the server is and who asks. */
export interface S3Address {
  /** `https://host[:port]`. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary keys. */
  sessionToken?: string;
}

/** How patient to be; tests are not. */
export interface S3Patience {
  /** Tries of one request in all. @default {6} */
  tries?: number;
  /** Milliseconds until the headers, and again until the end of the body. @default {30000} */
  timeout?: number;
  /** Waits between tries. @default {sleep} */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** One request. */
export interface S3Request {
  method: "GET" | "PUT" | "POST";
  /** The object's whole key; the empty text for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

/** An answer with its whole body. */
export interface S3Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 20_000;
const LONGEST_ASKED_WAIT_MS = 60_000;

/** Codes of answers below 500 that tell of a bad way and not of a bad request. */
const PASSING_CODES =
  /^(RequestTimeout|SlowDown|BadDigest|XAmzContentSHA256Mismatch|IncompleteBody|ConditionalRequestConflict|OperationAborted)$/;

const HINTS: Record<string, string> = {
  AccessDenied: "The keys must be allowed to read, write, list and delete in the bucket",
  InvalidAccessKeyId: "Check AWS_ACCESS_KEY_ID and S3_ENDPOINT",
  SignatureDoesNotMatch: "Check AWS_SECRET_ACCESS_KEY and AWS_REGION",
  RequestTimeTooSkewed: "Set this machine's clock",
  NoSuchBucket: "Make the bucket first",
};

/** Asks one bucket. */
export class S3Client {
  readonly #address: S3Address;
  readonly #aws: AwsClient;
  readonly #patience: Required<S3Patience>;

  constructor(address: S3Address, patience: S3Patience = {}) {
    this.#address = address;
    this.#aws = new AwsClient({ ...address, service: "s3" });
    this.#patience = { tries: 6, timeout: 30_000, wait: sleep, ...patience };
  }

  /**
   * Asks until there is an answer. Answers of 200, 204, 404 and 412 are the caller's; after a try that
   * failed, 412 may be the work of that try.
   *
   * @throws {Error} On any other answer, or when the tries are used up; names the object and the cause.
   */
  async request(request: S3Request): Promise<S3Answer> {
    const { tries, wait } = this.#patience;
    for (let failures = 1;; failures++) {
      try {
        return await this.#once(request);
      } catch (error) {
        const what = `Cannot ${VERBS[request.method]} s3://${this.#address.bucket}/${request.key}`;
        request.signal?.throwIfAborted();
        if (!(error instanceof PassingError)) {
          throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
        }
        if (failures >= tries) {
          throw new Error(`${what}: ${error.message} (tried ${tries} times)`, { cause: error });
        }
        const bounds = { first: FIRST_WAIT_MS, longest: LONGEST_WAIT_MS };
        const ms = error.waitMs ?? backOff(failures, Math.random(), bounds);
        await wait(ms, request.signal);
      }
    }
  }

  async #once({ method, key, query, headers, body, signal }: S3Request): Promise<S3Answer> {
    const { endpoint, bucket } = this.#address;
    const url = new URL(`${endpoint}/${bucket}${key === "" ? "" : `/${key}`}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signed = await this.#aws.sign(url.href, {
      method,
      headers: headers ?? {},
      ...(body === undefined ? {} : { body }),
    });
    const talk = watch(this.#patience.timeout, signal);
    const response = await talk.step(() => fetch(signed, { signal: talk.signal }));
    const bytes = await talk.step(async () => new Uint8Array(await response.arrayBuffer()));
    const { status } = response;
    if (status === 200 || status === 204 || status === 412) {
      return { status, headers: response.headers, bytes };
    }
    const code = xmlValue(new TextDecoder().decode(bytes), "Code") ?? "no code";
    // A missing object is an answer, a missing bucket is a mistake.
    if (status === 404 && code !== "NoSuchBucket") {
      return { status, headers: response.headers, bytes };
    }
    const text = `status ${status} ${/^\w{1,60}$/.test(code) ? code : ""}`.trimEnd();
    if (status >= 500 || status === 429 || PASSING_CODES.test(code)) {
      const asked = Number(response.headers.get("retry-after") ?? NaN) * 1000;
      throw new PassingError(
        text,
        asked > 0 ? { waitMs: Math.min(asked, LONGEST_ASKED_WAIT_MS) } : {},
      );
    }
    throw new Error(HINTS[code] === undefined ? text : `${text}. ${HINTS[code]}`);
  }
}

/** The text of the first element of a name, unescaped; undefined when there is none. */
export function xmlValue(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
    return XML_ENTITIES[named] ?? whole;
  });
}

const VERBS = { GET: "read", PUT: "write", POST: "delete objects of" };

const XML_ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
