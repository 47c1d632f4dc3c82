import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { type CsvOptions, type CsvProblem, CsvScanner } from "../../../pipeline/fmcsa/csv.ts";
import { fieldBytes } from "../../../pipeline/fmcsa/csv_row.ts";

interface Scan {
  header: string[];
  rows: string[][];
  lines: number[];
  problems: { problem: CsvProblem; line: number; column: number; detail: string }[];
  whole: boolean;
}

/** Scans text or bytes in pieces of the given sizes, repeated to the end. */
function scan(input: string | Uint8Array, sizes: number[] = [1 << 20], options?: CsvOptions): Scan {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const found: Scan = { header: [], rows: [], lines: [], problems: [], whole: false };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const scanner = new CsvScanner({
    header(names): number[] {
      found.header = names;
      return names.map((_, i) => i);
    },
    row(row): void {
      found.rows.push(found.header.map((_, i) => decoder.decode(fieldBytes(row, i))));
      found.lines.push(row.line);
    },
    problem: (problem, at) => found.problems.push({ problem, ...at }),
  }, options);
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    scanner.push(bytes.slice(at, at + size));
    at += size;
  }
  found.whole = scanner.finish();
  return found;
}

const FIELD = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "Z", "1", " ", '"', ",", "\n", "\r\n", "é", "\u0000") }),
  fc.constantFrom("", "ACME INC", 'BOB "THE MAN"', "BLACK TOP,SAND GRAV."),
);

function quote(field: string, always: boolean): string {
  return always || /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

Deno.test("CsvScanner reads the same rows as csv-parse, wherever the bytes are split", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }).chain((width) =>
        fc.array(fc.array(FIELD, { minLength: width, maxLength: width }), { minLength: 1 })
      ),
      fc.boolean(),
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      (table, always, lineEnd, sizes) => {
        // A row of only empty unquoted fields is still a row if the width is over 1.
        const text = table.map((row) =>
          row.map((field) => quote(field, always)).join(",") + lineEnd
        )
          .join("");
        const header = table[0]!.map((_, i) => `c${i}`).join(",") + lineEnd;
        const expected = parse(header + text, { from_line: 1, relax_quotes: false }) as string[][];
        const found = scan(header + text, sizes);
        assert.deepEqual(found.rows, expected.slice(1));
        assert.deepEqual(found.problems, []);
        assert.ok(found.whole);
      },
    ),
  );
});

Deno.test("CsvScanner returns the same rows and problems wherever a hostile input is split", () => {
  const text = 'a,b\n1,"x\n2,3\n"p"q,4\n5,"6""7"\r\n\n8\n9,10,11\n12,"open\n13,14';
  const whole = scan(text);
  for (let size = 1; size <= text.length; size++) assert.deepEqual(scan(text, [size]), whole);
});

Deno.test("CsvScanner loses one line to a stray quote, not the rows it swallows", () => {
  const { rows, lines, problems } = scan('a,b\n1,"lost\n2,3\n4,5\n6,"7"\n8,9\n');
  assert.deepEqual(rows, [["2", "3"], ["4", "5"], ["6", "7"], ["8", "9"]]);
  assert.deepEqual(lines, [3, 4, 5, 6]);
  assert.equal(problems.length, 1);
  assert.equal(problems[0]!.problem, "bad_quote");
  assert.equal(problems[0]!.line, 2);
});

Deno.test("CsvScanner rejects ragged rows that udsv would merge with the next", () => {
  const { rows, problems } = scan("a,b,c\n1,2\n1,2,3,4\n4,5,6\n");
  assert.deepEqual(rows, [["4", "5", "6"]]);
  assert.deepEqual(problems.map(({ problem, line, detail }) => ({ problem, line, detail })), [
    { problem: "ragged_row", line: 2, detail: "2 fields instead of 3" },
    { problem: "ragged_row", line: 3, detail: "4 fields instead of 3" },
  ]);
});

Deno.test("CsvScanner reports the line and column of text after a closing quote", () => {
  const { problems } = scan('a,b\n1,"x"y\n');
  assert.deepEqual(problems, [{
    problem: "bad_quote",
    line: 2,
    column: 6,
    detail: "text after a closing quote",
  }]);
});

Deno.test("CsvScanner keeps a quote inside an unquoted field", () => {
  assert.deepEqual(scan('a,b\nBOB "THE MAN" LEE,2\n').rows, [['BOB "THE MAN" LEE', "2"]]);
});

Deno.test("CsvScanner drops a byte order mark and counts lines inside quoted fields", () => {
  const { header, rows, lines } = scan('\ufeffa,b\n1,"x\ny"\n2,3\n');
  assert.deepEqual(header, ["a", "b"]);
  assert.deepEqual(rows, [["1", "x\ny"], ["2", "3"]]);
  assert.deepEqual(lines, [2, 4]);
});

Deno.test("CsvScanner reports a missing final newline and still reads the row", () => {
  assert.equal(scan("a,b\n1,2\n").whole, true);
  assert.deepEqual(scan("a,b\n1,2").rows, [["1", "2"]]);
  for (const cut of ["a,b\n1,2", "a,b\n1,", 'a,b\n1,"2', "a,b"]) {
    assert.equal(scan(cut).whole, false, cut);
  }
  assert.equal(scan("").whole, false);
});

Deno.test("CsvScanner skips a field of 100 MB in bounded memory and continues", () => {
  const handled = { rows: 0, problems: [] as string[] };
  const scanner = new CsvScanner({
    header: () => [0],
    row: () => handled.rows++,
    problem: (problem) => handled.problems.push(problem),
  });
  scanner.push(new TextEncoder().encode("a,b\n1,"));
  const piece = new Uint8Array(1 << 20).fill(120);
  for (let i = 0; i < 100; i++) scanner.push(piece);
  scanner.push(new TextEncoder().encode("\n2,3\n"));
  assert.equal(scanner.finish(), true);
  assert.deepEqual(handled, { rows: 1, problems: ["row_too_long"] });
});

Deno.test("CsvScanner limits the effect of an unclosed quote and reads every other line", () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `${i},plain text of a row\n`);
  rows[10] = '10,"never closed\n';
  const found = scan("a,b\n" + rows.join(""), [4096], { maxRowBytes: 1000 });
  assert.equal(found.rows.length, 4999);
  assert.deepEqual(found.problems.map(({ problem, line }) => [problem, line]), [["bad_quote", 12]]);
});

Deno.test("CsvScanner never throws on random bytes, wherever they are split", () => {
  const byte = fc.constantFrom(10, 13, 34, 44, 0, 65, 0xff);
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 200 }),
      fc.integer({ min: 1, max: 9 }),
      (bytes, size) => {
        const input = Uint8Array.from(bytes);
        const found = scan(input, [size], { maxRowBytes: 50 });
        assert.deepEqual(found, scan(input, [200], { maxRowBytes: 50 }));
      },
    ),
    { numRuns: 2000 },
  );
});
