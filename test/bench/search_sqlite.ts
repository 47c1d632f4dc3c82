/**
 * The peer SQLite FTS5: a table of words, and one of trigrams for queries whose words find nothing.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { BenchCarrier, Engine } from "./search_engine.ts";
import { fold, significant } from "./search_text.ts";

/** Maximum rows that a trigram query may score: the rarest trigrams first, as many as fit. */
const TRIGRAM_ROWS = 250_000;
const LEAST_TRIGRAMS = 4;

/** SQLite FTS5 over one file, which is reused if an earlier run finished it; ordered by bm25, active, fleet. */
export async function openSqlite(
  path: string,
  carriers: () => AsyncIterable<BenchCarrier>,
): Promise<Engine> {
  if (!await Deno.stat(path).then(() => true, () => false)) {
    await Deno.remove(`${path}.part`).catch(() => {});
    await buildDatabase(`${path}.part`, carriers());
    await Deno.rename(`${path}.part`, path);
  }
  const db = new DatabaseSync(path, { readOnly: true });
  db.exec("PRAGMA mmap_size = 17179869184; PRAGMA cache_size = -262144;");
  const match = (table: string, weights: string): string => `
    SELECT dot FROM (
      SELECT rowid AS hit, bm25(${table}, ${weights}) AS score FROM ${table} WHERE ${table} MATCH ?
      ORDER BY score, hit LIMIT ?) JOIN carriers ON id = hit ORDER BY score, hit`;
  const byDot = db.prepare("SELECT dot FROM carriers WHERE dot = ?");
  const byWords = db.prepare(match("words", "4, 3, 2, 1"));
  const byTrigrams = db.prepare(match("trigrams", "1, 1"));
  const trigramRows = db.prepare("SELECT rows FROM trigram_rows WHERE term = ?");

  function find(query: string, limit: number): Record<string, unknown>[] {
    const number = /^\s*(\d+)\s*$/.exec(query)?.[1];
    const numbered = number === undefined ? [] : byDot.all(Number(number));
    if (numbered.length > 0) return numbered;
    const words = significant(fold(query));
    if (words.length === 0) return [];
    const all = words.map((word) => `"${word}"`).join(" AND ");
    const rows = byWords.all(`${all}*`, limit);
    const rarest = rows.length > 0 ? [] : rarestTrigrams(words.join(" "));
    const any = rarest.map((term) => `"${term}"`).join(" OR ");
    return rarest.length === 0 ? rows : byTrigrams.all(any, limit);
  }

  function rarestTrigrams(text: string): string[] {
    const terms = new Set(Array.from(text, (_, at) => text.slice(at, at + 3)));
    let sum = 0;
    return [...terms]
      .flatMap((term) => trigramRows.all(term).map(({ rows }) => ({ term, rows: Number(rows) })))
      .sort((a, b) => a.rows - b.rows)
      .filter(({ rows }, at) => (sum += rows) <= TRIGRAM_ROWS || at < LEAST_TRIGRAMS)
      .map(({ term }) => term);
  }

  return {
    name: "SQLite FTS5",
    bytes: (await Deno.stat(path)).size,
    search: (query, limit) => Promise.resolve(find(query, limit).map(({ dot }) => dot as number)),
  };
}

/**
 * Rows are numbered in static rank, so ties are ordered active first, then larger fleet, without reading
 * the rows. Scoring reads every row of every term, so stop words are in neither index nor query.
 */
async function buildDatabase(path: string, carriers: AsyncIterable<BenchCarrier>): Promise<void> {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288;
    PRAGMA temp_store = FILE;
    CREATE TEMP TABLE filed(dot INTEGER, name TEXT, dba TEXT, city TEXT, state TEXT, active INTEGER,
      fleet INTEGER);
    BEGIN`);
  const insert = db.prepare("INSERT INTO filed VALUES (?, ?, ?, ?, ?, ?, ?)");
  for await (const { dot, active, units, folded } of carriers) {
    const [name, dba] = [folded.name, folded.dba].map((text) => significant(text).join(" "));
    insert.run(dot, name!, dba!, folded.city, folded.states.join(" "), active ? 1 : 0, units);
  }
  db.exec(`
    COMMIT;
    CREATE TABLE carriers(id INTEGER PRIMARY KEY, dot INTEGER);
    INSERT INTO carriers(dot) SELECT dot FROM filed ORDER BY active DESC, fleet DESC, dot;
    CREATE INDEX carriers_dot ON carriers(dot);
    CREATE INDEX temp.filed_dot ON filed(dot);
    CREATE VIRTUAL TABLE words USING fts5(name, dba, city, state, content = '',
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
    CREATE VIRTUAL TABLE trigrams USING fts5(name, dba, content = '', tokenize = 'trigram');
    INSERT INTO words(words, rank) VALUES ('hashsize', 67108864);
    INSERT INTO trigrams(trigrams, rank) VALUES ('hashsize', 67108864);
    INSERT INTO words(rowid, name, dba, city, state)
      SELECT id, name, dba, city, state FROM carriers JOIN filed USING (dot) ORDER BY id;
    INSERT INTO words(words) VALUES ('optimize');
    INSERT INTO trigrams(rowid, name, dba)
      SELECT id, name, dba FROM carriers JOIN filed USING (dot) ORDER BY id;
    INSERT INTO trigrams(trigrams) VALUES ('optimize');
    CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, trigrams, row);
    CREATE TABLE trigram_rows(term TEXT PRIMARY KEY, rows INTEGER) WITHOUT ROWID;
    INSERT INTO trigram_rows SELECT term, doc FROM vocabulary`);
  db.close();
}
