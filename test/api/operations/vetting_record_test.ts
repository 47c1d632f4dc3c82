/** Vetting records saved as JSON, verified without the service that made them. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { BODY_REVISION } from "../../../api/http/lookups.ts";
import { checkRecordFile } from "../../../api/operations/vetting_record.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { RefusedProof } from "../../../pipeline/snapshot/proof.ts";
import { GOLDEN_ROOT, PROVEN } from "../../pipeline/snapshot/proofs.ts";
import { siteOver } from "../../site/app.ts";

const { visit } = siteOver(folderSource(GOLDEN_ROOT));

async function saved(query = ""): Promise<string> {
  const response = await visit(`/carriers/${PROVEN}/record.json${query}`);
  assert.equal(response.status, 200);
  return await response.text();
}

const present = await saved();
const past = await saved("?as_of=2026-10-02");

const check = (text: string, saved?: string) =>
  checkRecordFile(text, { saved, revision: BODY_REVISION });

Deno.test("a saved record is verified without its service, against its manifest's hash or a later one's", async () => {
  const { snapshot, carrier } = JSON.parse(present);
  const found = await check(present, snapshot.manifest_sha256);
  assert.equal(found.anchor, "manifest");
  assert.equal(found.record.day, "2026-10-05");
  assert.deepEqual(JSON.parse(JSON.stringify(found.record.carrier)), carrier);
  // The record of a past day is chained to the snapshot that was current when it was saved.
  assert.equal((await check(past, snapshot.manifest_sha256)).anchor, "later.manifest");
  assert.equal((await check(past)).record.day, "2026-10-02");
  await assert.rejects(check(present, "0".repeat(64)), { part: "proof.manifest_sha256" });
});

/** The part reported when a member was changed. Members that must agree are reported together. */
const NAMED: Record<string, RegExp> = {
  looked_up_at: /^(looked_up_at|file|sha256)$/,
  as_of: /^(as_of|file)$/,
  carrier: /^(carrier|page_url)$/,
  proof: /^proof\./,
};

Deno.test("a saved record with any byte changed is rejected, and the error names the changed part", async () => {
  const places = [present, past].flatMap((text) =>
    Object.keys(JSON.parse(text)).map((member, i, all) => {
      const start = (name: string) => text.indexOf(`\n  "${name}": `);
      const from = start(member) + `\n  "${member}": `.length;
      const next = all[i + 1];
      return { text, member, from, to: next === undefined ? text.length - 3 : start(next) - 1 };
    })
  );
  assert.equal(places.filter(({ member }) => member === "past").length, 2);
  const place = fc.constantFrom(...places).chain((one) =>
    fc.record({ one: fc.constant(one), at: fc.integer({ min: one.from, max: one.to - 1 }) })
  );
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 1, max: 127 }), async ({ one, at }, bits) => {
      const { text, member } = one;
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bits) +
        text.slice(at + 1);
      const error = await check(changed).then(() => null, (error) => error);
      assert.ok(error instanceof RefusedProof, `${member} at ${at}: ${error}`);
      const isNamed = (NAMED[member] ?? new RegExp(`^${member}$`)).test(error.part);
      // The whole record where white space changed, or where it isn't JSON any more.
      assert.ok(isNamed || error.part === "record", `${member} at ${at}: ${error.message}`);
      if (error.part !== "record") return;
      assert.ok(!parses(changed) || /\s/.test(text[at]!) || isSameJson(changed, text));
    }),
    { numRuns: 400 },
  );
});

Deno.test("a record whose text and hash were both changed is rejected, and so is one from other code", async () => {
  const { sha256: _, ...record } = JSON.parse(past);
  const cases: [object, string][] = [
    [{ carrier: { ...record.carrier, verdict: "No issues found in this data." } }, "carrier"],
    [{ history: { ...record.history, changes: [], since: "2020-01-01" } }, "history"],
    [{ as_of: "2026-10-03" }, "file"],
    [{ as_of: undefined, looked_up_at: "yesterday" }, "looked_up_at"],
    [{ as_of: "2026-02-30" }, "as_of"],
    [{ revision: BODY_REVISION + 1 }, "revision"],
    [{ past: undefined }, "past"],
    [{ proof: null, not_proven: "Too old" }, "proof"],
    [{ proof: { ...record.proof, dot: 1 } }, "proof.dot"],
    [{ page_url: "https://elsewhere.example/carriers/99" }, "page_url"],
    [{ note: "Approved" }, "record"],
  ];
  for (const [change, part] of cases) {
    await assert.rejects(check(await resealed({ ...record, ...change })), { part }, part);
  }
  await assert.rejects(check("{"), { part: "record" });
});

async function resealed(members: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(members, null, 2));
  const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return `${JSON.stringify({ ...members, sha256 }, null, 2)}\n`;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isSameJson(a: string, b: string): boolean {
  return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
}
