/** A Python reader written from FORMAT.md alone, compared with ours: this shows that the document is complete. */

import assert from "node:assert/strict";
import vectors from "../../../pipeline/search/vectors.json" with { type: "json" };
import { contentWords, tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { type CarrierRecord, isRecord } from "../../../pipeline/snapshot/record/record.ts";
import { missingTool } from "../../missing_tool.ts";
import { builtSample } from "../sample/built_sample.ts";

const PROGRAM = new URL("./carriers.py", import.meta.url).pathname;

const HAS_PYTHON = await new Deno.Command("python3", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);
const ignore = !HAS_PYTHON && missingTool("python3");

const ROOT = await builtSample();
const snapshot = await new SnapshotReader(folderSource(ROOT)).current();

/** Records of all shards, removed numbers, and unused numbers of these shards. */
const RECORDS: CarrierRecord[] = [];
const LEFT: number[] = [];
const ABSENT: number[] = [];
const { width, runs } = snapshot.manifest.families.carriers;
for (const [first, last] of runs) {
  for (let dot = first * width; dot < (last + 1) * width; dot++) {
    const found = await snapshot.find(dot);
    if (found === null) ABSENT.push(dot);
    else if (isRecord(found)) RECORDS.push(found);
    else LEFT.push(dot);
  }
}

/** The program's answers to requests, in one run. */
async function python(requests: readonly unknown[]): Promise<unknown[]> {
  const child = new Deno.Command("python3", {
    args: ["-X", "utf8", PROGRAM, ROOT],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const sent = new Blob([lines]).stream().pipeTo(child.stdin);
  const [{ success, stdout }] = await Promise.all([child.output(), sent]);
  assert.ok(success);
  const answers = new TextDecoder().decode(stdout).trimEnd().split("\n");
  assert.equal(answers.length, requests.length);
  return answers.map((line) => JSON.parse(line));
}

/** Items at even intervals. */
function spread<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => items[Math.floor(i * items.length / count)]!);
}

Deno.test({
  name: "Python looks up 1,000 USDOT numbers and 300 dockets as our reader does",
  ignore,
  async fn() {
    assert.ok(LEFT.length > 0 && LEFT.length < 50);
    const dots = [
      ...spread(RECORDS, 850).map(({ dot }) => dot),
      ...LEFT,
      ...spread(ABSENT, 149 - LEFT.length),
      99_999_999,
    ];
    assert.equal(dots.length, 1_000);
    const found = await python(dots.map((dot) => ({ dot })));
    for (const [i, dot] of dots.entries()) {
      const ours = await snapshot.find(dot);
      if (ours === null || !isRecord(ours)) {
        const { changes: _, ...left } = ours ?? {};
        assert.deepEqual(found[i], ours && left, String(dot));
        continue;
      }
      const theirs = found[i] as Record<string, unknown>;
      const dockets = ours.dockets?.map(({ prefix, number, status, statuses = [status] }) =>
        status === undefined ? [prefix, number] : [prefix, number, ...statuses]
      );
      // Members that our reader returns as they are in the row.
      for (
        const member of [
          ...["dot", "legal_name", "dba_name", "street", "city", "state", "zip", "phone", "status"],
          ...["operation", "hazmat", "power_units", "drivers", "mileage", "mileage_year", "added"],
          ...["mcs150_date", "rating", "rating_date", "review_date", "duns", "country", "cargo"],
        ]
      ) {
        assert.deepEqual(theirs[member], ours[member as keyof CarrierRecord], `${dot} ${member}`);
      }
      assert.deepEqual(theirs.dockets, dockets, String(dot));
    }
    const listed = spread(RECORDS.filter(({ dockets }) => dockets), 300)
      .map(({ dockets: [docket] = [] }) => [docket!.prefix, docket!.number] as const);
    const answers = await python(listed.map((docket) => ({ docket })));
    for (const [i, docket] of listed.entries()) {
      assert.deepEqual(answers[i], await snapshot.docket(...docket));
    }
  },
});

Deno.test({
  name:
    "Python finds for 500 queries the carriers that have the name or the words, and our search has them first",
  ignore,
  async fn() {
    const own = (name: string): string => contentWords(tokenize(name)).sort().join(" ");
    const namesOf = ({ legal_name, dba_name = "" }: CarrierRecord): string[] =>
      [legal_name, dba_name].filter((name) => name !== "").flatMap((name) => {
        const words = tokenize(name);
        const at = words.indexOf("dba", 1);
        return at < 0 || at === words.length - 1
          ? [own(name)]
          : [words, words.slice(0, at), words.slice(at + 1)].map((part) => own(part.join(" ")));
      });
    const dotsBy = (keysOf: (record: CarrierRecord) => string[]): Map<string, Set<number>> => {
      const dots = new Map<string, Set<number>>();
      for (const record of RECORDS) {
        for (const key of keysOf(record)) {
          if (!dots.get(key)?.add(record.dot)) dots.set(key, new Set([record.dot]));
        }
      }
      return dots;
    };
    const byDot = new Map(RECORDS.map((record) => [record.dot, record]));
    const byName = dotsBy(namesOf);
    const byWord = dotsBy(({ legal_name, dba_name = "" }) =>
      [legal_name, dba_name].flatMap(tokenize)
    );

    const named = spread(RECORDS, 300).map((record, i) => ({
      name: i % 3 === 2 && record.dba_name || record.legal_name,
      ...i % 2 === 1 && { city: record.city ?? "", state: record.state ?? "" },
    })).filter(({ name }) => name !== "");
    const found = await python(named) as number[][];
    let agreed = 0;
    for (const [i, { name, city, state }] of named.entries()) {
      const expected = [...byName.get(own(name))!].filter((dot) => {
        const record = byDot.get(dot)!;
        return (!city || tokenize(record.city ?? "").join() === tokenize(city).join()) &&
          (!state || record.state === state);
      });
      assert.deepEqual(found[i]!.toSorted((a, b) => a - b), expected, name);
      const query = [name, city, state].filter(Boolean).join(" ");
      // Queries of more than 12 words or 200 characters, or of fewer than 2, are not searched.
      const words = query.split(/[^\p{L}\p{N}]+/u).length;
      if (words > 10 || query.length > 200 || query.length < 3) continue;
      const [best] = (await searchSnapshot(snapshot, query, { limit: 1 }))!;
      assert.ok(found[i]!.includes(best!.dot), query);
      agreed++;
    }

    assert.ok(agreed >= 250, String(agreed));
    const { rare } = snapshot.manifest.search!;
    const words = spread([...byWord].filter(([, dots]) => dots.size <= rare), 500 - named.length)
      .map(([word]) => word);
    const withWords = await python(words.map((word) => ({ words: word }))) as number[][];
    for (const [i, word] of words.entries()) {
      assert.deepEqual(withWords[i]!.toSorted((a, b) => a - b), [...byWord.get(word)!], word);
    }
    assert.equal(found.length + withWords.length, 500);
  },
});

Deno.test({
  name: "Python computes the words, places, hashes and keys of the test vectors",
  ignore,
  async fn() {
    const { names, places, hashes, lists } = vectors;
    assert.deepEqual(
      await python(names.map(({ text }) => ({ text }))),
      names.map(({ words, own_words }) => ({ words, own_words })),
    );
    assert.deepEqual(
      await python(places.map(({ text }) => ({ place: text }))),
      places.map(({ place }) => place),
    );
    assert.deepEqual(
      await python(hashes.map(({ term }) => ({ term }))),
      hashes.map(({ a, b }) => [a, b]),
    );
    assert.deepEqual(
      await python(lists.map(({ kind, words, buckets }) => ({ list: [kind, words, buckets] }))),
      lists.map(({ bucket, key }) => [bucket, key]),
    );
  },
});
