import assert from "node:assert/strict";
import { serialize } from "node:v8";
import fc from "fast-check";
import { pack, PIECE_BYTES, unpack } from "../../../api/state/pieces.ts";

/** Bytes that no packer makes smaller. */
function noise(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

async function unpacked(pieces: Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob(await Array.fromAsync(unpack(pieces))).arrayBuffer());
}

Deno.test("unpack() gives back what pack() was given, in pieces that a store takes", async () => {
  const parts = fc.array(
    fc.record({
      noisy: fc.boolean(),
      length: fc.oneof(fc.nat(300), fc.nat(500_000)),
      seed: fc.nat(),
    }),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(7), async (parts, offset) => {
      const blob = new Blob(
        parts.map(({ noisy, length, seed }) =>
          noisy ? noise(length, seed) : new Uint8Array(length).fill(seed)
        ),
      );
      // A view in the middle of a buffer: only it is meant.
      const bytes = new Uint8Array(await blob.arrayBuffer()).subarray(offset);
      const pieces = pack(bytes);
      assert.deepEqual(await unpacked(pieces), new Uint8Array(bytes));
      for (const piece of pieces) {
        assert.ok(piece.length <= PIECE_BYTES);
        // A view of a larger buffer would be stored with all of it.
        assert.ok(serialize(piece).length < PIECE_BYTES + 100);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("pack() makes no piece of nothing, and few of text that repeats itself", async () => {
  assert.deepEqual(pack(new Uint8Array()), []);
  assert.equal((await unpacked([])).length, 0);
  assert.equal(pack(new Uint8Array(380_000).fill(65)).length, 1);
  assert.equal(pack(noise(384 * 1024, 5)).length, 8);
});

Deno.test("unpack() holds one piece at a time and refuses a damaged one", async () => {
  const taken: number[] = [];
  const pieces = pack(noise(200_000, 3));
  function* watched(): Generator<Uint8Array> {
    for (const [n, piece] of pieces.entries()) {
      taken.push(n);
      yield piece;
    }
  }
  const stream = unpack(watched());
  await stream.next();
  assert.deepEqual(taken, [0]);
  pieces[1] = pieces[1]!.slice(0, 1000);
  await assert.rejects(stream.next());
});
