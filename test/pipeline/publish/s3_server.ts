/**
 * A small S3 server in memory that honors conditional writes, checks signatures and checksums, and can
 * be set to misbehave. Objects can be read without a signature, as in a public bucket.
 *
 * @module
 */

import { AwsV4Signer } from "aws4fetch";
import { createHash } from "node:crypto";
import { print } from "../../../pipeline/io.ts";

/** Faults of a request. `lost` does the work and cuts the response. */
export const FAULTS = ["500", "slow", "cut", "lost", "damaged"] as const;

interface BucketObject {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  modified: number;
  /** Content type and caching. */
  headers: Record<string, string>;
}

interface Asked {
  /** Its number, from 1. */
  n: number;
  method: string;
  /** Key; for a list, the prefix. */
  key: string;
}

/** How the server responds. Change it between or during requests. */
interface Way {
  fault: (asked: Asked) => typeof FAULTS[number] | null;
  /** Called before and after the work of a signed request; may wait. */
  before: (asked: Asked) => Promise<void> | void;
  after: (asked: Asked) => Promise<void> | void;
  /** Keys per page of a list. Within a page the keys are in descending order. */
  pageSize: number;
  /** Ignores If-Match and If-None-Match on writes. */
  ignoresConditions: boolean;
}

export interface S3Server extends AsyncDisposable {
  url: string;
  objects: Map<string, BucketObject>;
  way: Way;
  /** Signed requests so far. */
  asked: Asked[];
}

/** The only bucket. */
export const BUCKET = "carriers";

/** The only keys that it accepts. */
export const KEYS = { accessKeyId: "TEST", secretAccessKey: "TEST" };

/** Starts a server on a free port. */
export function serveS3(changes: Partial<Way> = {}): S3Server {
  const way: Way = {
    fault: () => null,
    before: () => {},
    after: () => {},
    pageSize: 1000,
    ignoresConditions: false,
    ...changes,
  };
  const objects = new Map<string, BucketObject>();
  const asked: Asked[] = [];
  // Sorted again only after a change: a national snapshot is listed in 83 pages.
  let sorted: string[] = [];

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const [, bucket, ...rest] = pathname.split("/");
    if (bucket !== BUCKET) return failure(404, "NoSuchBucket");
    const key = decodeURIComponent(rest.join("/"));
    const isAllowed = await isSigned(request);
    if (isAllowed === null && method === "GET" && key !== "") return read(objects.get(key));
    if (!isAllowed) {
      const isKnown = headers.get("authorization")?.includes(`=${KEYS.accessKeyId}/`);
      return failure(403, isKnown ? "SignatureDoesNotMatch" : "InvalidAccessKeyId");
    }
    const one = { n: asked.length + 1, method, key: key || (query.get("prefix") ?? "") };
    asked.push(one);
    const fault = way.fault(one);
    await way.before(one);
    if (fault === "500" || fault === "cut") {
      await request.body?.cancel();
      return fault === "cut" ? cutAnswer() : failure(500, "InternalError");
    }
    if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, 5));
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (fault === "damaged" && bytes.length > 0) bytes[bytes.length >> 1]! ^= 1;
    const response = method === "GET"
      ? key === "" ? list(query) : read(objects.get(key))
      : !isSound(bytes, headers)
      ? failure(400, "BadDigest")
      : method === "POST"
      ? remove(bytes)
      : put(key, bytes, headers);
    await way.after(one);
    return fault === "lost" ? cutAnswer() : response;
  }

  function put(key: string, bytes: Uint8Array<ArrayBuffer>, headers: Headers): Response {
    const found = objects.get(key);
    const match = headers.get("if-match");
    if (!way.ignoresConditions) {
      if (match !== null && found === undefined) return failure(404, "NoSuchKey");
      const isNew = headers.get("if-none-match") === "*";
      if (match !== null && found!.etag !== match || isNew && found !== undefined) {
        return failure(412, "PreconditionFailed");
      }
    }
    const etag = `"${hash("md5", bytes, "hex")}"`;
    const kept = ["content-type", "cache-control"].map((name) => [name, headers.get(name)!]);
    objects.set(key, { bytes, etag, modified: Date.now(), headers: Object.fromEntries(kept) });
    return new Response(null, { headers: { etag } });
  }

  function remove(body: Uint8Array): Response {
    for (const [, key] of new TextDecoder().decode(body).matchAll(/<Key>([^<]*)<\/Key>/g)) {
      objects.delete(key!);
    }
    return new Response("<DeleteResult></DeleteResult>");
  }

  function list(query: URLSearchParams): Response {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const delimiter = query.get("delimiter");
    if (sorted.length !== objects.size || !sorted.every((key) => objects.has(key))) {
      sorted = [...objects.keys()].sort();
    }
    const parts = new Map<string, string>();
    for (const key of sorted) {
      if (!key.startsWith(prefix) || delimiter === null && key <= after) continue;
      if (parts.size > way.pageSize && delimiter === null) break;
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      if (end < 0) parts.set(key, contents(key, objects.get(key)!));
      else {
        const folder = key.slice(0, end + 1);
        parts.set(folder, `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`);
      }
    }
    const left = [...parts].filter(([name]) => name > after);
    const page = left.slice(0, way.pageSize);
    const more = left.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${
        page.at(-1)![0]
      }</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
    const xml = page.reverse().map(([, entry]) => entry).join("");
    return new Response(`<?xml version="1.0"?><ListBucketResult>${more}${xml}</ListBucketResult>`);
  }

  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen() {},
    onError: () => failure(500, "InternalError"), // For a body whose sender disconnected
  }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    objects,
    way,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function contents(key: string, { etag, bytes, modified }: BucketObject): string {
  const escaped = etag.replace('"', "&#34;").replace('"', "&quot;");
  return `<Contents><Key>${key}</Key><LastModified>${new Date(modified).toISOString()}` +
    `</LastModified><ETag>${escaped}</ETag><Size>${bytes.length}</Size></Contents>`;
}

function read(stored: BucketObject | undefined): Response {
  if (stored === undefined) return failure(404, "NoSuchKey");
  const { bytes, etag, headers } = stored;
  return new Response(bytes, {
    headers: { ...headers, etag, "content-length": `${bytes.length}` },
  });
}

function failure(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code></Error>`, { status });
}

/** A success whose body breaks off. */
function cutAnswer(): Response {
  const body = ReadableStream.from([new TextEncoder().encode("<")]);
  return new Response(body, { headers: { "content-length": "1000", etag: '"cut"' } });
}

function hash(name: string, bytes: Uint8Array, encoding: "hex" | "base64"): string {
  return createHash(name).update(bytes).digest(encoding);
}

/** Whether a body matches its headers. */
function isSound(bytes: Uint8Array, headers: Headers): boolean {
  return hash("md5", bytes, "base64") === headers.get("content-md5") &&
    hash("sha256", bytes, "hex") === headers.get("x-amz-content-sha256");
}

/** Whether a request is signed (version 4) with {@link KEYS}; null when it isn't signed at all. */
async function isSigned({ method, url, headers }: Request): Promise<boolean | null> {
  const authorization = headers.get("authorization");
  if (authorization === null) return null;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  // Headers that affect the write must be signed, or an intermediary could change them.
  for (const name of ["if-match", "if-none-match", "content-md5", "x-amz-content-sha256"]) {
    if (headers.has(name) && !names.includes(name)) return false;
  }
  const signer = new AwsV4Signer({
    ...KEYS,
    method,
    url,
    headers: names.filter((name) => name !== "host").map((name) => [name, headers.get(name)!]),
    service: "s3",
    region: authorization.split("/")[2]!,
    datetime: headers.get("x-amz-date")!,
    allHeaders: true,
  });
  return (await signer.sign()).headers.get("authorization") === authorization;
}

if (import.meta.main) print(serveS3().url); // For bench:publish
