/**
 * A small S3 server in memory that keeps the conditions of writes, checks signatures and sums, and can
 * be set to misbehave. Objects can be read without a signature, as through a public bucket.
 *
 * @module
 */

import { createHash, createHmac } from "node:crypto";
import { print } from "../../../pipeline/io.ts";

/** What may go wrong with a request. `lost` does the work and cuts the answer. */
export const FAULTS = ["500", "slow_down", "slow", "cut", "lost", "damaged"] as const;

type Fault = typeof FAULTS[number];

/** An object of the bucket. */
interface BucketObject {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  modified: number;
  contentType: string | null;
  cacheControl: string | null;
}

/** A request as passed to {@link Way}. */
interface Asked {
  /** Its number, from 1. */
  n: number;
  method: string;
  /** Key, or for a list the prefix. */
  key: string;
  isList: boolean;
}

/** How the server answers. Change it between or during requests. */
interface Way {
  fault: (asked: Asked) => Fault | null;
  /** Called before and after the work of a signed request; may wait. */
  before: (asked: Asked) => Promise<void> | void;
  after: (asked: Asked) => Promise<void> | void;
  /** Keys on a page of a list. */
  pageSize: number;
  /** Hands out the keys of each page in reverse. */
  isReordered: boolean;
  /** Ignores If-Match and If-None-Match on writes. */
  ignoresConditions: boolean;
  now: () => number;
}

/** A running server. */
export interface S3Server extends AsyncDisposable {
  url: string;
  objects: Map<string, BucketObject>;
  way: Way;
  /** Signed requests so far. */
  asked: Asked[];
}

/** The bucket; there is no other. */
export const BUCKET = "carriers";

/** Keys that it takes: no others. */
export const KEYS = { accessKeyId: "TEST", secretAccessKey: "TEST" };

/** Starts a server on a free port. */
export function serveS3(changes: Partial<Way> = {}): S3Server {
  const way: Way = {
    fault: () => null,
    before: () => {},
    after: () => {},
    pageSize: 1000,
    isReordered: false,
    ignoresConditions: false,
    now: () => Date.now(),
    ...changes,
  };
  const objects = new Map<string, BucketObject>();
  const asked: Asked[] = [];
  // Sorted again after a change only: a national snapshot is listed in 83 pages.
  let sorted: string[] = [];

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, bucket, ...rest] = url.pathname.split("/");
    if (bucket !== BUCKET) return failure(404, "NoSuchBucket");
    const key = decodeURIComponent(rest.join("/"));
    const isSigned = isSignedWith(request, KEYS);
    if (isSigned === null && request.method === "GET" && key !== "") {
      return read(objects.get(key));
    }
    if (!isSigned) {
      const isKnown = request.headers.get("authorization")?.includes(`=${KEYS.accessKeyId}/`);
      return failure(403, isKnown ? "SignatureDoesNotMatch" : "InvalidAccessKeyId");
    }
    const isList = key === "" && request.method === "GET";
    const one: Asked = {
      n: asked.length + 1,
      method: request.method,
      key: isList ? url.searchParams.get("prefix") ?? "" : key,
      isList,
    };
    asked.push(one);
    const fault = way.fault(one);
    await way.before(one);
    if (fault === "500") return await refuse(request, failure(500, "InternalError"));
    if (fault === "slow_down") return await refuse(request, failure(503, "SlowDown"));
    if (fault === "cut") return await refuse(request, cutAnswer());
    if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, 5));
    const response = await work(request, { key, url, fault });
    await way.after(one);
    return fault === "lost" ? cutAnswer() : response;
  }

  async function work(
    request: Request,
    { key, url, fault }: { key: string; url: URL; fault: Fault | null },
  ): Promise<Response> {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (fault === "damaged" && bytes.length > 0) bytes[bytes.length >> 1]! ^= 1;
    const { headers } = request;
    if (bytes.length > 0 && hash("md5", bytes, "base64") !== headers.get("content-md5")) {
      return failure(400, "BadDigest");
    }
    if (bytes.length > 0 && hash("sha256", bytes, "hex") !== headers.get("x-amz-content-sha256")) {
      return failure(400, "XAmzContentSHA256Mismatch");
    }
    if (key === "") {
      return request.method === "POST" ? remove(bytes) : list(url.searchParams);
    }
    if (request.method === "GET") return read(objects.get(key));
    return put(key, bytes, headers);
  }

  function put(key: string, bytes: Uint8Array<ArrayBuffer>, headers: Headers): Response {
    const found = objects.get(key);
    const match = headers.get("if-match");
    if (!way.ignoresConditions) {
      if (match !== null && found === undefined) return failure(404, "NoSuchKey");
      if (match !== null && found!.etag !== match) return failure(412, "PreconditionFailed");
      if (headers.get("if-none-match") === "*" && found !== undefined) {
        return failure(412, "PreconditionFailed");
      }
    }
    const etag = `"${hash("md5", bytes, "hex")}"`;
    objects.set(key, {
      bytes,
      etag,
      modified: way.now(),
      contentType: headers.get("content-type"),
      cacheControl: headers.get("cache-control"),
    });
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
    const last = page.at(-1)?.[0];
    const more = left.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${last}</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
    if (way.isReordered) page.reverse();
    return new Response(
      `<?xml version="1.0"?><ListBucketResult>${more}${
        page.map(([, xml]) => xml).join("")
      }</ListBucketResult>`,
    );
  }

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    objects,
    way,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function contents(key: string, { etag, bytes, modified }: BucketObject): string {
  return `<Contents><Key>${key}</Key><LastModified>${new Date(modified).toISOString()}` +
    `</LastModified><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${bytes.length}</Size>` +
    "</Contents>";
}

function read(stored: BucketObject | undefined): Response {
  if (stored === undefined) return failure(404, "NoSuchKey");
  const { bytes, etag, contentType, cacheControl } = stored;
  return new Response(bytes, {
    headers: {
      etag,
      "content-type": contentType ?? "",
      "cache-control": cacheControl ?? "",
      "content-length": String(bytes.length),
    },
  });
}

function failure(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>As configured</Message></Error>`, {
    status,
  });
}

async function refuse(request: Request, response: Response): Promise<Response> {
  await request.body?.cancel();
  return response;
}

/** A success whose body breaks off. */
function cutAnswer(): Response {
  const body = new ReadableStream({
    start(controller): void {
      controller.enqueue(new TextEncoder().encode("<"));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-length": "1000", etag: '"cut"' } });
}

function hash(name: string, bytes: Uint8Array, encoding: "hex" | "base64"): string {
  return createHash(name).update(bytes).digest(encoding);
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Whether a request was signed (version 4) with the secret; null when it is not signed at all. Written from
 * the specification and not with the library that signs.
 */
function isSignedWith(
  request: Request,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
): boolean | null {
  const { method, headers } = request;
  const authorization = headers.get("authorization");
  if (authorization === null) return null;
  const [, id, day, region, signed, signature] = AUTHORIZATION.exec(authorization) ?? [];
  const instant = headers.get("x-amz-date") ?? "";
  if (id !== accessKeyId || !instant.startsWith(day!)) return false;
  // What decides on the write must be signed, or an intermediary could change it.
  for (const name of ["if-match", "if-none-match", "content-md5", "x-amz-content-sha256"]) {
    if (headers.has(name) && !signed!.split(";").includes(name)) return false;
  }
  const url = new URL(request.url);
  const canonical = [
    method,
    url.pathname.split("/").map((part) => encoded(decodeURIComponent(part))).join("/"),
    [...url.searchParams].map((pair) => pair.map(encoded).join("=")).sort().join("&"),
    ...signed!.split(";").map((name) =>
      `${name}:${name === "host" ? url.host : headers.get(name)}`
    ),
    "",
    signed,
    headers.get("x-amz-content-sha256"),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${instant}\n${scope}\n${
    createHash("sha256").update(canonical).digest("hex")
  }`;
  let key: string | Uint8Array = `AWS4${secretAccessKey}`;
  for (const part of [day!, region!, "s3", "aws4_request"]) key = hmac(key, part);
  return hmac(key, text).toHex() === signature;
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(text).digest());
}

function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

if (import.meta.main) print(serveS3().url); // For bench:publish
