import assert from "node:assert/strict";
import { interpret } from "../../../pipeline/fmcsa/transfer.ts";

const NOW = Date.parse("2026-10-08T12:00:00Z");
const REQUEST = {
  url: "http://host/",
  from: 100,
  version: { url: "http://host/", etag: '"a"', if_range: '"a"', total: 200 },
};

function kindOf(contentRange: string, etag = '"a"'): string {
  const headers = new Headers({ "content-range": contentRange, etag });
  return interpret({ status: 206, headers }, { request: REQUEST, now: NOW }).kind;
}

Deno.test("interpret() accepts a range only when it fits the part in every number", () => {
  assert.equal(kindOf("bytes 100-199/200"), "range");
  assert.equal(kindOf("bytes 100-149/200"), "range");
  assert.equal(kindOf("bytes 100-199/*"), "range");
  for (
    const range of [
      "bytes 99-199/200",
      "bytes 100-199/201",
      "bytes 100-200/200",
      "bytes 100-99/200",
      "bytes */200",
      "items 100-199/200",
      "bytes 100-1e2/200",
      "",
    ]
  ) {
    assert.equal(kindOf(range), "restart", range);
  }
  assert.equal(kindOf("bytes 100-199/200", '"b"'), "restart");
  assert.equal(kindOf("bytes 100-199/200", ""), "restart");
});

Deno.test("interpret() restarts when neither side knows the total", () => {
  const headers = new Headers({ "content-range": "bytes 100-149/*", etag: '"a"' });
  const { total: _, ...version } = REQUEST.version;
  const meaning = interpret({ status: 206, headers }, {
    request: { ...REQUEST, version },
    now: NOW,
  });
  assert.equal(meaning.kind, "restart");
});
