import assert from "node:assert/strict";
import { snapshot, snapshotRoot } from "./snapshot_root.ts";

Deno.test("show prints one record as a JSON object and names the snapshot", async () => {
  await using place = await snapshotRoot({ notice: "Sample \u001b[31mrows" });
  const { code, out, err } = await snapshot("show", place.root, "00286764");
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).legal_name, "GENERAL TRANSPORT INC");
  assert.match(out, /^\{\n {2}"dot": 286764,\n/);
  assert.equal(
    err,
    `Snapshot ${place.id}, data of 2026-10-03\nNotice: Sample \\u001b[31mrows\n`,
  );
});

Deno.test("show prints records in the order asked and exits 1 when one is missing", async () => {
  await using place = await snapshotRoot();
  const { code, out, err } = await snapshot("show", place.root, "286764", "99999999", "254", "5");
  assert.equal(code, 1);
  const dots = [...out.matchAll(/^ {2}"dot": (\d+),$/gm)].map(([, dot]) => dot);
  assert.deepEqual(dots, ["286764", "254"]);
  assert.match(err, /^USDOT number 99999999 is not in this snapshot$/m);
  assert.match(err, /^USDOT number 5 is not in this snapshot$/m);
});

Deno.test("show refuses a bad number with exit code 2 and says where", async () => {
  const cases: [string, RegExp][] = [
    ["12A", /Cannot parse USDOT number 12A: not a digit at position 3/],
  ];
  for (const [text, message] of cases) {
    const { code, out, err } = await snapshot("show", "nowhere", "254", text);
    assert.equal(code, 2, text);
    assert.equal(out, "");
    assert.match(err, message);
  }
});

Deno.test("show exits 1 when there is no snapshot, and 2 without a number", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const { code, out, err } = await snapshot("show", dir, "254");
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, /current\.json/);
    assert.equal((await snapshot("show", dir)).code, 2);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("show reads over http as from a folder, one shard a carrier", async () => {
  await using place = await snapshotRoot();
  const asked: string[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const path = new URL(request.url).pathname;
      asked.push(path);
      try {
        return new Response(await Deno.readFile(place.root + path.replace("/data", "")));
      } catch {
        return new Response(null, { status: 404 });
      }
    },
  );
  const address = `http://127.0.0.1:${server.addr.port}/data/`;
  const local = await snapshot("show", place.root, "286764", "254", "286764");
  const remote = await snapshot("show", address, "286764", "254", "286764");
  assert.deepEqual(remote, local);
  assert.deepEqual(asked.toSorted(), [
    "/data/current.json",
    `/data/s/${place.id}/carriers/2.json.gz`,
    `/data/s/${place.id}/carriers/2867.json.gz`,
    `/data/s/${place.id}/manifest.json`,
  ]);
});

Deno.test("show says which object is broken and prints nothing of it", async () => {
  await using place = await snapshotRoot();
  const path = `${place.root}/s/${place.id}/carriers/2867.json.gz`;
  await Deno.truncate(path, 30);
  const { code, out, err } = await snapshot("show", place.root, "254", "286764");
  assert.equal(code, 1);
  assert.equal(out, "");
  assert.match(err, /carriers\/2867\.json\.gz/);
});
