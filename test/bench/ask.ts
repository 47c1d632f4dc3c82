/**
 * `deno task bench:ask [DIR]`: how long `/ask` takes over a snapshot, in this process. The phrasings of the
 * tests, names of the snapshot in questions, and 1,000 hostile texts.
 *
 * @module
 */

import process from "node:process";
import { collect } from "../../api/ask/http.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { benchCommand, openBenchSnapshot, printTable, quantile, runBench } from "./harness.ts";

const HOSTILE = 1_000;
const NAMES = 500;
const LENGTH = 1_000;
const TEMPLATES = [
  "is {} active",
  "what is the safety rating of {}",
  "when is the MCS-150 of {} due",
  "{} oos rate",
  "{}",
];

type Asked = { query: string; prev: readonly string[] };

/** Texts made to cost as much as they can: words of many names, keywords, numbers and slips in a row. */
function hostile(names: readonly string[]): Asked[] {
  const words = names.flatMap((name) => name.split(/\s+/));
  const pick = <T>(list: readonly T[], n: number): T => list[(n * 2654435761 >>> 8) % list.length]!;
  const keywords = "is and of the active rating insurance carriers trucks mcs-150 who does".split(
    " ",
  );
  const fill = (word: (n: number) => string, seed: number): string => {
    let text = "";
    for (let n = seed; text.length < LENGTH; n++) text += `${word(n)} `;
    return text.slice(0, LENGTH);
  };
  const kinds: ((seed: number) => Asked)[] = [
    (seed) => ({ query: fill((n) => pick(words, n), seed), prev: [] }),
    (seed) => ({ query: fill((n) => pick(n % 2 ? words : keywords, n), seed), prev: [] }),
    (seed) => ({ query: fill((n) => pick(keywords, n), seed), prev: [] }),
    (seed) => ({ query: fill((n) => String(n * 7919 % 9_999_999), seed), prev: [] }),
    (seed) => ({ query: fill((n) => `${pick(words, n)}x`, seed), prev: [] }),
    (seed) => ({ query: "\u{FDFA}".repeat(LENGTH - seed % 9), prev: [] }),
    (seed) => ({ query: `is "${fill((n) => pick(words, n), seed)}`, prev: [] }),
    (seed) => ({
      query: "the second one",
      prev: Array.from({ length: 8 }, (_, i) => fill((n) => pick(words, n), seed + i)),
    }),
    (seed) => ({ query: `is ${pick(words, seed)}q ${pick(words, seed + 1)}z active`, prev: [] }),
    (seed) => ({ query: fill((n) => `one hundred and`.slice(n % 2), seed), prev: [] }),
  ];
  return Array.from({ length: HOSTILE }, (_, i) => kinds[i % kinds.length]!(i * 101));
}

/** Asks each question once; returns a row of the table. */
async function time(
  label: string,
  { questions, reader }: { questions: readonly Asked[]; reader: SnapshotReader },
): Promise<string[]> {
  const deps = { reader, clock: SYSTEM_CLOCK, baseUrl: "http://localhost", log: print };
  const times: number[] = [];
  // Of this process alone: on a busy machine the time says little.
  const cpu: number[] = [];
  let worst = { ms: 0, query: "" };
  for (const { query, prev } of questions) {
    const began = performance.now();
    const before = process.cpuUsage();
    await collect({ query: query.trim(), prev }, deps);
    const ms = performance.now() - began;
    times.push(ms);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
    if (ms > worst.ms) worst = { ms, query };
  }
  return [label, String(times.length)]
    .concat([0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1)))
    .concat([0.95, 1].map((share) => quantile(cpu, share).toFixed(1)))
    .concat(JSON.stringify(worst.query.slice(0, 60)));
}

const command = benchCommand("ask", "time /ask on the test questions and 1,000 hostile texts")
  .argument("[dir]", "folder of a snapshot", ".data/snapshot");

await runBench(command, async (_, folder) => {
  const { manifest, shards } = await openBenchSnapshot(folder!);
  const names: string[] = [];
  for await (const { records } of shards(NAMES)) {
    const { legal_name } = records[0]!;
    if (legal_name !== "") names.push(legal_name.slice(0, 100));
  }
  print(`Data: ${manifest.counts.carriers} carriers in ${folder}`);
  const named = names.map((name, i) => ({
    query: TEMPLATES[i % TEMPLATES.length]!.replace("{}", name),
    prev: [],
  }));
  const { phrasings } = await import("../api/ask/phrasings.ts");
  const reader = new SnapshotReader(openSource(folder!), { clock: SYSTEM_CLOCK });
  const rows = [[
    "",
    "questions",
    "p50 ms",
    "p95 ms",
    "worst ms",
    "p95 CPU ms",
    "worst CPU ms",
    "worst question",
  ]];
  for (
    const [label, questions] of [
      ["First questions, files not read yet", named.slice(0, 50)],
      ["Phrasings", phrasings()],
      ["Names", named],
      ["Names again", named],
      ["Hostile", hostile(names)],
    ] as const
  ) rows.push(await time(label, { questions, reader }));
  printTable(rows);
  return rows;
});
