/**
 * `deno task bench:history`: the cost of a snapshot's history. By default one day after another at
 * 1.3% churn: seconds, memory and bytes with and without a previous snapshot, from a folder and over HTTP.
 * With `--days` it builds that many days of a small dataset and shows how the shards grow.
 *
 * @module
 */

import { Command } from "commander";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { build } from "../../pipeline/compile/build.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { folderSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { carrierShards, inTurn, printMedians, quantile } from "./harness.ts";
import { type Measured, runMeasured } from "./processes.ts";

const { dir, rounds, days, delay, base } = new Command("bench:history")
  .option("--dir <dir>", "folder of a dataset in FMCSA's layout", ".data/bench/4500000-1")
  .option("--rounds <n>", "runs of each, for the median", "1")
  .option("--days <n>", "days to build one after another; for a small dataset", "0")
  .option("--delay <ms>", "delay of each answer over HTTP", "20")
  .option("--base <checkout>", "another checkout, whose build of the same day is timed too")
  .parse()
  .opts<{ dir: string; rounds: string; days: string; delay: string; base?: string }>();

/** Share of carriers that change per day, from two of FMCSA's censuses that are 103 days apart. */
const CHURN = 0.013;
const FIRST_DAY = Date.parse("2026-10-03");

const dayAfter = (days: number): string =>
  new Date(FIRST_DAY + days * 86_400_000).toISOString().slice(0, 10);

const inspections = `${dir}/vehicle_inspection.csv`;

if (Number(days) > 0) await buildMany(Number(days));
else await compare();

async function compare(): Promise<void> {
  const [today, tomorrow] = [`${dir}/company_census.csv`, `${dir}/census_tomorrow.csv`];
  if (await Deno.stat(tomorrow).catch(() => null) === null) await churn(today, tomorrow, 1);
  const run = async (census: string, day: number, out: string, more: string[], root = ".") => {
    await Deno.remove(`${dir}/${out}`, { recursive: true }).catch(() => {});
    const files = ["--census", census, "--inspections", inspections];
    const options = ["--data-date", dayAfter(day), "--out", `${dir}/${out}`, "--no-search"];
    return await runMeasured([
      ...[
        "run",
        "-A",
        "--config",
        `${root}/deno.json`,
        `${root}/pipeline/commands/cli.ts`,
        "build",
      ],
      ...files,
      ...options,
      ...more,
    ]);
  };
  await run(today, 0, "history-first", ["--first"]);
  await using host = slowHost(`${dir}/history-first`, Number(delay));
  const cases: Record<string, () => Promise<Measured>> = {
    ...base !== undefined &&
      { "the other checkout": () => run(tomorrow, 1, "history-base", ["--first"], base) },
    "without": () => run(tomorrow, 1, "history-none", ["--first"]),
    "from a folder": () =>
      run(tomorrow, 1, "history-folder", ["--previous", `${dir}/history-first`]),
    "over HTTP": () => run(tomorrow, 1, "history-http", ["--previous", host.url]),
  };
  const results = await inTurn(cases, Number(rounds));
  printMedians(results, [
    ["seconds", (it) => it.seconds, 1],
    ["CPU s", (it) => it.cpuSeconds, 1],
    ["peak GB", (it) => it.peakBytes / 1e9, 2],
  ]);
  for (const name of ["history-none", "history-folder"]) await printSizes(`${dir}/${name}`);
}

/** Serves a folder with a delay. */
function slowHost(root: string, ms: number): AsyncDisposable & { url: string } {
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const bytes = await Deno.readFile(root + new URL(request.url).pathname).catch(() => null);
    return bytes === null ? new Response(null, { status: 404 }) : new Response(bytes);
  });
  const { port } = server.addr as Deno.NetAddr;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function buildMany(count: number): Promise<void> {
  const out = `${dir}/history-days`;
  await Deno.remove(out, { recursive: true }).catch(() => {});
  let census = `${dir}/company_census.csv`;
  for (let day = 0; day <= count; day++) {
    if (day > 0) {
      const next = `${dir}/census_${day % 2}.csv`;
      await churn(census, next, day);
      census = next;
    }
    const { previous } = JSON.parse(
      await Deno.readTextFile(`${out}/current.json`).catch(() => "{}"),
    );
    await build({
      census,
      inspections,
      out,
      dataDate: dayAfter(day),
      first: true,
      force: "a benchmark of its history",
      search: false,
      clock: SYSTEM_CLOCK,
    });
    if (previous !== undefined) {
      await Deno.remove(`${out}/s/${previous.snapshot}`, { recursive: true });
    }
    if (day % 73 === 0 || day === count) await printSizes(out, `after ${day} days: `);
  }
}

/** Prints the sizes of the carrier shards. A lookup fetches one shard. */
async function printSizes(root: string, label = `${root}: `): Promise<void> {
  await new SnapshotReader(folderSource(root)).use(async (snapshot) => {
    const sizes: number[] = [];
    for await (const { bytes } of carrierShards(snapshot)) sizes.push(bytes);
    const total = snapshot.manifest.families.carriers.bytes;
    print(
      `${label}carrier shards ${(total / 1e6).toFixed(1)} MB, median ${quantile(sizes, 0.5)}, ` +
        `p99 ${quantile(sizes, 0.99)}, most ${Math.max(...sizes)} bytes`,
    );
  });
}

/** Writes a day's census, in which {@link CHURN} of the rows have changed; four in ten of these file an MCS-150. */
async function churn(from: string, to: string, day: number): Promise<void> {
  const output = createWriteStream(to);
  let columns: string[] | undefined;
  let state = day;
  const random = (): number => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2 ** 31;
  for await (const line of createInterface({ input: createReadStream(from, "latin1") })) {
    let text = line;
    if (columns === undefined) columns = line.split(",");
    else if (random() < CHURN) {
      const fields = Array.from(
        `,${line}`.matchAll(/,("(?:[^"]|"")*"|[^,"]*)/g),
        ([, one]) => one!,
      );
      if (fields.length === columns.length) text = changed(columns, fields, day, random).join(",");
    }
    if (!output.write(text + "\n", "latin1")) {
      await new Promise<void>((resolve) => output.once("drain", () => resolve()));
    }
  }
  output.end();
  await finished(output);
}

function changed(
  columns: readonly string[],
  fields: string[],
  day: number,
  random: () => number,
): string[] {
  const set = (column: string, value: string | number): void => {
    fields[columns.indexOf(column)] = String(value);
  };
  const n = Math.floor(random() * 1000);
  const kind = Math.floor(random() * 10);
  if (kind < 4) {
    set("MCS150_DATE", dayAfter(day - 2).replaceAll("-", ""));
    set("POWER_UNITS", n % 40);
    set("TOTAL_DRIVERS", n % 50);
    set("MCS150_MILEAGE", n * 1000);
    set("MCS150_MILEAGE_YEAR", 2026);
  } else if (kind < 6) set("PHONE", `330555${String(n).padStart(4, "0")}`);
  else if (kind < 7) set("PHY_STREET", `${n} MAIN ST`);
  else if (kind < 8) set("STATUS_CODE", n % 3 === 0 ? "I" : "A");
  else if (kind < 9) set("DOCKET1_STATUS_CODE", n % 2 === 0 ? "I" : "A");
  else set("DBA_NAME", `TRADE NAME ${n}`);
  return fields;
}
