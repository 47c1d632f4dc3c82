import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../api/operations/errors.ts";
import { gzipSync } from "node:zlib";
import { MOST_NOTE_BYTES } from "../../../api/state/jobs.ts";
import { readList } from "../../../site/list/read_list.ts";

const FILE = { pasted: false };
const PASTED = { pasted: true };

/** What is wrong with a list that is refused. */
function refusal(text: string, options = FILE): string {
  try {
    readList(text, options);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return `${error.code}: ${error.message}`;
  }
  assert.fail("not refused");
}

Deno.test("readList() reads pasted numbers whatever stands between them", () => {
  const expected = [295017, 146793, 84212];
  for (
    const text of [
      "295017\n146793\n84212",
      "295017,146793,84212",
      "295017, 146793; 84212",
      " 295017  146793\n\n84212 ",
      "295017\t146793\t84212",
      "295017 146793\n84212",
      "USDOT 295017\nDOT# 146793\nU.S. DOT No. 84212",
      "00295017\n146793.0\n'84212",
      "\uff12\uff19\uff15\uff10\uff11\uff17\n\u00a0146793\u200b\n84212.",
    ]
  ) {
    const { dots, column, wrong } = readList(text, PASTED);
    assert.deepEqual([dots, wrong], [expected, []], JSON.stringify(text));
    assert.equal(column, null, JSON.stringify(text));
  }
});

Deno.test("readList() reads the column with the right heading, however it is written", () => {
  for (
    const heading of [
      "dot",
      "DOT",
      "USDOT",
      "US DOT #",
      "U.S. DOT Number",
      "dot_number",
      "USDOT No.",
      "Carrier DOT",
      '"DOT\nNumber"',
    ]
  ) {
    const list = readList(`Fleet,${heading},Name\n7,295017,A\n8,146793,B\n`, FILE);
    assert.deepEqual(list.dots, [295017, 146793], heading);
    assert.deepEqual([list.column?.place, list.column?.of], [2, 3], heading);
    assert.deepEqual(list.rows, [2, 3], heading);
  }
});

Deno.test("readList() without a right heading reads the column with the most numbers, the first of equals", () => {
  const named = readList("Name;Carrier\nA;295017\nB 2;x\nC;146793\n", FILE);
  assert.deepEqual(named.column, { place: 2, of: 2, heading: "Carrier" });
  assert.deepEqual(named.wrong, [{ row: 3, text: "x" }]);
  const bare = readList("295017,4\n146793,5\n", FILE);
  assert.deepEqual([bare.dots, bare.column], [[295017, 146793], {
    place: 1,
    of: 2,
    heading: null,
  }]);
  // Cells copied from a spreadsheet are a table too.
  assert.deepEqual(readList("295017\t4\n146793\t5", PASTED).dots, [295017, 146793]);
});

Deno.test("readList() does not take a number that says USDOT for a heading", () => {
  assert.deepEqual(readList("USDOT 295017\nUSDOT 146793\n", FILE).dots, [295017, 146793]);
});

Deno.test("readList() loses no row: each is a number, or told with its place and text", () => {
  const text = 'dot,name\n295017,A\n\n"MC 12",B\n,C\n0,D\n123456789,E\n"146,793",F\n295017,G\n';
  const { dots, rows, wrong } = readList(text, FILE);
  assert.deepEqual(dots, [295017, 146793, 295017]);
  assert.deepEqual(rows, [2, 8, 9]);
  assert.deepEqual(wrong, [
    { row: 4, text: "MC 12" },
    { row: 5, text: "" },
    { row: 6, text: "0" },
    { row: 7, text: "123456789" },
  ]);
  const cell = fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map(String),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) =>
      text.replace(/["\n\r,;|\t]/g, "x")
    ),
  );
  fc.assert(fc.property(fc.array(cell, { minLength: 1, maxLength: 30 }), (cells) => {
    const filled = cells.filter((cell) => /\S/.test(cell)).length;
    try {
      const { dots, wrong } = readList("USDOT\n" + cells.join("\n"), FILE);
      assert.equal(dots.length + wrong.length, filled);
    } catch (error) {
      assert.match(String(error), /Cannot find a USDOT number/);
    }
  }));
});

Deno.test("readList() says what to do with lists that it refuses", () => {
  const many = (count: number, line: string): string => `${line}\n`.repeat(count);
  assert.match(refusal(" \n\n"), /^invalid_body: .*it is empty/);
  assert.match(refusal("a,b\nc,d\n"), /^invalid_body: Cannot find a USDOT number/);
  assert.equal(readList(many(5_000, "1"), FILE).dots.length, 5_000);
  assert.match(refusal(many(5_001, "1")), /^too_many_items: .*more than 5000 .*split it/);
  assert.match(refusal(many(5_001, "1").replaceAll("\n", " "), PASTED), /^too_many_items/);
  assert.match(refusal(many(30_000, "x")), /^too_many_items: .*20000 rows/);
  assert.match(refusal(",".repeat(900_000)), /^invalid_body: .*keep only the column/);
  assert.equal(readList("dot\n1\n" + many(300, "x"), FILE).wrong.length, 300);
  assert.match(refusal("dot\n1\n" + many(301, "x")), /^invalid_body: .*301 .*column 1/);
});

Deno.test("what is noted of the longest and strangest list fits one value of the store", () => {
  const strange = (i: number): string =>
    Array.from(
      { length: 40 },
      (_, k) => String.fromCharCode(0x3400 + (i * 977 + k * 7919) % 27_000),
    )
      .join("");
  const lines = Array.from(
    { length: 5_300 },
    (_, i) =>
      i % 17 === 0 && i < 5_100
        ? strange(i)
        : String(1 + i * 17_017 % 99_999_998) + "\n".repeat(i % 3),
  );
  const { rows, column, wrong } = readList("dot\n" + lines.join("\n"), FILE);
  assert.deepEqual([rows.length, wrong.length], [5_000, 300]);
  const note = new TextEncoder().encode(JSON.stringify({ rows, column, wrong }));
  assert.ok(gzipSync(note).length <= MOST_NOTE_BYTES);
});
