// Keeps a copy of all carriers in SQLite: deno run -A sync.ts SERVICE carriers.db.
import { createHash } from "node:crypto";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";

async function get(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const data = await response.bytes();
  return new TextDecoder().decode(data[0] === 0x1f ? gunzipSync(data) : data);
}

const [service, path] = process.argv.slice(2) as [string, string];
const { root, members, files, to, carriers, hash } = JSON.parse(
  await get(`${service}/api/v1/changes`),
);
const db = new DatabaseSync(path);
db.exec("CREATE TABLE IF NOT EXISTS carrier (dot INTEGER PRIMARY KEY, row TEXT)");
db.exec("CREATE TABLE IF NOT EXISTS state (snapshot TEXT)");
const remove = db.prepare("DELETE FROM carrier WHERE dot = ? RETURNING row");
const insert = db.prepare("INSERT INTO carrier VALUES (?, ?)");

function apply(dot: number, op: string, set: Record<string, unknown>): void {
  const { row: text = "[]" } = remove.get(dot) ?? {};
  const old = op === "MOD" ? JSON.parse(String(text)) : [];
  // null: a phone number or an address changed. The change files don't have the new value.
  const row = members.map((name: string, i: number) => set[name] ?? old[i] ?? "").with(0, dot);
  const length = row.findLastIndex((value: unknown) => value !== "") + 1;
  if (op !== "DEL") insert.run(dot, JSON.stringify(row.slice(0, length)));
}

const UNFILED = ["street", "phone", "mailing", "inspections", "refused", "changes"];

async function load(): Promise<void> {
  process.stdout.write("Loads the whole snapshot\n");
  db.exec("DELETE FROM carrier");
  const { families } = JSON.parse(await get(`${root}/s/${to}/manifest.json`));
  for (let [n, last] of families.carriers.runs) {
    while (n <= last) {
      const few = Array.from({ length: Math.min(16, last - n + 1) }, () => n++);
      const shards = few.map((n) => get(`${root}/s/${to}/carriers/${n}.json.gz`));
      for (const row of (await Promise.all(shards)).flatMap((text) => JSON.parse(text))) {
        if (typeof row[1] !== "string") continue; // It left the census.
        const set = Object.fromEntries(members.map((name: string, i: number) => [name, row[i]]));
        for (const [name, text] of Object.entries(set.refused || {})) set[name] = { refused: text };
        for (const name of UNFILED) set[name] = "";
        apply(row[0], "ADD", set);
      }
    }
  }
}

function isSound(): boolean {
  let total = 0n;
  for (const { row } of db.prepare("SELECT row FROM carrier").iterate()) {
    total += BigInt(`0x${createHash("sha256").update(`${row}`).digest("hex").slice(0, 16)}`);
  }
  return BigInt.asUintN(64, total) === BigInt(`0x${hash}`);
}

const ids = [...files.map(({ from }: { from: string }) => from), to];
const at = ids.indexOf(db.prepare("SELECT snapshot FROM state").get()?.snapshot);
db.exec("BEGIN"); // Without COMMIT nothing of it stays.
for (const file of at < 0 ? [] : files.slice(at)) {
  for (const line of (await get(`${root}/${file.path}`)).split("\n").slice(0, -1)) {
    const { dot, op, set = {} } = JSON.parse(line);
    apply(dot, op, set);
  }
}
if (at < 0 || !isSound()) {
  await load();
  if (!isSound()) throw new Error("What was loaded is damaged: try again");
}
db.exec("DELETE FROM state");
db.prepare("INSERT INTO state VALUES (?)").run(to);
db.exec("COMMIT");
process.stdout.write(`${to} ${carriers} ${hash}\n`);
