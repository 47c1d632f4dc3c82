/** The change files of 7 and 31 days. */

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { foldChanges } from "../../../pipeline/compile/changes/folded_changes.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import { FILED_MEMBERS, filedRow } from "../../../pipeline/snapshot/record/filed.ts";
import { hashText, rowHash } from "../../../pipeline/snapshot/record/filed_hash.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { cutRow } from "../../../pipeline/snapshot/record/rows.ts";
import {
  buildDay,
  type Census,
  churn,
  dayAfter,
  random,
  readerOf,
  withRevision,
} from "./chains.ts";
import { tempDir } from "./files.ts";

interface Change {
  dot: number;
  op: string;
  set?: Record<string, unknown>;
  between: [string, string];
}

type Copy = ReadonlyMap<number, unknown[]>;

function applied(copy: Copy, changes: Change[]): Copy {
  const next = new Map(copy);
  for (const { dot, op, set = {} } of changes) {
    const old = op === "MOD" ? next.get(dot) ?? [] : [];
    if (op === "DEL") next.delete(dot);
    else {
      next.set(
        dot,
        cutRow(FILED_MEMBERS.map((name, i) => i === 0 ? dot : set[name] ?? old[i] ?? "")),
      );
    }
  }
  return next;
}

function hashOfRows(copy: Copy): string {
  return hashText([...copy.values()].reduce((sum, row) => sum + rowHash(row), 0n));
}

function linesIn(bytes: Uint8Array): Change[] {
  return gunzipSync(bytes).toString().split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

Deno.test("the files of 7 and 31 days bring a copy of any day they cover up to date, over a month", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const pick = random(3);
  const dots = [1, 2, 98, 99, 100, 250, 100_000, 5_000_000, 99_999_999];
  const census: Census = new Map();
  let day = "2026-01-30";
  const ids = [await buildDay(dir, { day, census: census.set(1, {}), export: true })];
  const row = await readerOf(dir).use(async (snapshot) =>
    filedRow(JSON.parse(gunzipSync(await snapshot.read("carriers/0.json.gz")).toString())[0])
  );
  const days: { day: string; copy: Copy }[] = [{ day, copy: new Map([[1, row]]) }];
  for (let n = 1; n <= 36; n++) {
    if (n !== 12) day = dayAfter(day, n === 30 ? 3 : 1);
    churn(census, dots, pick);
    const build = () => buildDay(dir, { day, census, export: true });
    ids.push(n === 33 ? await withRevision("power_units", build) : await build());
    await readerOf(dir).use(async (snapshot) => {
      const { sync, counts, export: exported } = snapshot.manifest;
      const lines = linesIn(await snapshot.file("changes.ndjson.gz"));
      days.push({ day, copy: applied(days.at(-1)!.copy, lines) });
      for (const { days: span, from, added, changed, removed } of exported!.changes!) {
        const changes = linesIn(await snapshot.read(`export/changes${span}.ndjson.gz`));
        assert.deepEqual(
          [added, changed, removed],
          ["ADD", "MOD", "DEL"].map((kind) => changes.filter(({ op }) => op === kind).length),
        );
        const numbers = changes.map(({ dot }) => dot);
        assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
        const first = ids.indexOf(from);
        for (const { copy } of days.slice(first)) {
          const now = applied(copy, changes);
          assert.deepEqual([now.size, hashOfRows(now)], [counts.carriers, sync!.hash]);
        }
        const least = dayAfter(day, -span);
        // The last day that is old enough, or the chain's first.
        const expected = days.findLastIndex((one) => one.day <= least);
        assert.equal(first, Math.max(expected, 0), `${span} days before ${day}`);
      }
    });
  }
  assert.deepEqual((await verifySnapshot(folderSource(`${dir}/out`))).problems, []);

  // If the changes of a day are missing, the files begin after that day.
  await Deno.remove(`${dir}/out/s/${ids.at(-3)}/changes.ndjson.gz`);
  const id = await buildDay(dir, { day: dayAfter(day), census, export: true });
  await readerOf(dir).use((snapshot) => {
    assert.equal(snapshot.id, id);
    const froms = snapshot.manifest.export!.changes!.map(({ from }) => from);
    assert.deepEqual(froms, [ids.at(-3), ids.at(-3)]);
    return Promise.resolve();
  });
});

Deno.test("two changes of a carrier become one, with the first old value and the last new value", () => {
  const [first, second] = [["2026-10-01", "2026-10-02"], ["2026-10-04", "2026-10-05"]] as [
    [string, string],
    [string, string],
  ];
  const between = ["2026-10-01", "2026-10-05"];
  const mod = { dot: 1, op: "MOD" } as const;
  assert.deepEqual(
    foldChanges(
      {
        ...mod,
        was: { status: "A", phone: null },
        set: { status: "I", phone: null, zip: "1" },
        between: first,
      },
      {
        ...mod,
        was: { status: "I", city: "X", zip: "1" },
        set: { status: "A", city: "Y", zip: "2" },
        between: second,
      },
    ),
    {
      ...mod,
      // The first change of the ZIP code came from our parser, so its old value is that of the second change.
      was: { status: "A", city: "X", zip: "1", phone: null },
      set: { status: "A", phone: null, zip: "2", city: "Y" },
      between,
    },
  );
  const add = { dot: 1, op: "ADD", set: { status: "A" } } as const;
  const changed = { ...mod, was: { phone: null }, set: { phone: null, city: "" }, between: second };
  assert.deepEqual(foldChanges({ ...add, between: first }, changed), {
    ...add,
    set: { status: "A", city: "" },
    between,
  });
  const gone = { dot: 1, op: "DEL", between: second } as const;
  assert.deepEqual(foldChanges({ ...add, between: first }, gone), { ...gone, between });
  assert.deepEqual(foldChanges({ ...gone, between: first }, { ...add, between: second }), {
    ...add,
    between,
  });
});
