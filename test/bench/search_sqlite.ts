/**
 * The peer SQLite FTS5: a table of words, and one of trigrams for queries whose words find nothing.
 *
 * @module
 */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { peakBytes } from "./processes.ts";
import type { Engine, Prepared } from "./search_engine.ts";
import { fold, significant, STATE_NAMES } from "./search_text.ts";

/** Candidates that are looked at again by their whole name. */
const CANDIDATES = 100;
/** Rows a query by trigrams may score: the rarest trigrams first, as many as stay below it. */
const TRIGRAM_ROWS = 250_000;
const LEAST_TRIGRAMS = 4;

interface Row {
  dot: number;
  name: string;
  dba: string;
}

/** How to answer. */
interface SqliteOptions {
  /**
   * Whether our own code puts the best rows of FTS5 in order by their whole names: exact ones first, after
   * trigrams the most alike. FTS5 by itself orders by bm25, then active, then fleet.
   */
  rerank: boolean;
}

/** SQLite FTS5 over one file; `path` is reused when an earlier run finished it. */
export class SqliteEngine implements Engine {
  readonly name: string;
  readonly #path: string;
  readonly #rerank: boolean;
  #byDot!: StatementSync;
  #byWords!: StatementSync;
  #byTrigrams!: StatementSync;
  #trigramRows!: StatementSync;

  constructor(path: string, { rerank }: SqliteOptions) {
    this.#path = path;
    this.#rerank = rerank;
    this.name = rerank ? "SQLite FTS5, re-ranked" : "SQLite FTS5";
  }

  async prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared> {
    const figures = `${this.#path}.json`;
    let prepared: Prepared;
    try {
      prepared = JSON.parse(await Deno.readTextFile(figures)) as Prepared;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      const began = performance.now();
      await Deno.remove(this.#path).catch(() => {});
      await buildDatabase(this.#path, records);
      prepared = {
        seconds: (performance.now() - began) / 1000,
        peakBytes: peakBytes(),
        indexBytes: (await Deno.stat(this.#path)).size,
      };
      await Deno.writeTextFile(figures, JSON.stringify(prepared));
    }
    this.#open();
    return prepared;
  }

  #open(): void {
    const db = new DatabaseSync(this.#path, { readOnly: true });
    db.exec("PRAGMA mmap_size = 17179869184; PRAGMA cache_size = -262144;");
    this.#byDot = db.prepare("SELECT dot FROM carriers WHERE dot = ?");
    const match = (table: string, weights: string): string => `
      SELECT dot, name, dba FROM (
        SELECT rowid AS hit, bm25(${table}, ${weights}) AS score FROM ${table} WHERE ${table} MATCH ?
        ORDER BY score, hit LIMIT ${CANDIDATES}) JOIN carriers ON id = hit ORDER BY score, hit`;
    this.#byWords = db.prepare(match("words", "4, 3, 2, 1"));
    this.#byTrigrams = db.prepare(match("trigrams", "1, 1"));
    this.#trigramRows = db.prepare("SELECT rows FROM trigram_rows WHERE term = ?");
  }

  search(query: string, limit: number): Promise<number[]> {
    if (/^\s*\d+\s*$/.test(query)) {
      const found = this.#byDot.all(Number(query)) as unknown as Row[];
      if (found.length > 0) return Promise.resolve(found.map(({ dot }) => dot));
    }
    const folded = fold(query);
    const words = significant(folded);
    let rows: Row[] = [];
    if (words.length > 0) {
      const terms = words.map((word) => `"${word}"`).join(" AND ");
      rows = this.#byWords.all(`${terms}*`) as unknown as Row[];
      if (rows.length === 0) rows = this.#fuzzy(words.join(" "));
      else if (this.#rerank) rows = exactFirst(rows, folded);
    }
    return Promise.resolve(rows.slice(0, limit).map(({ dot }) => dot));
  }

  #fuzzy(text: string): Row[] {
    const known: { term: string; rows: number }[] = [];
    for (const term of trigramsOf(text)) {
      const found = this.#trigramRows.get(term) as { rows: number } | undefined;
      if (found) known.push({ term, rows: found.rows });
    }
    known.sort((a, b) => a.rows - b.rows);
    let sum = 0;
    const used = known.filter(({ rows }, at) =>
      (sum += rows) <= TRIGRAM_ROWS || at < LEAST_TRIGRAMS
    );
    if (used.length === 0) return [];
    const rows = this.#byTrigrams.all(used.map(({ term }) => `"${term}"`).join(" OR "));
    return this.#rerank ? mostAlike(rows as unknown as Row[], text) : rows as unknown as Row[];
  }
}

/** Rows named as the query says come first: with the legal form, then without. */
function exactFirst(rows: Row[], folded: string): Row[] {
  const bare = significant(folded).join(" ");
  const distance = ({ name, dba }: Row): number => {
    if (name === folded || dba === folded) return 0;
    return [name, dba].some((text) => significant(text).join(" ") === bare) ? 1 : 2;
  };
  return rows.toSorted((a, b) => distance(a) - distance(b));
}

/** Rows by the share of trigrams their better name has in common with the query; ties in their order. */
function mostAlike(rows: Row[], text: string): Row[] {
  const wanted = trigramsOf(text);
  const likeness = (name: string): number => {
    const have = trigramsOf(significant(name).join(" "));
    const common = [...have].filter((term) => wanted.has(term)).length;
    return (2 * common) / (have.size + wanted.size);
  };
  return rows
    .map((row) => ({ row, score: Math.max(likeness(row.name), likeness(row.dba)) }))
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

function trigramsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) found.add(text.slice(at, at + 3));
  return found;
}

/**
 * Rows are numbered in static rank, so equal scores fall active first, then larger fleet, without reading
 * the rows. Scoring counts every row of every term, so stop words are in neither index nor query.
 *
 * Writes `carriers` (in static rank), `words` and `trigrams` (FTS5 without content, by the same ids) and
 * `trigram_rows` (in how many rows a trigram occurs) into a new file.
 */
async function buildDatabase(
  path: string,
  records: AsyncIterable<CarrierRecord>,
): Promise<void> {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288;
    PRAGMA temp_store = FILE;
    CREATE TEMP TABLE filed(dot INTEGER, name TEXT, dba TEXT, city TEXT, state TEXT, active INTEGER,
      fleet INTEGER);
    BEGIN`);
  const insert = db.prepare("INSERT INTO filed VALUES (?, ?, ?, ?, ?, ?, ?)");
  for await (const record of records) {
    const state = record.state ?? "";
    insert.run(
      record.dot,
      fold(record.legal_name),
      fold(record.dba_name ?? ""),
      fold(record.city ?? ""),
      fold(`${state} ${STATE_NAMES.get(state) ?? ""}`),
      record.status === "A" ? 1 : 0,
      record.power_units ?? 0,
    );
  }
  db.function("bare", { deterministic: true }, (text) => significant(String(text)).join(" "));
  db.exec(`
    COMMIT;
    CREATE TABLE carriers(id INTEGER PRIMARY KEY, dot INTEGER, name TEXT, dba TEXT);
    INSERT INTO carriers(dot, name, dba)
      SELECT dot, name, dba FROM filed ORDER BY active DESC, fleet DESC, dot;
    CREATE INDEX carriers_dot ON carriers(dot);
    CREATE INDEX temp.filed_dot ON filed(dot);
    CREATE VIRTUAL TABLE words USING fts5(name, dba, city, state, content = '',
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
    CREATE VIRTUAL TABLE trigrams USING fts5(name, dba, content = '', tokenize = 'trigram');
    INSERT INTO words(words, rank) VALUES ('hashsize', 67108864);
    INSERT INTO trigrams(trigrams, rank) VALUES ('hashsize', 67108864);
    INSERT INTO words(rowid, name, dba, city, state)
      SELECT carriers.id, bare(carriers.name), bare(carriers.dba), city, state
      FROM carriers JOIN filed USING (dot) ORDER BY carriers.id;
    INSERT INTO words(words) VALUES ('optimize');
    INSERT INTO trigrams(rowid, name, dba)
      SELECT id, bare(name), bare(dba) FROM carriers ORDER BY id;
    INSERT INTO trigrams(trigrams) VALUES ('optimize');
    CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, trigrams, row);
    CREATE TABLE trigram_rows(term TEXT PRIMARY KEY, rows INTEGER) WITHOUT ROWID;
    INSERT INTO trigram_rows SELECT term, doc FROM vocabulary`);
  db.close();
}
