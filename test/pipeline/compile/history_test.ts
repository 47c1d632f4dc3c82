/** Chains of builds, compared with a naive replay of all their snapshots. */

import assert from "node:assert/strict";
import { sha256 } from "../../../pipeline/sha256.ts";
import { CENSUS_MEMBERS, type Member } from "../../../pipeline/snapshot/record/members.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { NotKept, type Snapshot } from "../../../pipeline/snapshot/reader.ts";
import {
  type CarrierRecord,
  MAX_CHANGES,
  type RecordChange,
} from "../../../pipeline/snapshot/record/record.ts";
import {
  buildDay,
  type Census,
  churn,
  compact,
  dayAfter,
  FORCE,
  KEEPS,
  random,
  readerOf,
  withRevision,
} from "./chains.ts";
import { FUZZ_RUNS, seedsOf } from "../../fuzz.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  tempDir,
} from "./files.ts";

/** The contents of one snapshot in the chain. */
interface Seen {
  day: string;
  id: string;
  records: Map<number, CarrierRecord>;
  /** Members that were not compared with the previous snapshot. */
  gap: string[];
}

const MEMBERS = [...Object.keys(CENSUS_MEMBERS), "dockets"];
const member = (name: string): Member | undefined =>
  (CENSUS_MEMBERS as Record<string, Member>)[name];

/** The changes of a carrier as computed from all snapshots. */
function replay(dot: number, chain: readonly Seen[]): RecordChange[] {
  // If two snapshots have the same data date, the later one counts.
  const days = chain.filter(({ day }, i) => chain[i + 1]?.day !== day);
  const last = days.at(-1)!.day;
  const oldest = dayAfter(`${Number(last.slice(0, 4)) - 2}${last.slice(4)}`);
  const changes: RecordChange[] = [];
  let lastSeen: string | undefined;
  for (const [i, { day, records, gap }] of days.entries()) {
    const [now, then] = [records.get(dot), days[i - 1]?.records.get(dot)];
    if (then !== undefined) lastSeen = days[i - 1]!.day;
    if (i === 0 || now === undefined) continue;
    if (then === undefined) {
      const isReturn = lastSeen !== undefined;
      changes.push({ day, member: "dot", ...(isReturn && { was: lastSeen }) });
      continue;
    }
    for (const name of MEMBERS) {
      if (gap.includes(name)) continue;
      const [filed, before] = [filedOf(now, name), filedOf(then, name)];
      if (filed === before) continue;
      const was = valueOf(then, name);
      const refused = then.refused?.[name as "phone"];
      changes.push({
        day,
        member: name,
        ...(member(name)?.isHidden
          ? { isHidden: true }
          : was !== undefined
          ? { was }
          : refused !== undefined
          ? { wasRefused: refused }
          : {}),
      });
    }
  }
  const position = ({ member }: RecordChange) => ["dot", ...MEMBERS].indexOf(member);
  return changes.filter(({ day }) => day >= oldest)
    .sort((a, b) => a.day === b.day ? position(a) - position(b) : a.day < b.day ? 1 : -1)
    .slice(0, MAX_CHANGES);
}

function valueOf(record: CarrierRecord, name: string): unknown {
  return (record as unknown as Record<string, unknown>)[name];
}

/** The filed text of a member, if a record has it. */
function filedOf(record: CarrierRecord, name: string): string {
  const value = name === "mailing" ? mailingOf(record) : valueOf(record, name);
  const refused = record.refused?.[name as "phone"];
  const isDay = member(name)?.kind === "day";
  if (value !== undefined) return isDay ? compact(value as string) : JSON.stringify(value);
  return refused === undefined ? "blank" : isDay ? refused : `refused ${refused}`;
}

/** A record has a mailing address only if it differs from the physical one. */
function mailingOf(record: CarrierRecord): string[] {
  return (["street", "city", "state", "zip", "country"] as const)
    .map((part, i) => record.mailing?.[i] ?? record[part] ?? "");
}

async function seen(dir: string, gap: string[], dots: Iterable<number>): Promise<Seen> {
  return await readerOf(dir).use(async (snapshot) => {
    const records = new Map<number, CarrierRecord>();
    for (const dot of dots) {
      const record = await snapshot.carrier(dot);
      if (record !== null) records.set(dot, record);
    }
    return { day: snapshot.manifest.data_date, id: snapshot.id, records, gap };
  });
}

/** Checks every carrier of a snapshot against a replay of the chain up to it. */
async function check(snapshot: Snapshot, chain: readonly Seen[], dots: Iterable<number>) {
  assert.deepEqual((await snapshot.chain()).map(({ id }) => id), chain.map(({ id }) => id));
  let left = 0;
  for (const dot of dots) {
    const changes = replay(dot, chain);
    const here = await snapshot.carrier(dot);
    const gone = await snapshot.leftCarrier(dot);
    const found = here?.changes ?? gone?.changes ?? [];
    assert.deepEqual(found, here === null && gone === null ? [] : changes, `USDOT ${dot}`);
    if (here !== null) continue;
    const last = chain.findLast(({ records }) => records.has(dot));
    assert.equal(gone?.last_seen, last?.day, `USDOT ${dot} was last seen`);
    if (gone !== null) left++;
  }
  assert.equal(snapshot.manifest.counts.left, left);
}

/** Converts the current snapshot to format 2, which had no history. */
async function asFormat2(dir: string): Promise<void> {
  const out = `${dir}/out`;
  const pointer = JSON.parse(await Deno.readTextFile(`${out}/current.json`));
  const from = `${out}/s/${pointer.snapshot}`;
  const manifest = JSON.parse(await Deno.readTextFile(`${from}/manifest.json`));
  const report = JSON.stringify({
    ...JSON.parse(await Deno.readTextFile(`${from}/report.json`)),
    format: 2,
  });
  delete manifest.files["past.json"];
  delete manifest.counts.left;
  manifest.files["report.json"] = { bytes: report.length, sha256: sha256(report) };
  const text = JSON.stringify({ ...manifest, format: 2 });
  const id = `${manifest.data_date}-${sha256(text).slice(0, 16)}`;
  await Deno.remove(`${from}/past.json`);
  await Deno.writeTextFile(`${from}/report.json`, report);
  await Deno.writeTextFile(`${from}/manifest.json`, text);
  await Deno.rename(from, `${out}/s/${id}`);
  const entry = { ...pointer, format: 2, snapshot: id, manifest_sha256: sha256(text) };
  await Deno.writeTextFile(`${out}/current.json`, JSON.stringify(entry));
}

/** Days in a chain; 365 when more runs are requested. */
const DAYS = FUZZ_RUNS > 1 ? 365 : 45;

Deno.test("history and as-of equal a naive replay of all snapshots, through gaps, returns, rollbacks, kills and parser changes", async () => {
  for (const seed of seedsOf(1).slice(0, 4)) {
    await using temp = await tempDir();
    const dir = temp.path;
    const pick = random(seed);
    const dots = [1, 2, 98, 99, 100, 101, 250, 99_999, 100_000, 100_050, 5_000_000, 99_999_999];
    const census: Census = new Map(dots.slice(0, 8).map((dot) => [dot, {}]));
    let chain: Seen[] = [];
    let day = "2026-01-30";
    for (let n = 0; n < DAYS; n++) {
      const kind = pick(14);
      if (kind === 0 && chain.length > 2) {
        // A rollback: the chain continues from the previous snapshot.
        const { previous } = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
        const back = { format: 3, keeps: KEEPS, ...previous };
        await Deno.writeTextFile(`${dir}/out/current.json`, JSON.stringify(back));
        chain = chain.slice(0, chain.findIndex(({ id }) => id === previous.snapshot) + 1);
      }
      day = dayAfter(day, kind === 1 && chain.length > 0 ? 0 : kind === 2 ? 40 : 1);
      if (kind === 1) {
        // A second file of the same day; the carriers in the census stay the same.
        for (const dot of census.keys()) {
          if (pick(3) === 0) census.set(dot, { ...census.get(dot), STATUS_CODE: "AIP"[pick(3)]! });
        }
      } else churn(census, dots, pick);
      if (kind === 3) {
        const stop = AbortSignal.abort(new Error("killed"));
        await assert.rejects(buildDay(dir, { day, census, signal: stop }), /killed/);
      }
      const isRevised = kind === 4;
      const build = () => buildDay(dir, { day, census });
      const id = isRevised ? await withRevision("power_units", build) : await build();
      if (chain.at(-1)?.id === id) continue;
      // The next build has the first revision again.
      const wasRevised = chain.at(-1)?.gap.includes("power_units!") ?? false;
      const gap = [
        ...(isRevised || wasRevised ? ["power_units"] : []),
        ...(isRevised ? ["power_units!"] : []),
      ];
      chain.push(await seen(dir, gap, dots));
      if (n === 0) {
        await asFormat2(dir);
        chain = [await seen(dir, [], dots)];
      }
      if (n % 9 === 8 || n === DAYS - 1) {
        await readerOf(dir).use((snapshot) => check(snapshot, chain, dots));
      }
    }
    const reader = readerOf(dir);
    await assert.rejects(reader.useAsOf(dayAfter(chain[0]!.day, -1), async () => {}), NotKept);
    for (const { day } of chain) {
      for (const asked of [day, dayAfter(day)]) {
        const expected = chain.findLast((one) => one.day <= asked)!;
        const found = await reader.useAsOf(asked, async (snapshot) => {
          const records = await Promise.all(dots.map((dot) => snapshot.carrier(dot)));
          return records.filter((record) => record !== null);
        });
        assert.deepEqual(found, [...expected.records.values()], asked);
      }
    }
  }
});

Deno.test("a date first refused as too far in the future and accepted later is not a change", async () => {
  await using dir = await tempDir();
  const census = new Map([[1, { MCS150_DATE: "20261220" }], [2, { MCS150_DATE: "20261221" }]]);
  await buildDay(dir.path, { day: "2026-11-18", census });
  census.set(2, { MCS150_DATE: "20261219" });
  await buildDay(dir.path, { day: "2026-11-19", census });
  await readerOf(dir.path).use(async (snapshot) => {
    const [same, other] = [await snapshot.carrier(1), await snapshot.carrier(2)];
    assert.equal(same?.mcs150_date, "2026-12-20");
    assert.equal(same?.changes, undefined);
    assert.deepEqual(other?.changes, [
      { day: "2026-11-19", member: "mcs150_date", wasRefused: "20261221" },
    ]);
  });
});

Deno.test("workers merge as one thread does, from a folder and over the network", async () => {
  await using dir = await tempDir();
  const census: Census = new Map([1, 250, 100_000, 300_000].map((dot) => [dot, {}]));
  await buildDay(dir.path, { day: "2026-10-01", census });
  census.set(250, { STATUS_CODE: "I" }).delete(300_000);
  const first = await Deno.readTextFile(`${dir.path}/out/current.json`);
  const inThread = await buildDay(dir.path, { day: "2026-10-02", census });
  await Deno.writeTextFile(`${dir.path}/out/current.json`, first);
  assert.equal(await buildDay(dir.path, { day: "2026-10-02", census, workers: 2 }), inThread);
  const root = folderSource(`${dir.path}/out`);
  // A source that isn't a folder on this machine.
  const remote = { name: "https://data.example", get: root.get.bind(root) };
  await Deno.writeTextFile(`${dir.path}/out/current.json`, first);
  const { entry } = await buildFiles(dir.path, {
    census: censusCsv([...census].map(([dot, columns]) => censusRow(dot, columns))),
    inspections: inspectionCsv([inspectionRow(1, 1, { INSP_DATE: "20261002" })]),
  }, {
    dataDate: "2026-10-02",
    force: FORCE,
    search: false,
    out: `${dir.path}/elsewhere`,
    previous: remote,
  });
  assert.equal(entry.snapshot, inThread);
  await readerOf(`${dir.path}/elsewhere`, "").use(async (snapshot) => {
    assert.deepEqual(await snapshot.leftCarrier(300_000), {
      dot: 300_000,
      last_seen: "2026-10-01",
    });
  });
});
