/**
 * Builds the database of the peer SQLite FTS5.
 *
 * Rows are numbered in static rank, so equal scores fall active first, then larger fleet, without a look
 * at the rows. Scoring counts every row of every term, so noise words are in neither index nor query.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { fold, significant, STATE_NAMES } from "./search_text.ts";

/**
 * Writes `carriers` (in static rank), `words` and `trigrams` (FTS5 without content, by the same ids) and
 * `trigram_rows` (in how many rows a trigram stands) into a new file.
 */
export async function buildDatabase(
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
