import assert from "node:assert/strict";
import { versionOf } from "../../../pipeline/fmcsa/part.ts";
import { interpret, isMarkup, retryAfter } from "../../../pipeline/fmcsa/transfer.ts";

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

Deno.test("versionOf() names a validator for If-Range only when it is strong", () => {
  const date = "Mon, 05 Oct 2026 10:00:01 GMT";
  const early = "Mon, 05 Oct 2026 10:00:00 GMT";
  const cases: [Record<string, string>, string | undefined][] = [
    [{ etag: '"a"', "last-modified": early, date }, '"a"'],
    [{ etag: 'W/"a"', "last-modified": early, date }, undefined],
    [{ etag: "unquoted", "last-modified": early, date }, early],
    [{ "last-modified": early, date }, early],
    [{ "last-modified": date, date }, undefined],
    [{ "last-modified": early }, undefined],
    [{ "last-modified": "yesterday", date }, undefined],
    [{}, undefined],
  ];
  for (const [headers, expected] of cases) {
    assert.equal(versionOf("", new Headers(headers)).if_range, expected, JSON.stringify(headers));
  }
});

Deno.test("retryAfter() reads seconds and dates and nothing else", () => {
  assert.equal(retryAfter("120", NOW), 120_000);
  assert.equal(retryAfter("Thu, 08 Oct 2026 12:00:30 GMT", NOW), 30_000);
  assert.equal(retryAfter("Thu, 08 Oct 2026 11:00:00 GMT", NOW), 0);
  for (const value of [null, "", "soon", "-5", "1.5", "99999999999"]) {
    assert.equal(retryAfter(value, NOW), undefined, String(value));
  }
});

Deno.test("isMarkup() looks at the first byte that is not white space", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.equal(isMarkup(bytes("\ufeff\n <html>")), true);
  assert.equal(isMarkup(bytes("\ufeffMCS150_DATE,<")), false);
  assert.equal(isMarkup(bytes('"A"')), false);
  assert.equal(isMarkup(bytes(" \r\n")), undefined);
});
