import { parse } from "csv-parse/sync";
import fc from "fast-check";
import assert from "node:assert/strict";
import { rowsOf, separatorOf } from "../../../site/bulk/delimited.ts";
import { decodeUpload } from "../../../site/bulk/upload.ts";

function cellsOf(text: string, separator = ","): string[][] {
  return Array.from(rowsOf(text, separator), ({ cells }) => cells);
}

Deno.test("rowsOf() reads the same rows as csv-parse", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "a", "295017", 'say "hi"', "x,y", "two\nlines", " b "),
    fc.string({ maxLength: 8 }).map((text) => text.replaceAll("\r", "")),
  );
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  fc.assert(
    fc.property(table, fc.constantFrom(",", ";", "\t"), fc.boolean(), (rows, separator, ended) => {
      const text = rows.map((cells) =>
        cells.map((cell) =>
          /["\n]/.test(cell) || cell.includes(separator)
            ? `"${cell.replaceAll('"', '""')}"`
            : cell
        ).join(separator)
      ).join("\n") + (ended ? "\n" : "");
      const expected: string[][] = parse(text, {
        delimiter: separator,
        relax_column_count: true,
        skip_empty_lines: true,
      });
      assert.deepEqual(
        cellsOf(text, separator),
        expected.filter((cells) =>
          cells.some((cell) => /\S/.test(cell))
        ),
      );
    }),
  );
});

Deno.test("rowsOf() counts rows as a spreadsheet does, and skips empty ones", () => {
  const rows = [...rowsOf('a\n\n , \n"b\nb",c\nd', ",")];
  assert.deepEqual(rows.map(({ row, cells, line }) => [row, cells, line]), [
    [1, ["a"], "a"],
    [4, ["b\nb", "c"], '"b\nb",c'],
    [5, ["d"], "d"],
  ]);
});

Deno.test("rowsOf() treats an unclosed quote as text, and resumes on the next line", () => {
  assert.deepEqual(cellsOf('1,"a\n2,b\n'), [["1", '"a'], ["2", "b"]]);
  assert.deepEqual(cellsOf('1,"a""\n2,b\n'), [["1", '"a""'], ["2", "b"]]);
  assert.deepEqual(cellsOf('"1" x,"2"\n'), [["1 x", "2"]]);
});

Deno.test("separatorOf() returns the separator that most lines have", () => {
  assert.equal(separatorOf("a;b, c\nd;e\n"), ";");
  assert.equal(separatorOf("a\tb, c\nd\te, f\n"), "\t");
  assert.equal(separatorOf("one\ntwo\n"), ",");
});

Deno.test("decodeText() reads what spreadsheets write: UTF-8, UTF-16 with a byte order mark, Windows-1252", () => {
  const text = "dot\tname\r\n295017\tJOSÉ\r\n";
  const expected = "dot\tname\n295017\tJOSÉ\n";
  const utf16 = (littleEndian: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(2 + text.length * 2));
    [..."\ufeff" + text].forEach((it, i) => view.setUint16(2 * i, it.charCodeAt(0), littleEndian));
    return new Uint8Array(view.buffer);
  };
  const windows = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const utf8 = [text, "\ufeff" + text].map((it) => new TextEncoder().encode(it));
  for (const bytes of [...utf8, utf16(true), utf16(false), windows]) {
    assert.equal(decodeUpload(bytes), expected);
  }
  assert.equal(decodeUpload(new TextEncoder().encode("1\r2\r\n3\n")), "1\n2\n3\n");
});
