import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";
import type { CarrierRecord } from "../../../../pipeline/snapshot/record.ts";
import { record } from "../../../pipeline/snapshot/memory.ts";
import { siteOf } from "../../app.ts";

const PATH = "/carriers/7/card.png";

/** Reads the picture of a carrier: whether a pixel is paper, row by row. */
async function pictureOf(carrier: Partial<CarrierRecord>) {
  const response = await siteOf([record(7, carrier)]).visit(PATH);
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/png"]);
  const bytes = await response.bytes();
  assert.ok(bytes.length < 60_000, `${bytes.length} bytes`);
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  assert.deepEqual([width, height], [1200, 630]);
  const isPaper = (x: number, y: number): boolean =>
    data.readUInt32BE(4 * (y * width + x)) === PAPER;
  return { isPaper, pixels: data.toString("base64") };
}

const PAPER = 0xfcfbf8ff;

Deno.test("the picture of a carrier changes with its name, place and status", async () => {
  const facts: Partial<CarrierRecord>[] = [
    { legal_name: "AKRON TRANSPORT" },
    { legal_name: "AKRON TRANSPORTS" },
    { legal_name: "AKRON TRANSPÓRT" },
    { legal_name: "AKRON TRANSPORT", city: "AKRON", state: "OH" },
    { legal_name: "AKRON TRANSPORT", status: "I" },
    { legal_name: "AKRON TRANSPORT", status: "P" },
  ];
  const pictures = new Set<string>();
  for (const each of facts) pictures.add((await pictureOf(each)).pixels);
  assert.equal(pictures.size, facts.length);
  const { pixels } = await pictureOf({ ...facts[0], power_units: 9 });
  assert.ok(pictures.has(pixels), "what the picture doesn't say doesn't change it");
});

Deno.test("the text of a picture stays within its margins, whatever the name is", async () => {
  const names = [
    "W".repeat(500),
    "LONG WORDS ".repeat(50),
    "</title><script>alert(1)</script>\u202eGNOL\r\n",
    "Ñandú Çelik Łódź 运输",
    "运输",
    "\u200b\u3164",
    "",
    "Å".normalize("NFD").repeat(100),
  ];
  for (const legal_name of names) {
    const { isPaper } = await pictureOf({ legal_name, city: legal_name, state: "OH" });
    const rows = [...Array(600).keys()];
    assert.ok(rows.every((y) => isPaper(70, y) && isPaper(1125, y)), legal_name.slice(0, 20));
    assert.ok(rows.some((y) => y > 160 && y < 400 && !isPaper(100, y)), "a name or the number");
  }
});

Deno.test("a character without a glyph is a box, and a name of them alone the USDOT number", async () => {
  const [one, other, number] = [
    await pictureOf({ legal_name: "运 LTD" }),
    await pictureOf({ legal_name: "输 LTD" }),
    await pictureOf({ legal_name: "USDOT 7" }),
  ];
  assert.equal(one.pixels, other.pixels);
  assert.equal((await pictureOf({ legal_name: "运输" })).pixels, number.pixels);
});

Deno.test("the picture is cached and revalidated as its page is", async () => {
  const { visit } = siteOf([record(7)]);
  const { headers } = await visit(PATH, { method: "HEAD" });
  assert.deepEqual(
    ["vary", "snapshot-id", "cdn-cache-control"].map((name) => headers.get(name)),
    ["Accept-Encoding", "a", "public, max-age=300"],
  );
  const picture = await visit(PATH, { headers: { "Accept-Encoding": "gzip" } });
  assert.equal(picture.headers.get("content-encoding"), null);
  const { length } = await picture.bytes();
  assert.equal(headers.get("content-length"), String(length));
  const etag = headers.get("etag")!;
  const again = await visit(PATH, { headers: { "If-None-Match": etag } });
  assert.deepEqual([again.status, (await again.bytes()).length], [304, 0]);
});
