/**
 * An S3 bucket (R2, S3, MinIO) as a place to publish to. Addresses are path-style.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { sha256 } from "../snapshot/writer.ts";
import { checkObjectPath } from "../snapshot/manifest.ts";
import { type S3Answer, type S3Client, xmlValue } from "./s3_client.ts";
import {
  ConditionFailed,
  type PutOptions,
  type ReadObject,
  type Store,
  type StoredObject,
} from "./store.ts";

/** Keys that S3 takes in one request. */
const DELETED_AT_ONCE = 1000;

const PLAIN_MD5 = /^"?([0-9a-f]{32})"?$/;

/** Opens `prefix` (without a slash at its ends, may be empty) of a bucket; asks for nothing yet. */
export function s3Store(client: S3Client, { bucket, prefix }: S3Place): Store {
  const name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const root = prefix === "" ? "" : `${prefix}/`;

  async function* pages(below: string, { delimiter, signal }: Listing): AsyncIterable<string> {
    let token: string | undefined;
    do {
      const query = {
        "list-type": "2",
        prefix: root + below,
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(token === undefined ? {} : { "continuation-token": token }),
      };
      const { status, bytes } = await client.request({
        method: "GET",
        key: "",
        query,
        ...withSignal(signal),
      });
      const xml = new TextDecoder().decode(bytes);
      if (status !== 200 || !xml.includes("</ListBucketResult>")) {
        throw new Error(`Cannot list ${name}/${below}: status ${status} without a whole list`);
      }
      yield xml;
      token = xmlValue(xml, "IsTruncated") === "true"
        ? xmlValue(xml, "NextContinuationToken")
        : undefined;
      if (token === undefined && xmlValue(xml, "IsTruncated") === "true") {
        throw new Error(`Cannot list ${name}/${below}: a page does not say how to go on`);
      }
    } while (token !== undefined);
  }

  return {
    name,
    async get(path: string, signal?: AbortSignal): Promise<ReadObject | null> {
      checkObjectPath(path);
      const answer = await client.request({
        method: "GET",
        key: root + path,
        ...withSignal(signal),
      });
      if (answer.status === 404) return null;
      return { bytes: answer.bytes, etag: etagOf(answer, `${name}/${path}`) };
    },
    async put(path: string, bytes: Uint8Array<ArrayBuffer>, options: PutOptions): Promise<void> {
      checkObjectPath(path);
      const { status } = await client.request({
        method: "PUT",
        key: root + path,
        headers: {
          "content-type": options.contentType,
          "cache-control": options.cacheControl,
          ...sums(bytes),
          ...conditionHeaders(options),
        },
        body: bytes,
        ...withSignal(options.signal),
      });
      if (status === 200 || status === 204) return;
      if (options.condition === undefined) {
        throw new Error(`Cannot write ${name}/${path}: status ${status}`);
      }
      // 404 is an answer to If-Match where nothing is.
      throw new ConditionFailed(`Cannot write ${name}/${path}: somebody else wrote it`);
    },
    // A server keeps what it says it wrote.
    settle: () => Promise.resolve(),
    async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
      for await (const xml of pages(prefix, { signal })) {
        for (const [entry] of xml.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const key = xmlValue(entry, "Key") ?? "";
          const md5 = PLAIN_MD5.exec(xmlValue(entry, "ETag") ?? "")?.[1];
          yield {
            path: key.slice(root.length),
            bytes: Number(xmlValue(entry, "Size")),
            modified: Date.parse(xmlValue(entry, "LastModified") ?? ""),
            md5: () => Promise.resolve(md5),
          };
        }
      }
    },
    async folders(prefix: string, signal?: AbortSignal): Promise<string[]> {
      const names = new Set<string>();
      for await (const xml of pages(prefix, { delimiter: "/", signal })) {
        for (const [entry] of xml.matchAll(/<CommonPrefixes>.*?<\/CommonPrefixes>/gs)) {
          const found = xmlValue(entry, "Prefix") ?? "";
          names.add(found.slice(root.length + prefix.length).replace(/\/$/, ""));
        }
      }
      return [...names].sort();
    },
    async delete(paths: readonly string[], signal?: AbortSignal): Promise<void> {
      paths.forEach(checkObjectPath);
      for (let i = 0; i < paths.length; i += DELETED_AT_ONCE) {
        const keys = paths.slice(i, i + DELETED_AT_ONCE).map((path) => root + path);
        const body = new TextEncoder().encode(
          // The characters of object paths need no escape.
          `<Delete><Quiet>true</Quiet>${
            keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")
          }</Delete>`,
        );
        const { bytes } = await client.request({
          method: "POST",
          key: "",
          query: { delete: "" },
          headers: { "content-type": "application/xml", ...sums(body) },
          body,
          ...withSignal(signal),
        });
        const [failed] = /<Error>.*?<\/Error>/s.exec(new TextDecoder().decode(bytes)) ?? [];
        if (failed === undefined) continue;
        const what = `s3://${bucket}/${xmlValue(failed, "Key")}`;
        throw new Error(`Cannot delete ${what}: ${xmlValue(failed, "Code")}`);
      }
    },
  };
}

/** A place in a bucket. */
export interface S3Place {
  bucket: string;
  prefix: string;
}

interface Listing {
  delimiter?: string;
  signal: AbortSignal | undefined;
}

function etagOf({ headers }: S3Answer, what: string): string {
  const etag = headers.get("etag");
  if (etag === null) throw new Error(`Cannot read ${what}: the answer has no ETag`);
  return etag.replace(/^W\//, ""); // Weak where something on the way compressed the body
}

/** The server holds the body against both: a damaged upload is refused, and tried again. */
function sums(bytes: Uint8Array): Record<string, string> {
  return {
    "content-md5": createHash("md5").update(bytes).digest("base64"),
    "x-amz-content-sha256": sha256(bytes),
  };
}

function conditionHeaders({ condition }: PutOptions): Record<string, string> {
  if (condition === undefined) return {};
  return "ifAbsent" in condition ? { "if-none-match": "*" } : { "if-match": condition.ifMatch };
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
