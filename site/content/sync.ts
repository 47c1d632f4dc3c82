// Keeps a copy of all carriers in SQLite: deno run -A sync.ts SERVICE carriers.db.
import { createHash } from "node:crypto";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";

type Row = unknown[];
type State = { to: string; carriers: number; hash: string };
type File = State & { from: string; path: string; sha256: string };
type Index = State & { root: string; members: string[]; files: File[] };

async function get(url: string, sha256?: string): Promise<string> {
  const response = await fetch(url);
  const data = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  if (sha256 && createHash("sha256").update(data).digest("hex") !== sha256) {
    throw new Error(`${url} is damaged: try again`);
  }
  return new TextDecoder().decode(data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data) : data);
}

const [service, path] = process.argv.slice(2) as [string, string];
const index: Index = JSON.parse(await get(`${service}/api/v1/changes`));
const db = new DatabaseSync(path);
db.exec("CREATE TABLE IF NOT EXISTS carrier (dot INTEGER PRIMARY KEY, row TEXT)");
db.exec("CREATE TABLE IF NOT EXISTS state (snapshot TEXT, carriers INT, hash TEXT)");
const select = db.prepare("SELECT row FROM carrier WHERE dot = ?");
const remove = db.prepare("DELETE FROM carrier WHERE dot = ?");
const insert = db.prepare("INSERT INTO carrier VALUES (?, ?)");
const textOf = (dot: number) => (select.get(dot)?.row ?? null) as string | null;
const stateOf = (): State =>
  (db.prepare('SELECT snapshot AS "to", carriers, hash FROM state').get() ??
    { to: "", carriers: 0, hash: "0" }) as State;
const padded = (row: Row): Row => index.members.map((_, i) => row[i] ?? "");

function digest(text: string | null): bigint {
  if (text === null) return 0n;
  return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 16)}`);
}

/** Applies rows in one transaction: all of them, or none. */
async function step(rows: AsyncIterable<[number, Row | null]>, goal: State, isWhole = false) {
  db.exec("BEGIN");
  try {
    let { carriers, hash } = isWhole ? { carriers: 0, hash: "0" } : stateOf();
    let total = BigInt(`0x${hash}`);
    if (isWhole) db.exec("DELETE FROM carrier");
    for await (const [dot, row] of rows) {
      const old = textOf(dot);
      const text = row
        ? JSON.stringify(row.slice(0, row.findLastIndex((it) => it !== "") + 1))
        : null;
      remove.run(dot);
      if (text !== null) insert.run(dot, text);
      carriers += Number(text !== null) - Number(old !== null);
      total += digest(text) - digest(old);
    }
    hash = BigInt.asUintN(64, total).toString(16).padStart(16, "0");
    if (carriers !== goal.carriers || hash !== goal.hash) {
      throw new RangeError("the count or the hash is another");
    }
    db.exec("DELETE FROM state");
    db.prepare("INSERT INTO state VALUES (?, ?, ?)").run(goal.to, carriers, hash);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

async function* changes(file: File): AsyncGenerator<[number, Row | null]> {
  const text = await get(`${index.root}/${file.path}`, file.sha256);
  for (const line of text.split("\n").slice(0, -1)) {
    const { dot, op, set = {} } = JSON.parse(line);
    const old = op === "MOD" ? textOf(dot) : null;
    const row = padded(old === null ? [dot] : JSON.parse(old));
    for (const [member, value] of Object.entries(set)) {
      // Null: a phone number or an address changed.
      if (value !== null) row[index.members.indexOf(member)] = value;
    }
    yield [dot, op === "DEL" ? null : row];
  }
}

async function* wholeSnapshot(): AsyncGenerator<[number, Row]> {
  const root = `${index.root}/s/${index.to}`;
  const { families } = JSON.parse(await get(`${root}/manifest.json`));
  const shards = families.carriers.runs.flatMap(([first, last]: [number, number]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );
  for (let i = 0; i < shards.length; i += 16) {
    const urls = shards.slice(i, i + 16).map((n: number) => `${root}/carriers/${n}.json.gz`);
    for (const text of await Promise.all(urls.map((url: string) => get(url)))) {
      for (const found of JSON.parse(text)) {
        if (typeof found[1] !== "string") continue;
        const row = padded(found);
        for (const [member, text] of Object.entries(row[38] || {})) {
          row[index.members.indexOf(member)] = { refused: text };
        }
        for (const withheld of [2, 6, 25, 37, 38, 39]) row[withheld] = "";
        yield [found[0], row];
      }
    }
  }
}

try {
  const start = index.files.findIndex(({ from }) => from === stateOf().to);
  if (start < 0 && stateOf().to !== index.to) throw new RangeError("no file follows this copy");
  for (const file of start < 0 ? [] : index.files.slice(start)) await step(changes(file), file);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stdout.write(`Loads the whole snapshot: ${error.message}\n`);
  await step(wholeSnapshot(), index, true);
}
process.stdout.write(`${Object.values(stateOf()).join(" ")}\n`);
