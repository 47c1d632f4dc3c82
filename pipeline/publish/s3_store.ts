/**
 * An S3 bucket (R2, S3, MinIO) as a store. Requests are path-style, signed, and repeated after transient
 * errors. Neither messages nor errors contain a key.
 *
 * @module
 */

import { AwsClient } from "aws4fetch";
import { createHash } from "node:crypto";
import { retry, sleep, TransientError, watch } from "../retry.ts";
import { BUCKET_KEEPS } from "../snapshot/chain.ts";
import { checkObjectPath } from "../snapshot/paths.ts";
import { sha256 } from "../sha256.ts";
import { messageOf } from "../text.ts";
import {
  objectHeaders,
  overtaken,
  type PutOptions,
  type ReadObject,
  type Store,
  type StoredObject,
} from "./store.ts";

interface S3Address {
  /** `https://host[:port]`. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Without a slash at its ends; may be empty. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Limits on retries and waiting; tests use smaller ones. */
export interface S3Patience {
  /** Attempts of one request in total. @default {6} */
  tries?: number;
  /** Milliseconds until the headers, and again until the end of the body. @default {30000} */
  timeout?: number;
  /** Waits between attempts. @default {sleep} */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

interface S3Request {
  method: "GET" | "PUT" | "POST";
  /** The object's whole key; empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  signal: AbortSignal | undefined;
}

interface S3Response extends Pick<Response, "status" | "headers"> {
  bytes: Uint8Array<ArrayBuffer>;
}

/** Keys that S3 takes in one request. */
const MOST_DELETED = 1000;

const PLAIN_MD5 = /^"?([0-9a-f]{32})"?$/;

/** Opens a place in a bucket; sends no request yet. */
export function s3Store(address: S3Address, patience: S3Patience = {}): Store {
  return new S3Store(address, patience);
}

class S3Store implements Store {
  readonly name: string;
  readonly keeps = BUCKET_KEEPS;
  readonly #bucket: string;
  /** What all keys begin with: empty, or the prefix and a slash. */
  readonly #root: string;
  readonly #request: (request: S3Request) => Promise<S3Response>;

  constructor(address: S3Address, patience: S3Patience) {
    const { bucket, prefix } = address;
    this.name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
    this.#bucket = bucket;
    this.#root = prefix === "" ? "" : `${prefix}/`;
    this.#request = requester(address, patience);
  }

  async get(path: string, signal?: AbortSignal): Promise<ReadObject | null> {
    checkObjectPath(path);
    const { status, headers, bytes } = await this.#request({
      method: "GET",
      key: this.#root + path,
      signal,
    });
    if (status === 404) return null;
    const etag = headers.get("etag");
    if (etag === null) throw new Error(`Cannot read ${this.name}/${path}: the answer has no ETag`);
    return { bytes, etag: etag.replace(/^W\//, "") }; // Weak where a proxy compressed the body
  }

  async put(
    path: string,
    bytes: Uint8Array<ArrayBuffer>,
    { ifMatch, signal }: PutOptions = {},
  ): Promise<void> {
    checkObjectPath(path);
    const { status } = await this.#request({
      method: "PUT",
      key: this.#root + path,
      headers: {
        ...objectHeaders(path),
        ...digests(bytes),
        ...(ifMatch === null ? { "if-none-match": "*" } : ifMatch && { "if-match": ifMatch }),
      },
      body: bytes,
      signal,
    });
    if (status === 200 || status === 204) return;
    if (ifMatch === undefined) {
      throw new Error(`Cannot write ${this.name}/${path}: status ${status}`);
    }
    // 404 is the answer to If-Match where there is no object.
    throw overtaken(`${this.name}/${path}`);
  }

  settle(): Promise<void> {
    return Promise.resolve(); // What a server has acknowledged is durable
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
    for await (const xml of this.#pages(prefix, { signal })) {
      for (const [entry] of xml.matchAll(/<Contents>.*?<\/Contents>/gs)) {
        const md5 = PLAIN_MD5.exec(xmlValue(entry, "ETag"))?.[1];
        yield {
          path: xmlValue(entry, "Key").slice(this.#root.length),
          bytes: Number(xmlValue(entry, "Size")),
          modified: Date.parse(xmlValue(entry, "LastModified")),
          md5: () => Promise.resolve(md5),
        };
      }
    }
  }

  async folders(prefix: string, signal?: AbortSignal): Promise<string[]> {
    const names = new Set<string>();
    for await (const xml of this.#pages(prefix, { delimiter: "/", signal })) {
      for (const [entry] of xml.matchAll(/<CommonPrefixes>.*?<\/CommonPrefixes>/gs)) {
        const found = xmlValue(entry, "Prefix");
        names.add(found.slice(this.#root.length + prefix.length).replace(/\/$/, ""));
      }
    }
    return [...names].sort();
  }

  async delete(paths: readonly string[], signal?: AbortSignal): Promise<void> {
    paths.forEach(checkObjectPath);
    for (let i = 0; i < paths.length; i += MOST_DELETED) {
      // The characters of object paths need no escaping.
      const objects = paths.slice(i, i + MOST_DELETED)
        .map((path) => `<Object><Key>${this.#root}${path}</Key></Object>`).join("");
      const body = new TextEncoder().encode(`<Delete><Quiet>true</Quiet>${objects}</Delete>`);
      const { bytes } = await this.#request({
        method: "POST",
        key: "",
        query: { delete: "" },
        headers: { "content-type": "application/xml", ...digests(body) },
        body,
        signal,
      });
      const [failed] = /<Error>.*?<\/Error>/s.exec(new TextDecoder().decode(bytes)) ?? [];
      if (failed === undefined) continue;
      const what = `s3://${this.#bucket}/${xmlValue(failed, "Key")}`;
      throw new Error(`Cannot delete ${what}: ${xmlValue(failed, "Code")}`);
    }
  }

  /** The pages of a list of keys, as XML. */
  async *#pages(
    below: string,
    { signal, ...more }: { delimiter?: string; signal: AbortSignal | undefined },
  ): AsyncIterable<string> {
    const query: Record<string, string> = {
      "list-type": "2",
      prefix: this.#root + below,
      ...more,
    };
    for (;;) {
      const { status, bytes } = await this.#request({ method: "GET", key: "", query, signal });
      const xml = new TextDecoder().decode(bytes);
      if (status !== 200 || !xml.includes("</ListBucketResult>")) {
        throw new Error(`Cannot list ${this.name}/${below}: status ${status} without a whole list`);
      }
      yield xml;
      if (xmlValue(xml, "IsTruncated") !== "true") return;
      const token = xmlValue(xml, "NextContinuationToken");
      if (token === "") {
        throw new Error(`Cannot list ${this.name}/${below}: a page has no continuation token`);
      }
      query["continuation-token"] = token;
    }
  }
}

/** The server compares the body with both, so a damaged upload is refused and repeated. */
function digests(bytes: Uint8Array): Record<string, string> {
  return {
    "content-md5": createHash("md5").update(bytes).digest("base64"),
    "x-amz-content-sha256": sha256(bytes),
  };
}

/** The rate, a megabyte a second, below which sending a large object is given up. */
const SLOWEST_BYTES_PER_MS = 1_000;

/** Longest pause between attempts, and longest that a server can ask for, in ms. */
const LONGEST_PAUSE_MS = 20_000;
const LONGEST_ASKED_PAUSE_MS = 60_000;

/** Statuses below 500 that are about the connection, not the request. */
const TRANSIENT_CODES =
  /^(RequestTimeout|SlowDown|BadDigest|XAmzContentSHA256Mismatch|IncompleteBody|ConditionalRequestConflict|OperationAborted)$/;

const HINTS: Record<string, string> = {
  AccessDenied: "The keys must be allowed to read, write, list and delete in the bucket",
  InvalidAccessKeyId: "Check AWS_ACCESS_KEY_ID and S3_ENDPOINT",
  SignatureDoesNotMatch: "Check AWS_SECRET_ACCESS_KEY and AWS_REGION",
  RequestTimeTooSkewed: "Set this machine's clock",
  NoSuchBucket: "Create the bucket first",
};

const VERBS = { GET: "read", PUT: "write", POST: "delete objects of" };

/**
 * Returns a function that sends a request to a bucket until there is an answer. It returns answers of 200,
 * 204, 404 and 412; after a failed attempt, a 412 may be caused by that attempt. It throws on any other
 * answer, or when all attempts failed.
 */
function requester(
  { endpoint, bucket, ...keys }: S3Address,
  { tries = 6, timeout = 30_000, wait = sleep }: S3Patience,
): (request: S3Request) => Promise<S3Response> {
  const aws = new AwsClient({ ...keys, service: "s3" });

  async function once(
    { method, key, query = {}, headers = {}, body, signal }: S3Request,
  ): Promise<S3Response> {
    const url = new URL(`${endpoint}/${bucket}${key === "" ? "" : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await aws.sign(url.href, { method, headers, ...(body && { body }) });
    const watched = watch(timeout + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS, signal);
    const response = await watched.step(() => fetch(signed, { signal: watched.signal }));
    const bytes = await watched.step(async () => new Uint8Array(await response.arrayBuffer()));
    const { status } = response;
    const result = { status, headers: response.headers, bytes };
    if (status === 200 || status === 204 || status === 412) return result;
    const code = xmlValue(new TextDecoder().decode(bytes), "Code");
    // A missing object is an answer, a missing bucket is a mistake.
    if (status === 404 && code !== "NoSuchBucket") return result;
    const text = `status ${status} ${/^\w{1,60}$/.test(code) ? code : ""}`.trimEnd();
    if (status >= 500 || status === 429 || TRANSIENT_CODES.test(code)) {
      const asked = Number(response.headers.get("retry-after")) * 1000;
      const waitMs = Math.min(asked, LONGEST_ASKED_PAUSE_MS);
      throw new TransientError(text, waitMs > 0 ? { waitMs } : {});
    }
    throw new Error(HINTS[code] === undefined ? text : `${text}. ${HINTS[code]}`);
  }

  return async (request) => {
    const { method, key, signal } = request;
    try {
      return await retry(() => once(request), {
        tries,
        isTransient: (error) => error instanceof TransientError,
        first: 200,
        longest: LONGEST_PAUSE_MS,
        sleep: (ms) => wait(ms, signal),
      });
    } catch (error) {
      signal?.throwIfAborted();
      const tried = error instanceof TransientError ? ` (tried ${tries} times)` : "";
      const what = `Cannot ${VERBS[method]} s3://${bucket}/${key}`;
      throw new Error(`${what}: ${messageOf(error)}${tried}`, { cause: error });
    }
  };
}

const XML_ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The unescaped text of the first element with this name; empty when there is none. */
function xmlValue(xml: string, name: string): string {
  const [, text = ""] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
    return XML_ENTITIES[named] ?? whole;
  });
}
