/** The two sync clients that /developers/listChangeFiles shows, over a simulated month. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { positionOf, REFUSED_AT } from "../../../pipeline/snapshot/record/rows.ts";
import { serviceOn } from "../../api/discovery/contract.ts";
import { from } from "../../api/http/service.ts";
import { missingTool } from "../../missing_tool.ts";
import {
  buildDay,
  type Census,
  churn,
  dayAfter,
  KEEPS,
  random,
  readerOf,
  withRevision,
} from "../../pipeline/compile/chains.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { serve } from "../../serve.ts";

const CONTENT = new URL("../../../site/content/", import.meta.url).pathname;

/** A root as its clients see it: the files, and the service over it. */
function publish(dir: string): AsyncDisposable & { url: string } {
  const host = serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) {
      // Each request opens the root again: a service reads the pointer only once a minute.
      const app = serviceOn(openSource(host.url));
      return await app.fetch(new Request(`https://carriers.example${pathname}`), from());
    }
    const bytes = await Deno.readFile(`${dir}/out${pathname}`).catch(() => null);
    return new Response(bytes, { status: bytes === null ? 404 : 200 });
  });
  return host;
}

/** Rows by USDOT number, parsed as FORMAT.md says from the current snapshot's shards. */
async function filedRows(dir: string): Promise<Map<number, unknown>> {
  return await readerOf(dir).use(async (snapshot) => {
    const rows = new Map<number, unknown>();
    for (const [first, last] of snapshot.manifest.families.carriers.runs) {
      for (let n = first; n <= last; n++) {
        const shard = gunzipSync(await snapshot.read(`carriers/${n}.json.gz`)).toString();
        for (const row of JSON.parse(shard)) {
          if (typeof row[1] === "string") rows.set(row[0], withoutContact(row));
        }
      }
    }
    return rows;
  });
}

/** The simulated columns, without phone and address. */
function withoutContact(row: unknown[]): unknown[] {
  const refused = (row[REFUSED_AT] || {}) as Record<string, string>;
  const names =
    "legal_name status roles power_units mcs150_date crash_rate rating undeliverable dockets";
  return names.split(" ").map((name) => refused[name] ?? row[positionOf(name)] ?? "");
}

interface Client {
  name: string;
  db: string;
  run(): Promise<string>;
}

function clientsOf(dir: string, service: string, hasPython: boolean): Client[] {
  const client = (name: string, program: string, args: string[]): Client => ({
    name,
    db: `${dir}/${name}.db`,
    async run() {
      const all = [...args, `${CONTENT}${name}`, service, `${dir}/${name}.db`];
      const { success, stdout, stderr } = await new Deno.Command(program, { args: all }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    },
  });
  return [
    client("sync.ts", Deno.execPath(), ["run", "--quiet", "--no-config", "--no-lock", "-A"]),
    ...hasPython ? [client("sync.py", "python3", [])] : [],
  ];
}

function checkCopy({ name, db }: Client, rows: Map<number, unknown>, snapshot: string): void {
  using copy = new DatabaseSync(db, { readOnly: true });
  const found = copy.prepare("SELECT dot, row FROM carrier").all().map(({ dot, row }) => {
    const values = JSON.parse(row as string).map((value: unknown) =>
      (value as { refused?: string } | null)?.refused ?? value
    );
    for (const at of [2, 6, 25]) assert.equal(values[at] ?? "", "", "no phone number or address");
    return [dot as number, withoutContact(values)] as const;
  });
  assert.deepEqual(new Map(found), rows, name);
  assert.equal(copy.prepare("SELECT snapshot FROM state").get()?.snapshot, snapshot, name);
}

Deno.test("both clients of /developers match the snapshot on each day of a month, through gaps and a rollback", async () => {
  const hasPython = await new Deno.Command("python3", { args: ["--version"] }).output()
    .then(({ success }) => success, () => false) || !missingTool("Python");
  await using temp = await tempDir();
  const dir = temp.path;
  await using host = publish(dir);
  const clients = clientsOf(dir, host.url, hasPython);
  const pick = random(7);
  const dots = [1, 2, 98, 99, 100, 101, 250, 99_999, 100_000, 100_050, 5_000_000, 99_999_999];
  const census: Census = new Map(dots.slice(0, 8).map((dot) => [dot, {}]));
  // JavaScript, Python and others write the second number differently, so builds reject it.
  census.set(2, { RECORDABLE_CRASH_RATE: "0.0001" }).set(98, { RECORDABLE_CRASH_RATE: "0.00001" });
  let day = "2026-01-30";
  const build = async () => await buildDay(dir, { day, census });
  const checkAll = async (snapshot: string, expected: RegExp) => {
    const rows = await filedRows(dir);
    await Promise.all(clients.map(async (client) => {
      assert.match(await client.run(), expected, `${client.name} on ${day}`);
      checkCopy(client, rows, snapshot);
    }));
  };
  const FOLLOWED = /^20\S+ \d+ [0-9a-f]{16}\n$/;
  const LOADED = /^Loads the whole snapshot\n20\S+ \d+ [0-9a-f]{16}\n$/;
  await checkAll(await build(), LOADED);
  for (let n = 1; n <= 30; n++) {
    // A gap, a second file of the same day, and a member whose parser changes for a day.
    if (n !== 12) day = dayAfter(day, n === 9 ? 3 : 1);
    churn(census, dots, pick);
    const id = n === 15 ? await withRevision("power_units", build) : await build();
    // Some clients skip days.
    if (n % 5 === 0 && n !== 20) continue;
    await checkAll(id, FOLLOWED);
    if (n === 17) {
      for (const { db } of clients) {
        using copy = new DatabaseSync(db);
        const { previous } = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
        copy.prepare("UPDATE state SET snapshot = ?").run(previous.snapshot);
      }
      // They apply a file a second time.
      await checkAll(id, FOLLOWED);
    }
    if (n === 20) {
      const { previous } = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
      const back = { format: 3, keeps: KEEPS, ...previous };
      await Deno.writeTextFile(`${dir}/out/current.json`, JSON.stringify(back));
      await checkAll(previous.snapshot, LOADED);
    }
  }
  // A damaged copy lacks a carrier: one that the day's file changes, or another.
  for (const dot of [1, 2]) {
    for (const { db } of clients) {
      using copy = new DatabaseSync(db);
      copy.prepare("DELETE FROM carrier WHERE dot = ?").run(dot);
    }
    census.set(1, { ...census.get(1), LEGAL_NAME: `CHANGED TODAY ${dot}` });
    day = dayAfter(day);
    await checkAll(await build(), LOADED);
  }
  // Too old: the root keeps only three days.
  const pointer = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
  for (const { db } of clients) {
    using copy = new DatabaseSync(db);
    copy.exec("UPDATE state SET snapshot = '2026-01-30-0000000000000000'");
  }
  await checkAll(pointer.snapshot, LOADED);
});
