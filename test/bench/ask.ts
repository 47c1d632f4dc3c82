/**
 * `deno task bench:ask [DIR]`: how long `/ask` takes over a snapshot, in this process. Asks the tests'
 * phrasings, names from the snapshot in questions, and 1,000 hostile texts.
 *
 * @module
 */

import { collectAnswer } from "../../api/ask/http.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { phrasings } from "../api/ask/phrasings.ts";
import { carrierShards, openBenchSnapshot, printTable, SAMPLE, spread } from "./harness.ts";
import { ownCpuSeconds } from "./processes.ts";

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

const [folder = SAMPLE] = Deno.args;
const reader = new SnapshotReader(openSource(folder), { clock: SYSTEM_CLOCK });
const deps = { reader, clock: SYSTEM_CLOCK, baseUrl: "http://localhost", log: print };
const shards = await Array.fromAsync(carrierShards(await openBenchSnapshot(folder), NAMES));
const names = shards.map(({ records }) => records[0]!.legal_name.slice(0, 100))
  .filter((name) => name !== "");
const named = names.map((name, i) => ({
  query: TEMPLATES[i % TEMPLATES.length]!.replace("{}", name),
  prev: [],
}));
print(`Data: ${folder}`);
printTable([
  ["", "questions", "p50 ms", "p95 ms", "worst ms", "p95 CPU ms", "worst CPU ms", "worst question"],
  await time("First questions, files not read yet", named.slice(0, 50)),
  await time("Phrasings", phrasings()),
  await time("Names", named),
  await time("Names again", named),
  await time("Hostile", hostile()),
]);

/** Asks each question once; returns a row of the table. */
async function time(label: string, questions: readonly Asked[]): Promise<string[]> {
  const times: number[] = [];
  // CPU time of this process alone: on a busy machine elapsed time means little.
  const cpu: number[] = [];
  for (const { query, prev } of questions) {
    const [began, before] = [performance.now(), ownCpuSeconds()];
    await collectAnswer({ query: query.trim(), prev }, deps);
    times.push(performance.now() - began);
    cpu.push((ownCpuSeconds() - before) * 1000);
  }
  const worst = questions[times.indexOf(Math.max(...times))]!.query.slice(0, 60);
  const figures = [...spread(times), ...spread(cpu).slice(1)].map((ms) => ms.toFixed(1));
  return [label, String(times.length), ...figures, JSON.stringify(worst)];
}

/** Texts made as expensive as possible: words of many names, keywords, numbers and typos in a row. */
function hostile(): Asked[] {
  const words = names.flatMap((name) => name.split(/\s+/));
  const keywords = "is and of the active rating insurance carriers trucks mcs-150 who does".split(
    " ",
  );
  const pick = <T>(list: readonly T[], n: number): T => list[(n * 2654435761 >>> 8) % list.length]!;
  const fill = (word: (n: number) => string, seed: number): string => {
    let text = "";
    for (let n = seed; text.length < LENGTH; n++) text += `${word(n)} `;
    return text.slice(0, LENGTH);
  };
  const named = (seed: number): string => fill((n) => pick(words, n), seed);
  const kinds: ((seed: number) => string | Asked)[] = [
    named,
    (seed) => fill((n) => pick(n % 2 ? words : keywords, n), seed),
    (seed) => fill((n) => pick(keywords, n), seed),
    (seed) => fill((n) => String(n * 7919 % 9_999_999), seed),
    (seed) => fill((n) => `${pick(words, n)}x`, seed),
    (seed) => "\u{FDFA}".repeat(LENGTH - seed % 9),
    (seed) => `is "${named(seed)}`,
    (seed) => ({
      query: "the second one",
      prev: Array.from({ length: 8 }, (_, i) => named(seed + i)),
    }),
    (seed) => `is ${pick(words, seed)}q ${pick(words, seed + 1)}z active`,
    (seed) => fill((n) => `one hundred and`.slice(n % 2), seed),
  ];
  return Array.from({ length: HOSTILE }, (_, i) => {
    const asked = kinds[i % kinds.length]!(i * 101);
    return typeof asked === "string" ? { query: asked, prev: [] } : asked;
  });
}
