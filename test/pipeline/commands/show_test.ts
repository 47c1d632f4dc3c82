import assert from "node:assert/strict";
import { snapshot, snapshotRoot } from "./snapshot_root.ts";

const place = await snapshotRoot({ notice: "Sample \u001b[31mrows" });
const { root, id } = place;

Deno.test.afterAll(async () => await place[Symbol.asyncDispose]());

Deno.test("show prints one record as a JSON object and names the snapshot", async () => {
  const { code, out, err } = await snapshot("show", root, "00286764");
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).legal_name, "GENERAL TRANSPORT INC");
  assert.match(out, /^\{\n {2}"dot": 286764,\n/);
  assert.equal(err, `Snapshot ${id}, data of 2026-10-03\nNotice: Sample \\u001b[31mrows\n`);
});

Deno.test("show prints records in the order asked and exits 1 when one is missing", async () => {
  const { code, out, err } = await snapshot("show", root, "286764", "99999999", "254", "5");
  assert.equal(code, 1);
  const dots = [...out.matchAll(/^ {2}"dot": (\d+),$/gm)].map(([, dot]) => dot);
  assert.deepEqual(dots, ["286764", "254"]);
  assert.match(err, /^USDOT number 99999999 is not in this snapshot$/m);
  assert.match(err, /^USDOT number 5 is not in this snapshot$/m);
});

Deno.test("show reads over http as from a folder, one shard a carrier", async () => {
  const asked: string[] = [];
  await using site = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async ({ url }) => {
      const { pathname } = new URL(url);
      asked.push(pathname);
      return new Response(await Deno.readFile(root + pathname));
    },
  );
  const local = await snapshot("show", root, "286764", "254", "286764");
  const remote = await snapshot(
    "show",
    `http://127.0.0.1:${site.addr.port}/`,
    "286764",
    "254",
    "286764",
  );
  assert.deepEqual(remote, local);
  assert.deepEqual(asked.toSorted(), [
    "/current.json",
    `/s/${id}/carriers/2.json.gz`,
    `/s/${id}/carriers/2867.json.gz`,
    `/s/${id}/manifest.json`,
  ]);
});

Deno.test("show prints nothing when the arguments, the snapshot or an object are bad, and says which", async () => {
  await Deno.truncate(`${root}/s/${id}/carriers/2867.json.gz`, 30);
  const cases: [string[], number, RegExp][] = [
    [["nowhere", "254", "12A"], 2, /Cannot parse USDOT number 12A: not a digit at position 3/],
    [[root], 2, /missing required argument 'dot'/],
    [[place.dir, "254"], 1, /current\.json/],
    [[root, "254", "286764"], 1, /carriers\/2867\.json\.gz/],
  ];
  for (const [args, expected, message] of cases) {
    const { code, out, err } = await snapshot("show", ...args);
    assert.deepEqual([code, out], [expected, ""], args.join(" "));
    assert.match(err, message);
  }
});
