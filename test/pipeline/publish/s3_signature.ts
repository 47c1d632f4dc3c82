/**
 * Signature version 4 as a server checks it, written from the specification and not with the library
 * that signs.
 *
 * @module
 */

import { createHash, createHmac } from "node:crypto";

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/** Whether a request was signed with the secret; null when it is not signed at all. */
export function isSignedWith(
  request: Request,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
): boolean | null {
  const { method, headers } = request;
  const authorization = headers.get("authorization");
  if (authorization === null) return null;
  const [, id, day, region, signed, signature] = AUTHORIZATION.exec(authorization) ?? [];
  const instant = headers.get("x-amz-date") ?? "";
  if (id !== accessKeyId || !instant.startsWith(day!)) return false;
  // What decides on the write must be signed, or somebody on the way could change it.
  for (const name of ["if-match", "if-none-match", "content-md5", "x-amz-content-sha256"]) {
    if (headers.has(name) && !signed!.split(";").includes(name)) return false;
  }
  const url = new URL(request.url);
  const canonical = [
    method,
    url.pathname.split("/").map((part) => encode(decodeURIComponent(part))).join("/"),
    [...url.searchParams].map((pair) => pair.map(encode).join("=")).sort().join("&"),
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

function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
