import assert from "node:assert/strict";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { gunzip } from "../../pipeline/bytes.ts";

const MAX_BYTES = 10_000;

/** The result of decompressing with and without zlib, which must be equal. */
async function both(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const outcome = (...without: null[]): Promise<string> =>
    gunzip(bytes, MAX_BYTES, ...without).then(
      (text) => text.toHex(),
      () => "refused",
    );
  const [sync, stream] = await Promise.all([outcome(), outcome(null)]);
  assert.equal(sync, stream);
  return sync;
}

Deno.test("gunzip() returns the same with zlib as without, as in a browser", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1 }),
      fc.integer({ min: 1, max: 2_000 }),
      async (bytes, times) => {
        const text = new Uint8Array(times * bytes.length).map((_, i) => bytes[i % bytes.length]!);
        const packed = new Uint8Array(gzipSync(text));
        assert.equal(await both(packed), text.length > MAX_BYTES ? "refused" : text.toHex());
        if (text.length > MAX_BYTES) return;
        assert.equal(await both(packed.slice(0, -1)), "refused");
        assert.equal(await both(new Uint8Array([...packed, ...packed])), "refused");
        assert.equal(await both(new Uint8Array([...packed, 1, 2, 3])), "refused");
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("gunzip() returns data that isn't gzip unchanged", async () => {
  assert.equal(await both(new Uint8Array([1, 2, 3])), "010203");
});
