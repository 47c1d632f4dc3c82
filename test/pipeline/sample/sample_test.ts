import assert from "node:assert/strict";
import { buildSample } from "../../../pipeline/sample/build_sample.ts";
import { edgeCarriers } from "../../../pipeline/sample/edge_carriers.ts";
import { dayOf } from "../../../pipeline/sample/days.ts";
import { FIRST_SYNTHETIC_DOT, NAME_NOTE, writeSample } from "../../../pipeline/sample/sample.ts";
import { parseStrict, PERSONAL } from "./parse.ts";

async function inFolder(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await run(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("writeSample() writes the same small files twice", async () => {
  await inFolder(async (dir) => {
    const first = await writeSample(`${dir}/a`);
    const second = await writeSample(`${dir}/b`);
    let bytes = 0;
    for (const role of ["census", "inspections"] as const) {
      const text = await Deno.readTextFile(first[role]);
      assert.equal(text, await Deno.readTextFile(second[role]));
      bytes += (await Deno.stat(first[role])).size;
    }
    assert.ok(bytes < 3_000_000, `${bytes} bytes`);
    assert.deepEqual(
      (await Array.fromAsync(Deno.readDir(`${dir}/a`))).map(({ name }) => name).sort(),
      [
        "company_census.csv",
        "vehicle_inspection.csv",
      ],
    );
    assert.equal(first.dataDate, "2026-10-03");
    assert.match(first.notice, /synthetic/);
  });
});

Deno.test("writeSample() keeps the real rows untouched and marks all others as synthetic", async () => {
  await inFolder(async (dir) => {
    const sample = await writeSample(dir);
    const text = await Deno.readTextFile(sample.census);
    const real = new URL("../../../pipeline/sample/real_census.csv", import.meta.url);
    assert.ok(text.startsWith(await Deno.readTextFile(real)));
    const { rows } = parseStrict(text);
    const dots = rows.map((row) => Number(row.DOT_NUMBER));
    assert.ok(dots.includes(286764) && dots.includes(146793));
    assert.equal(new Set(dots).size, rows.length);
    for (const row of rows) {
      assert.ok(PERSONAL.every((column) => (row[column] ?? "") === ""));
      if (Number(row.DOT_NUMBER) < FIRST_SYNTHETIC_DOT) continue;
      assert.ok((row.LEGAL_NAME || row.DBA_NAME || "").endsWith(NAME_NOTE), row.LEGAL_NAME);
    }
    assert.equal(rows.length, 8 + 4_000 + edgeCarriers(dayOf("2026-10-03")).length);
  });
});

Deno.test("writeSample() gives no synthetic carrier a docket number of a real one", async () => {
  await inFolder(async (dir) => {
    const { rows } = parseStrict(await Deno.readTextFile((await writeSample(dir)).census));
    const dockets = (synthetic: boolean): Set<string> =>
      new Set(
        rows.filter((row) => Number(row.DOT_NUMBER) >= FIRST_SYNTHETIC_DOT === synthetic)
          .flatMap((row) => [1, 2, 3].map((n) => `${row[`DOCKET${n}PREFIX`]}${row[`DOCKET${n}`]}`))
          .filter((docket) => docket !== ""),
      );
    const shared = dockets(true).intersection(dockets(false));
    assert.equal(shared.size, 0, [...shared].join(" "));
  });
});

Deno.test("writeSample() has inspections at every level, with unique ids, in and out of the window", async () => {
  await inFolder(async (dir) => {
    const { rows } = parseStrict(await Deno.readTextFile((await writeSample(dir)).inspections));
    const levels = new Set(rows.map((row) => row.INSP_LEVEL_ID));
    for (const level of ["1", "2", "3", "4", "5", "6", "99"]) assert.ok(levels.has(level), level);
    assert.equal(new Set(rows.map((row) => row.INSPECTION_ID)).size, rows.length);
    // Some rows name no carrier, as in FMCSA's file; none names a real one.
    const dots = rows.map((row) => Number(row.DOT_NUMBER));
    assert.ok(dots.every((dot) => dot === 0 || dot >= FIRST_SYNTHETIC_DOT));
    for (const day of ["20241002", "20241003", "20261003"]) {
      assert.ok(rows.some((row) => row.INSP_DATE === day), day);
    }
  });
});

Deno.test("buildSample() changes nothing when run again, and starts anew over one it cannot compare with", async () => {
  await inFolder(async (dir) => {
    const { entry: { snapshot } } = await buildSample(dir);
    const pointer = await Deno.readTextFile(`${dir}/current.json`);
    assert.equal((await buildSample(dir)).isNew, false);
    assert.equal(await Deno.readTextFile(`${dir}/current.json`), pointer);
    await Deno.writeTextFile(`${dir}/s/${snapshot}/report.json`, "{}");
    await buildSample(dir);
    assert.equal(JSON.parse(await Deno.readTextFile(`${dir}/current.json`)).snapshot, snapshot);
  });
});
