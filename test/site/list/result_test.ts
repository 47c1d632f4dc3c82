import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { csvCell, csvOf } from "../../../site/list/csv.ts";
import { readList } from "../../../site/list/read_list.ts";
import { CARRIER_COLUMNS, type ResultRow } from "../../../site/list/result_row.ts";

function row(name: string, n = 1): ResultRow {
  const facts = CARRIER_COLUMNS.map(([column]) => column === "name" ? name : "");
  return {
    row: n,
    dot: "295017",
    verdict: "clear",
    name,
    place: "",
    reasons: "",
    due: "",
    facts,
  };
}

Deno.test("csvOf() makes lines that any reader splits as they were, with a mark for Excel", () => {
  const names = ['SAY "HI", LLC', "JOSÉ; SONS", "O'NEIL", "A\u200bC\u202eME\r\nINC"];
  const text = csvOf(names.map(row));
  assert.equal(text.charCodeAt(0), 0xfeff);
  assert.equal(text.match(/\r\n/g)!.length, names.length + 1);
  const records: Record<string, string>[] = parse(text, { bom: true, columns: true });
  // What cannot be seen is left out, as on the pages.
  assert.deepEqual(records.map(({ name }) => name), [...names.slice(0, 3), "ACME INC"]);
  assert.deepEqual(records.map(({ row }) => row), ["0", "1", "2", "3"]);
});

Deno.test("csvCell() lets no cell begin as a formula, in any width, after blanks or in another country's cells", () => {
  const begins = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
  for (const begin of begins) {
    const formula = `${begin}HYPERLINK("http://x")`;
    for (const name of [formula, ` ${formula}`, `\t${formula}`, `\r${formula}`, `\n${formula}`]) {
      const [[cell]] = parse(csvCell(name)) as [[string]];
      assert.match(cell!, /^'/, JSON.stringify(name));
      assert.doesNotMatch(cell!, /[\t\r\n]/, JSON.stringify(name));
    }
    // A spreadsheet that splits at semicolons would see a cell of its own here.
    const [[cell]] = parse(csvCell(`A;${formula}`)) as [[string]];
    assert.match(cell!, /^A;'/);
  }
  assert.equal(csvCell("A-B = C"), "A-B = C");
  const unit = fc.oneof(
    fc.constantFrom(...begins, ";", "|", "'", '"', "\t", "\n", " "),
    fc.nat(0xffff)
      .map((code) => String.fromCharCode(code)),
  );
  fc.assert(fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (name) => {
    // A name of nothing that can be seen is an empty cell, and alone it would be no row.
    const [[, cell]] = parse("1," + csvCell(name)) as [[string, string]];
    assert.doesNotMatch(cell!, /^\s*[=+\-@]|[;|]\s*[=+\-@]|[\p{Cc}\p{Cf}]/u);
  }));
});

Deno.test("a file that was downloaded can be sent again", () => {
  const { dots, column } = readList(
    csvOf([row("A"), row("B", 2)]).slice(1).replaceAll("\r\n", "\n"),
    { pasted: false },
  );
  assert.deepEqual([dots, column?.heading], [[295017, 295017], "dot"]);
});
