import assert from "node:assert/strict";
import { serve } from "../../serve.ts";
import { fileURLToPath } from "node:url";
import { tempDir } from "../compile/files.ts";
import { BUCKET, type S3Server, serveS3 } from "../publish/s3_server.ts";
import { chainObjects, type Days, s3Environment, twoDays, writeRoot } from "../publish/world.ts";
import { ends, snapshotWith } from "./snapshot_root.ts";

interface Place extends AsyncDisposable {
  path: string;
  days: Days;
  /** The two built roots. */
  roots: [string, string];
}

async function place(): Promise<Place> {
  const dir = await tempDir();
  const days = await twoDays();
  const roots: [string, string] = [`${dir.path}/first`, `${dir.path}/second`];
  await writeRoot(roots[0], days.first);
  await writeRoot(roots[1], days.second);
  return { ...dir, days, roots };
}

function toServer(server: S3Server, ...args: string[]) {
  return snapshotWith(s3Environment(server), ...args);
}

Deno.test("publish, status, rollback and gc work on a folder from one day to the next", async () => {
  await using here = await place();
  const { days: { first, second }, roots, path } = here;
  const target = `${path}/public`;
  assert.match((await ends(1, "status", target)).out, /^current +nothing is published at /);

  const one = await ends(0, "publish", roots[0], target, "--first");
  assert.equal(one.out, `${first.id} is current, number 1\n`);
  assert.match(one.err, /^Sent \d+ objects, 0\.0 MB; 0 were there already; /m);
  const two = await ends(0, "publish", roots[1], target);
  assert.equal(two.out, `${second.id} is current, number 2; before it ${first.id}\n`);
  const again = await ends(0, "publish", roots[1], target);
  assert.equal(again.out, `${second.id} was current already\n`);
  await ends(0, "show", target, "150");
  await ends(0, "verify", target);

  const back = await ends(0, "rollback", target, "--reason", "Dockets are missing");
  const said = `${first.id} (data of 2026-10-03) is current, number 3; withdrawn ${second.id}\n`;
  assert.equal(back.out, said);
  const refused = await ends(1, "publish", roots[1], target);
  assert.match(refused.err, /it was withdrawn on .* \(Dockets are missing\)/);
  const status = await ends(0, "status", target);
  const head = new RegExp(`^current +${first.id}\ndata of +2026-10-03, \\d+ days ago\n`);
  assert.match(status.out, head);
  assert.match(status.out, /^number +3\nreason +Dockets are missing\nwithdrawn +2026-10-04-/m);
  assert.match(status.out, /^lease +free$/m);
  const json = JSON.parse((await ends(0, "status", target, "--json")).out);
  assert.equal(json.pointer.sequence, 3);
  const ids = json.snapshots.map(({ id }: { id: string }) => id).sort();
  assert.deepEqual(ids, [first.id, second.id]);

  const forced = await ends(0, "publish", roots[1], target, "--force", "It was right");
  assert.match(forced.err, /^Overridden by --force: it was withdrawn/m);
  const kept = new RegExp(`^${first.id} +\\d+ objects, 0\\.0 MB +kept: the pointer names`, "m");
  assert.match((await ends(0, "status", target)).out, kept);
});

Deno.test("gc and status say what is kept, for how long, and what it costs on R2", async () => {
  await using here = await place();
  const target = `${here.path}/public`;
  await ends(0, "publish", here.roots[0], target, "--first");
  const less = await ends(0, "publish", here.roots[1], target, "--keep-days", "3");
  assert.match(less.err, /^From now on 3 days and 0 month ends are kept$/m);
  assert.equal(
    (await ends(0, "gc", target)).out,
    "Kept: 2 snapshots from 2026-10-03 (2 for the last 3 days, 0 for 0 month ends), 0 of them " +
      "without search index; in all 2 snapshots of 0.0 GB, on R2 about $0.00 a month at $0.015 per GB\n",
  );
  const { objects, chain } = chainObjects({
    first: "2026-09-29",
    days: 16,
    without: ["2026-10-07", "2026-10-08"],
  });
  const root = `${here.path}/chain`;
  await writeRoot(root, { source: { objects } });
  for (const path of objects.keys()) {
    const i = chain.findIndex(({ id }) => path.startsWith(`s/${id}/`));
    const written = Date.now() / 1000 - (chain.length - 1 - i) * 86_400;
    await Deno.utime(`${root}/${path}`, written, written);
  }
  const { out } = await ends(0, "status", root);
  assert.match(
    out,
    /^chain +14 snapshots since 2026-09-29, 2 days missing: after 2026-10-06 \(2\)$/m,
  );
  assert.match(
    out,
    /^kept +10 snapshots from 2026-09-30 \(9 for the last 10 days, 1 for 1 month ends\), 0 of/m,
  );
  assert.match(out, /^2026-09-29 +\S+ objects, .* gc removes it$/m);
  assert.match(
    out,
    /^2026-09-30 .* kept: the last of 2026-09; gc removes its search index and export$/m,
  );
  const removed = await ends(0, "gc", root);
  assert.match(removed.out, /^2026-09-29 .* removed\n[^]*^Kept: 10 snapshots from 2026-09-30/m);
  assert.match(removed.out, /^2026-09-30 .* search index and export removed$/m);
  const after = await ends(0, "status", root);
  assert.match(after.out, /^kept .* [1-9] of them without search index$/m);
  assert.match(after.out, /^[1-9] more without search index; --json lists them$/m);
  assert.doesNotMatch(after.out, /^problem|gc removes/m);
});

Deno.test("publish to S3 reads back from --public-url and notifies --purge-url, with a token", async () => {
  await using here = await place();
  await using server = serveS3();
  const received: [string | null, unknown][] = [];
  await using hook = serve(async (request) => {
    received.push([request.headers.get("authorization"), await request.json()]);
    return new Response(null, { status: received.length === 1 ? 200 : 500 });
  });
  const publicUrl = `${server.url}/${BUCKET}/`;
  const env = { ...s3Environment(server), PURGE_TOKEN: "a token" };
  const purge = ["--purge-url", `${hook.url}/hook?key=hidden`];
  const [first, second] = here.roots;
  const publish = (root: string, url: string) =>
    snapshotWith(env, "publish", root, `s3://${BUCKET}`, "--first", "--public-url", url, ...purge);
  const one = await publish(first, publicUrl);
  assert.equal(one.code, 0, one.err);
  const two = await publish(second, publicUrl);
  assert.equal(two.code, 0, two.err);
  const { first: { id: a }, second: { id: b } } = here.days;
  const pointer = `${publicUrl}current.json`;
  assert.deepEqual(received, [
    ["Bearer a token", { snapshot: a, previous: null, pointer }],
    ["Bearer a token", { snapshot: b, previous: a, pointer }],
  ]);
  assert.match(two.err, /^Cannot purge at 127\.0\.0\.1:\d+ answered with status 500\. Caches/m);
  assert.ok(!two.err.includes("hidden") && !two.err.includes("a token"));
  const wrong = await publish(second, `${server.url}/x`);
  assert.equal(wrong.code, 1);
  const message = /read back from .*\/x: Cannot find ".*\. The pointer was not moved\. Is that/;
  assert.match(wrong.err, message);
});

Deno.test("publish refuses an S3 server that ignores conditions", async () => {
  await using here = await place();
  await using server = serveS3({ ignoresConditions: true });
  const refused = await toServer(server, "publish", here.roots[0], `s3://${BUCKET}`, "--first");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /ignores If-Match or If-None-Match on writes/);
  assert.deepEqual([...server.objects.keys()], ["publish.lock"]);
});

Deno.test("commands exit with 1 or 2 and say why when they cannot start", async () => {
  await using here = await place();
  const [first] = here.roots;
  const cases: [string[], number, RegExp][] = [
    [["publish", first, first], 1, /Cannot publish .* to itself/],
    [["publish", here.path, `${here.path}/t`], 1, /Cannot find "current\.json"/],
    [["publish", first, "s3://carriers"], 1, /set S3_ENDPOINT in the environment/],
    [["publish", first, "ftp://carriers"], 1, /Cannot publish to scheme "ftp"/],
    [["publish", first], 2, /missing required argument 'target'/],
    [["build", "--out", "t", "--data-date", "2026-02-30"], 2, /Give a day as YYYY-MM-DD/],
    // Regression: these were accepted as reasons.
    ...["", " ", "\u200b", "--first", "-", "x".repeat(1_001)].flatMap((reason) =>
      [
        ["publish", first, "t", "--force", reason],
        ["build", "--census", "c", "--inspections", "i", "--out", "t", "--force", reason],
        ["daily", "--to", "d", "--out", "t", "--force", reason],
        ["rollback", "t", "--reason", reason],
      ].map((args): [string[], number, RegExp] => [args, 2, /Give the reason in words, at most/])
    ),
    [["publish", first, "t", "--public-url", "x"], 2, /Give an http\(s\) address/],
    [["publish", first, "t", "--at-once", "0"], 2, /Give a number from 1/],
    [["publish", first, "t", "--keep-days", "-1"], 2, /Give a number from 0 to 9999/],
    [["rollback", `${here.path}/t`], 1, /nothing is published there/],
    [["gc", `${here.path}/t`], 1, /nothing is published there/],
  ];
  for (const [args, code, message] of cases) {
    const ended = await ends(code, ...args);
    assert.match(ended.err, message);
    assert.equal(ended.out, "");
  }
});

Deno.test({
  name:
    "publish stopped by Ctrl-C exits with 130, leaves the pointer unchanged and resumes when run again",
  ignore: Deno.build.os === "windows", // Windows can't send SIGINT to another process
  async fn() {
    await using here = await place();
    await using server = serveS3();
    const cli = fileURLToPath(new URL("../../../pipeline/commands/cli.ts", import.meta.url));
    const args = ["publish", here.roots[0], `s3://${BUCKET}`, "--first", "--at-once", "1"];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", cli, ...args],
      env: s3Environment(server),
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let puts = 0;
    server.way.after = async ({ method, key }) => {
      if (method !== "PUT" || !key.startsWith("s/") || ++puts !== 4) return;
      child.kill("SIGINT");
      await child.status;
    };
    const { code, stderr } = await child.output();
    assert.equal(code, 130);
    const said = new TextDecoder().decode(stderr);
    assert.match(said, /Stopped: run the same command again to resume/);
    assert.equal(server.objects.has("current.json"), false);
    server.way.after = () => {};
    const again = await toServer(server, ...args);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /; [4-9] were there already/);
  },
});
