import assert from "node:assert/strict";
import { serve } from "../../serve.ts";
import { until } from "../../until.ts";
import { StepError } from "../../../pipeline/commands/daily.ts";
import type { BuildReport } from "../../../pipeline/audit/report.ts";
import { tree } from "../compile/files.ts";
import { ends } from "./snapshot_root.ts";
import { dayFile, startUpstream, type Upstream } from "./upstream.ts";

async function report(dir: string): Promise<BuildReport> {
  return JSON.parse(await Deno.readTextFile(`${dir}/report.json`));
}

async function failure(run: Promise<unknown>): Promise<StepError> {
  const error = await run.then(() => undefined, (error) => error);
  assert.ok(error instanceof StepError, String(error));
  return error;
}

/** Serves a tenth of the census, which breaks a bound. */
function serveLittle(upstream: Upstream, day: number): void {
  upstream.serve("census", dayFile("census", day).split("\n").slice(0, 101).join("\n") + "\n", day);
}

/** The command's arguments for one day here. */
function argumentsOf({ dir, out, census, inspections }: Upstream): string[] {
  const urls = ["--census", census.url, "--inspections", inspections.url];
  return ["daily", ...urls, "--to", `${dir}/data`, "--out", out];
}

Deno.test("daily accepts a normal next day and a normal next week, well inside every gate", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  await upstream.daily({ report: `${upstream.dir}/0` });
  const first = await report(`${upstream.dir}/0`);
  assert.ok(first.gates.every(({ name }) => !/_rows|changed_|left|fleets|golden/.test(name)));
  for (const day of [1, 8]) {
    upstream.serveDay(day);
    await upstream.daily({ report: `${upstream.dir}/${day}` });
    const { gates } = await report(`${upstream.dir}/${day}`);
    assert.ok(gates.length >= 65, `${gates.length} gates`);
    for (const { name, measured, unit, bound, passed, overridden } of gates) {
      assert.ok(passed && !overridden, name);
      // Half of what is allowed: if a normal day gets near a bound, some day will break it.
      if (unit === "points") assert.ok(Math.abs(measured) <= bound.max! / 2, `${name} ${measured}`);
      if (/^changed_/.test(name)) assert.ok(measured <= bound.max! / 2, `${name} ${measured}`);
    }
  }
  const { gates } = await report(`${upstream.dir}/8`);
  const written = await documentedGates();
  for (const { name } of gates) assert.ok(written.some((gate) => gate.test(name)), name);
  for (const gate of written) assert.ok(gates.some(({ name }) => gate.test(name)), String(gate));
});

/** The gates in FORMAT.md, as patterns. */
async function documentedGates(): Promise<RegExp[]> {
  const url = new URL("../../../pipeline/snapshot/FORMAT.md", import.meta.url);
  const table = (await Deno.readTextFile(url)).split("| gate ")[1]!.split("\n\n")[0]!;
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) =>
    new RegExp(
      `^${
        name!.replace("<file>", "(census|inspections)")
          .replace("<kind>", "(vehicle|driver|hazmat)")
          .replace(/<(member|figure)>/, "[a-z0-9_]+")
      }$`,
    )
  );
}

Deno.test("daily publishes the finished build when publishing failed before, and builds nothing from the same files", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  const summary = `${upstream.dir}/summary.md`;
  // A folder can't be created in place of a file.
  const { step } = await failure(
    upstream.daily({ summary, target: `${upstream.out}/current.json/public` }),
  );
  assert.equal(step, "publish");
  const written = await Deno.readTextFile(summary);
  assert.match(
    written,
    /^## Stopped at publish: .*Not a directory/,
  );
  assert.match(written, /^ {2}Company census +1,000 +1,000 +0 +0 /m);
  const before = await tree(upstream.out);
  // The same bytes with a new date are not newer data.
  for (const role of ["census", "inspections"] as const) upstream.serve(role, dayFile(role, 0), 3);
  const unchanged = /^Unchanged: .* was made from these very files\. .* is current, number 1$/;
  assert.match(await upstream.daily({ target: `${upstream.dir}/public` }), unchanged);
  assert.deepEqual(await tree(upstream.out), before);
});

Deno.test("daily in an empty folder compares with the snapshot at --previous, over HTTP", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  // Bounds must not disappear silently.
  const nowhere = await failure(upstream.daily({ previous: `${upstream.dir}/none` }));
  assert.match(nowhere.message, /Cannot find "current\.json"/);
  assert.equal(await upstream.pointer(), "");
  await upstream.daily();
  let failing = 1;
  await using site = serve(async ({ url }) => {
    if (failing-- > 0) return new Response(null, { status: 503 });
    const { pathname } = new URL(url);
    return new Response(await Deno.readFile(upstream.out + pathname).catch(() => null));
  });
  const previous = site.url;
  const out = `${upstream.dir}/fresh`;
  assert.match(await upstream.daily({ out, previous }), /^Unchanged: /);
  await assert.rejects(Deno.stat(`${out}/current.json`), Deno.errors.NotFound);
  serveLittle(upstream, 1);
  assert.match((await failure(upstream.daily({ out, previous }))).message, /had 1000/);
  upstream.serveDay(1);
  const reports = `${upstream.dir}/left`;
  assert.match(await upstream.daily({ out, previous, report: reports }), /^Built /);
  const { drift } = await report(reports);
  assert.equal(drift?.previous, JSON.parse(await upstream.pointer()).snapshot);
});

Deno.test("daily --force overrides a broken bound, and the snapshot records which and why", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  await upstream.daily();
  serveLittle(upstream, 1);
  const reports = `${upstream.dir}/left`;
  const summary = `${upstream.dir}/summary.md`;
  await failure(upstream.daily({ report: reports, summary }));
  const refused = (await report(reports)).gates.find(({ name }) => name === "census_rows");
  assert.deepEqual([refused?.measured, refused?.passed, refused?.overridden], [-90, false, false]);
  const said = await Deno.readTextFile(summary);
  assert.match(said, /^ {2}census rows +-90% +-1 to 5% +broken$/m);
  const page = await Deno.readTextFile(`${reports}/report.html`);
  assert.match(page, /<th scope="row">census rows<\/th>/);
  await upstream.daily({ force: "FMCSA removed carriers", report: reports, summary });
  const passed = await report(reports);
  assert.equal(passed.forced, "FMCSA removed carriers");
  assert.ok(passed.gates.find(({ name }) => name === "census_rows")?.overridden);
  const { snapshot } = JSON.parse(await upstream.pointer());
  const manifest = await Deno.readTextFile(`${upstream.out}/s/${snapshot}/manifest.json`);
  assert.equal(JSON.parse(manifest).forced, "FMCSA removed carriers");
  assert.match(await Deno.readTextFile(summary), /^Forced: FMCSA removed carriers$/m);
});

Deno.test("fetch prints what it fetched, and daily's exit code identifies the step that failed", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  const fetched = await ends(0, "fetch", ...argumentsOf(upstream).slice(1, -2));
  assert.match(fetched.out, /company_census\.csv: fetched, \d\.\d MB, sha256 [0-9a-f]{64}\n/);
  assert.match(fetched.out, /vehicle_inspection\.csv: fetched/);
  const args = [...argumentsOf(upstream), "--first"];
  assert.match((await ends(0, ...args)).out, /^Built /);
  upstream.census.behavior.instead.push(() => new Response(null, { status: 404 }));
  await ends(11, ...args);
  serveLittle(upstream, 1);
  const { err } = await ends(12, ...args);
  assert.match(err, /Stopped at build: The build stopped, nothing was changed/);
  upstream.serveDay(0);
  const { snapshot: id } = JSON.parse(await upstream.pointer());
  await Deno.truncate(`${upstream.out}/s/${id}/carriers/5.json.gz`, 10);
  await ends(13, ...args);
  await ends(2, "daily");
});

Deno.test("daily stopped by Ctrl-C exits with 130 and later resumes where it stopped", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  const { onChunk, chunkBytes } = upstream.inspections.behavior;
  upstream.inspections.behavior.onChunk = async (sent) => {
    if (sent >= 10 * chunkBytes) await new Promise(() => {});
  };
  const cli = new URL("../../../pipeline/commands/cli.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", cli, ...argumentsOf(upstream)],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const part = `${upstream.dir}/data/vehicle_inspection.csv.part`;
  const size = async () => (await Deno.stat(part).catch(() => null))?.size;
  await until("the part is there", async () => await size() === 10 * chunkBytes);
  child.kill("SIGINT");
  const { code, stderr } = await child.output();
  assert.equal(code, 130);
  assert.match(new TextDecoder().decode(stderr), /Stopped: run the same command again to resume/);
  upstream.inspections.behavior.onChunk = onChunk;
  assert.match(await upstream.daily(), /^Built /);
  assert.ok(upstream.inspections.requests.at(-1)!.has("range"), "what had come was fetched again");
});

Deno.test("daily --target publishes its build once, and nothing smaller from a fresh or hand-made --out", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  const { dir } = upstream;
  const target = `${dir}/public`;
  const pointer = () => Deno.readTextFile(`${target}/current.json`);
  await upstream.daily();
  const args = [...argumentsOf(upstream), "--target", target, "--first"];
  const one = await ends(0, ...args);
  assert.match(one.out, /^Unchanged: .*\. \S+ is current, number 1\n$/);
  assert.match(
    one.err,
    /^== gc\nKept: 1 snapshot from 2026-10-03 \(1 for the last 8 days, .* a month at /m,
  );
  const published = await pointer();
  assert.equal(JSON.parse(published).snapshot, JSON.parse(await upstream.pointer()).snapshot);
  assert.match((await ends(0, ...args)).out, /was current already\n$/);

  const tenth = /company_census\.csv has 100 rows, the previous snapshot had 1000/;
  serveLittle(upstream, 1);
  for (const first of [[], ["--first"]]) {
    const out = ["--out", `${dir}/fresh`, "--target", target, ...first];
    assert.match((await ends(12, ...argumentsOf(upstream), ...out)).err, tenth);
  }
  const hand = `${dir}/hand`;
  const files = ["--census", `${dir}/data/company_census.csv`, "--inspections"];
  const build = ["build", ...files, `${dir}/data/vehicle_inspection.csv`, "--out", hand];
  const refused = await ends(1, ...build, "--no-search");
  assert.match(refused.err, /Nothing is current in .*\/hand, .* give --first/);
  await ends(0, ...build, "--no-search", "--first");
  // The manual build doesn't follow the published snapshot, so it is built again.
  const byHand = await ends(12, ...argumentsOf(upstream), "--out", hand, "--target", target);
  assert.match(byHand.err, tenth);
  const alone = await ends(1, "publish", hand, target);
  assert.match(alone.err, /Cannot publish .*, nothing was changed:\n.* a new chain would begin/);
  const none = await ends(1, "publish", hand, `${dir}/empty`);
  assert.match(none.err, /Nothing is current in .*\/empty\. .* give --first/);
  assert.equal(await pointer(), published);
});

Deno.test("daily after a rollback follows the snapshot rolled back to, and a single chain remains", async () => {
  await using upstream = await startUpstream();
  const target = `${upstream.dir}/public`;
  const current = async () => JSON.parse(await Deno.readTextFile(`${target}/current.json`));
  const ids: string[] = [];
  for (const day of [0, 1]) {
    upstream.serveDay(day);
    await upstream.daily({ target });
    ids.push((await current()).snapshot);
  }
  await ends(0, "rollback", target, "--reason", "A test");
  const refused = await failure(upstream.daily({ target }));
  assert.deepEqual([refused.step, /withdrawn/.test(refused.message)], ["publish", true]);
  upstream.serveDay(2);
  const other = `${upstream.dir}/other`;
  assert.match(await upstream.daily({ target, out: other }), /is current, number 4/);
  ids.push((await current()).snapshot);
  const manifest = JSON.parse(await Deno.readTextFile(`${target}/s/${ids[2]}/manifest.json`));
  assert.equal(manifest.previous.id, ids[0]);
  const { chain, snapshots } = JSON.parse((await ends(0, "status", target, "--json")).out);
  assert.deepEqual([chain.snapshots, chain.kept, chain.problems], [2, 2, []]);
  assert.equal(snapshots.length, 3);
  await ends(0, "verify", target, "--of", ids[0]!);
  await ends(1, "verify", target, "--of", ids[1]!);
});
