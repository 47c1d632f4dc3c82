/** Whatever moves a pointer is compared with what the pointer names now. */

import assert from "node:assert/strict";
import { snapshot } from "./snapshot_root.ts";
import { dayFile, startUpstream, type Upstream } from "./upstream.ts";

const COMMON = { census: "company_census.csv", inspections: "vehicle_inspection.csv" };

/** A target of 3,000 carriers, published from `out`; nothing here may move its pointer. */
let upstream: Upstream;
let out: string;
let target: string;
let published: string;

Deno.test.beforeAll(async () => {
  upstream = await startUpstream();
  out = upstream.out;
  target = `${upstream.dir}/public`;
  await writeFiles("large", { day: 1 });
  await writeFiles("little", { day: 2, share: 0.1 });
  const built = await build("large", { out, first: true });
  assert.equal(built.code, 0, built.err);
  const first = await snapshot("publish", out, target, "--first");
  assert.equal(first.code, 0, first.err);
  published = await pointerOf(target);
});

Deno.test.afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
});

function pointerOf(root: string): Promise<string> {
  return Deno.readTextFile(`${root}/current.json`);
}

/** Writes the files of a day, with a share of the census, into a folder. */
async function writeFiles(name: string, { day, share = 1 }: { day: number; share?: number }) {
  await Deno.mkdir(`${upstream.dir}/${name}`);
  for (const [role, file] of Object.entries(COMMON) as [keyof typeof COMMON, string][]) {
    const lines = dayFile(role, day).split("\n");
    const kept = role === "census" ? lines.slice(0, 1 + share * (lines.length - 2)) : lines;
    const text = kept.join("\n").trimEnd() + "\n";
    await Deno.writeTextFile(`${upstream.dir}/${name}/${file}`, text);
  }
}

function build(
  files: string,
  { out, date = "2026-10-04", first = false }: { out: string; date?: string; first?: boolean },
) {
  const dir = `${upstream.dir}/${files}`;
  const flags = ["--out", out, "--no-search", "--data-date", date, ...(first ? ["--first"] : [])];
  const roles = Object.entries(COMMON).flatMap(([role, file]) => [`--${role}`, `${dir}/${file}`]);
  return snapshot("build", ...roles, ...flags);
}

/** Runs `daily` on the small files, onto the target. */
function daily(out: string, ...flags: string[]) {
  for (const role of ["census", "inspections"] as const) {
    const file = `${upstream.dir}/little/${COMMON[role]}`;
    upstream.serve(role, Deno.readFileSync(file), 2);
  }
  const urls = ["--census", upstream.census.url, "--inspections", upstream.inspections.url];
  const folders = ["--to", `${upstream.dir}/data`, "--out", out, "--target", target];
  return snapshot("daily", ...urls, ...folders, ...flags);
}

const TENTH = /company_census\.csv has 300 rows, the previous snapshot had 3000/;

Deno.test("daily with a fresh --out does not publish a tenth of the carriers, nor with --first", async () => {
  for (const flags of [[], ["--first"]]) {
    const run = await daily(`${upstream.dir}/fresh`, ...flags);
    assert.equal(run.code, 12, run.err);
    assert.match(run.err, TENTH);
    assert.equal(await pointerOf(target), published);
  }
});

Deno.test("build over a larger snapshot in its --out, of an earlier day, is refused", async () => {
  const before = await pointerOf(out);
  const run = await build("little", { out, date: "2026-10-02" });
  assert.equal(run.code, 1, run.err);
  assert.match(run.err, TENTH);
  assert.match(run.err, /is older than what is current: its newest day is 2026-10-02/);
  assert.match(run.err, /give --force "REASON"/);
  assert.equal(await pointerOf(out), before);
});

Deno.test("a manual build and then daily, or publish, does not publish a tenth of the carriers", async () => {
  const hand = `${upstream.dir}/hand`;
  const none = await build("little", { out: hand, date: "2026-10-05" });
  assert.equal(none.code, 1);
  assert.match(none.err, /Nothing is current in .*\/hand, .* give --first/);
  const built = await build("little", { out: hand, date: "2026-10-05", first: true });
  assert.equal(built.code, 0, built.err);
  const unchanged = await daily(hand);
  assert.equal(unchanged.code, 14, unchanged.err);
  assert.match(unchanged.err, /^Unchanged: [^]*Cannot publish .*, nothing was changed:/m);
  assert.match(unchanged.err, TENTH);
  const byHand = await snapshot("publish", hand, target, "--first");
  assert.equal(byHand.code, 1, byHand.err);
  assert.match(byHand.err, TENTH);
  assert.equal(await pointerOf(target), published);
  const empty = await snapshot("publish", hand, `${upstream.dir}/empty`);
  assert.equal(empty.code, 1);
  assert.match(empty.err, /Nothing is current in .*\/empty, .* give --first/);
});

Deno.test("a current report that is missing or altered refuses the next snapshot, until --force says why", async () => {
  const { snapshot: id } = JSON.parse(published);
  const report = `${target}/s/${id}/report.json`;
  const bytes = await Deno.readTextFile(report);
  await writeFiles("next", { day: 2 });
  const next = `${upstream.dir}/next-out`;
  const built = await build("next", { out: next, date: "2026-10-05", first: true });
  assert.equal(built.code, 0, built.err);
  await Deno.writeTextFile(report, bytes.replace('"rows":3000', '"rows":300'));
  const altered = await snapshot("publish", next, target);
  assert.equal(altered.code, 1, altered.err);
  assert.match(altered.err, /The report of \S+, which is current in .*, cannot be used: .*SHA-256/);
  await Deno.remove(report);
  const missing = await snapshot("publish", next, target);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /cannot be used: Cannot find .*report\.json/);
  assert.equal(await pointerOf(target), published);
  const forced = await snapshot("publish", next, target, "--force", "the report is lost");
  assert.equal(forced.code, 0, forced.err);
  assert.match(forced.err, /^Overridden by --force: The report of/m);
  assert.equal(JSON.parse(await pointerOf(target)).reason, "the report is lost");
  published = await pointerOf(target);
});
