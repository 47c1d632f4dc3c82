import fc from "fast-check";
import assert from "node:assert/strict";
import { ServiceError } from "../../../api/operations/errors.ts";
import type { Role } from "../../../site/bulk/columns.ts";
import { named } from "../../../site/bulk/numbers.ts";
import { type ParsedUpload, parseUpload, type Question } from "../../../site/bulk/parse_upload.ts";

/** `2:MC 1896` for a number of row 2, `3:?` for a row that is not read; `ask 1 2` for columns asked. */
function reading(text: string, chosen?: Map<number, Role>): string {
  const list = parseUpload(text, chosen);
  return "layout" in list
    ? `ask ${list.numbers.map((place) => place + 1).join(" ")}`
    : list.rows.map(({ row, wanted }) => `${row}:${wanted === null ? "?" : named(wanted)}`)
      .join(", ");
}

function read(text: string, chosen?: Map<number, Role>): ParsedUpload {
  const list = parseUpload(text, chosen);
  assert.ok(!("layout" in list), "asked");
  return list;
}

function refusal(text: string, chosen?: Map<number, Role>): string {
  try {
    parseUpload(text, chosen);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return `${error.code}: ${error.message}`;
  }
  assert.fail("not refused");
}

/** UploadJobs with their reading, and why it must be that one where another was thinkable. */
const READINGS: readonly [text: string, expected: string, why?: string][] = [
  // Headings
  ["Carrier,MC #\nAcme Freight,1896", "2:MC 1896", "USDOT 1896 is Warren Transport"],
  ["MC #\n1896", "2:MC 1896"],
  ["mc number;carrier\n1896;A", "2:MC 1896"],
  ["M.C. No.\tName\n1896\tA", "2:MC 1896"],
  ["USDOT\n286764\n1896", "2:USDOT 286764, 3:USDOT 1896"],
  ["dot_number,name\n286764,A", "2:USDOT 286764"],
  ["Name,U.S. DOT #\nA,286764", "2:USDOT 286764"],
  ['Name,"DOT\nNumber"\nA,286764', "2:USDOT 286764"],
  ["Fleet,USDOT No.,Name\n7,295017,A", "2:USDOT 295017"],
  ["FF Number,City\n12647,Akron", "2:FF 12647"],
  ["MX #,City\n12647,Akron", "2:MX 12647"],
  ["USDOT,MC\n286764,186800\n,143229", "2:USDOT 286764, 3:MC 143229", "the number there is"],
  ["MC,USDOT\n186800,286764\n143229,n/a", "2:USDOT 286764, 3:MC 143229"],
  ["Docket,Name\nMC-186800,A\nFF-12647,B", "2:MC 186800, 3:FF 12647"],
  ["Docket,Name\n186800,A", "ask 1", "MC, MX or FF"],
  ["MC/MX/FF Number,Name\n186800,A", "ask 1", "MC, MX or FF"],
  ["DOT/MC,Name\n186800,A", "ask 1"],
  [
    "Carriers of May,,\n,,\nName,USDOT,City\nA,286764,Akron",
    "1:?, 4:USDOT 286764",
    "a title above",
  ],
  ["USDOT,2025,2026\n286764,3,4", "2:USDOT 286764", "years are headings too"],
  ["MC,186800\nMC,143229", "ask 2", "a column of prefixes is no heading"],
  ["Name,Number\nAcme,1896", "ask 2", "USDOT or MC"],
  ["ID\n1896\n286764", "ask 1"],
  ["DOT,DOT\n1,286764", "ask 1 2", "two columns say USDOT"],
  ["Carrier;Rate\n286764;3", "ask 1 2", "a name's heading over numbers"],
  ["STATE DOT,USDOT\n77,286764", "2:USDOT 286764", "a state's number is not FMCSA's"],
  // No headings
  ["286764", "1:USDOT 286764", "the page asks for USDOT numbers"],
  ["286764\n295017\n\n1896", "1:USDOT 286764, 2:USDOT 295017, 4:USDOT 1896"],
  ["Acme Freight,1896\nB Lines,186800", "ask 2", "USDOT or MC"],
  ["Acme Freight\t1896", "ask 2"],
  ["295017,4\n146793,5", "ask 1 2", "a number and a fleet, or two numbers"],
  ["286764\t186800", "ask 1 2", "cells of a spreadsheet"],
  ["Acme,MC-186800,12\nB,MC-143229,3", "1:MC 186800, 2:MC 143229", "only one column says it"],
  ["MC 186800\n143229", "ask 1", "is 143229 an MC number too?"],
  ["USDOT 286764\n295017", "1:USDOT 286764, 2:USDOT 295017"],
  // Prefixes
  [
    "MC-186800\nMC 186800\nmc#186800\nMC186800",
    Array.from({ length: 4 }, (_, i) => `${i + 1}:MC 186800`).join(", "),
  ],
  [
    "M.C. 186800\nMC No. 186800\nICC-MC 186800\nMC: 186,800",
    Array.from({ length: 4 }, (_, i) => `${i + 1}:MC 186800`).join(", "),
  ],
  [
    "USDOT 286764\nDOT# 286764\nU.S. DOT No. 286764\nUS DOT-286764",
    Array.from({ length: 4 }, (_, i) => `${i + 1}:USDOT 286764`).join(", "),
  ],
  ["FF 12647\nFF012647\nMX-12647", "1:FF 12647, 2:FF 12647, 3:MX 12647"],
  ["USDOT,Name\nMC-186800,A\n286764,B", "2:MC 186800, 3:USDOT 286764", "a prefix overrules"],
  ["USDOT 286764, MC 186800", "1:USDOT 286764, 1:MC 186800"],
  ["MC 2 LOGISTICS\n286764\nMC 186800 LLC", "1:?, 2:USDOT 286764, 3:?", "a name, not a number"],
  ["ACMC 12\n286764", "1:?, 2:USDOT 286764"],
  // Thousands and separators
  ["1,896", "1:USDOT 1896", "not USDOT 1 and 896"],
  ["1,896\n286,764", "1:USDOT 1896, 2:USDOT 286764"],
  ["295017\nnobody\n1,896", "1:USDOT 295017, 2:?, 3:USDOT 1896"],
  ["USDOT\n1,896\n286,764", "2:USDOT 1896, 3:USDOT 286764"],
  ['USDOT,Name\n"286,764",A', "2:USDOT 286764"],
  [
    "USDOT,Name,City\n1,896,Acme\n286764,B,Akron",
    "2:?, 3:USDOT 286764",
    "thousands without quotes",
  ],
  ['Name,USDOT,City\n"Smith, Inc",1,896\nB,4,x', "2:?, 3:USDOT 4", "the other quotes do not help"],
  ['USDOT,Fleet\n"1","896"', "2:USDOT 1"],
  ["Fleet,USDOT\n1,896\n4,286764", "2:?, 3:USDOT 286764"],
  ["295017\n1,896,286764", "1:USDOT 295017, 2:?", "1896 and 286764, or three numbers"],
  ["295017\n295017,146,793", "1:USDOT 295017, 2:?"],
  ["295017\n286 764", "1:USDOT 295017, 2:?", "one number with a blank, or two"],
  ['"1","896"', "ask 1 2", "quotes part cells"],
  ["295017,146793,84212", "1:USDOT 295017, 1:USDOT 146793, 1:USDOT 84212"],
  ["295017, 146793; 84212", "1:USDOT 295017, 1:USDOT 146793, 1:USDOT 84212"],
  ["295017 666 4", "1:USDOT 295017, 1:USDOT 666, 1:USDOT 4"],
  ["1, 896", "1:USDOT 1, 1:USDOT 896", "a comma and a blank part numbers"],
  ["295017,\n146793,", "1:USDOT 295017, 2:USDOT 146793"],
  ["295017,146793\n84212", "1:USDOT 295017, 1:USDOT 146793, 2:USDOT 84212"],
  // What spreadsheets do
  ["\ufeffUSDOT,Name\n286764,A", "2:USDOT 286764", "a byte order mark"],
  ['USDOT,Name\n="00286764",A\n=286764,B', "2:USDOT 286764, 3:USDOT 286764"],
  ["USDOT,Name\n=A1+1,A\n286764,B", "2:?, 3:USDOT 286764", "a formula is not a number"],
  [
    "146894.0\n146894.00\n84212.\n'84212",
    "1:USDOT 146894, 2:USDOT 146894, 3:USDOT 84212, 4:USDOT 84212",
  ],
  [
    "286764\n146.894\n1.000\n2.86764E+5",
    "1:USDOT 286764, 2:?, 3:?, 4:?",
    "a decimal or a thousand",
  ],
  ["USDOT,Name\n#N/A,A\n#REF!,B\n286764,C", "2:?, 3:?, 4:USDOT 286764"],
  ["\uff12\uff18\uff16\uff17\uff16\uff14\n\u00a0286764\u200b", "1:USDOT 286764, 2:USDOT 286764"],
  // Ragged rows
  ["Carrier,MC #\nAcme, Inc,1896\nB,1897", "2:?, 3:MC 1897", "a comma in a name moves cells"],
  ["Carrier,MC,Fleet\nAcme, 24,1896,5\nB,1897,6", "2:?, 3:MC 1897", "never MC 24"],
  ["USDOT,Name\n286764,Acme, Inc\n295017", "2:USDOT 286764, 3:USDOT 295017"],
  ["Name,City,MC\nAcme,1896\nB,Akron,1897", "2:?, 3:MC 1897"],
  ["USDOT;Name\n286764;A;;\n;B", "2:USDOT 286764, 3:?"],
  // Hostile
  ["<script>\n286764\n=cmd|' /C calc'!A0", "ask 1", "the first line may be a heading"],
  ["286764\n\u202e467682\n-286764\n0\n123456789", "1:USDOT 286764, 2:USDOT 467682, 3:?, 4:?, 5:?"],
  ["286764\n99999999\n00000001\n000000001", "1:USDOT 286764, 2:USDOT 99999999, 3:USDOT 1, 4:?"],
  ["USDOT\n286764 295017\nUSDOT 4", "2:USDOT 286764, 2:USDOT 295017, 3:USDOT 4"],
  ["Name,USDOT\nA,286764 295017\nB,4", "2:?, 3:USDOT 4", "a row is one carrier"],
];

Deno.test("lists are read as their headings, prefixes and separators say, and asked where these do not", () => {
  for (const [text, expected, why = ""] of READINGS) {
    assert.equal(reading(text), expected, `${JSON.stringify(text)} ${why}`);
  }
});

Deno.test("a list is read with the chosen columns", () => {
  const text = "Carrier,Number,Fleet,City\nAcme,1896,5,Akron\nB,186800,6,";
  const choose = (...roles: [number, Role][]): Map<number, Role> => new Map(roles);
  assert.equal(reading(text), "ask 2 3");
  assert.equal(reading(text, choose([1, "MC"])), "2:MC 1896, 3:MC 186800");
  assert.equal(reading(text, choose([1, "USDOT"])), "2:USDOT 1896, 3:USDOT 186800");
  assert.equal(reading(text, choose([0, "name"])), "ask 2 3", "no column of numbers chosen");
  assert.equal(reading(text, choose([99, "MC"])), "ask 2 3", "no such column");
  const list = read(text, choose([1, "MC"], [0, "name"]));
  assert.deepEqual(list.rows[0], {
    row: 2,
    wanted: { kind: "MC", number: 1896 },
    name: "Acme",
    place: "Akron",
  });
  assert.equal(
    reading("295017,146793\n84212,1896", choose([0, "USDOT"], [1, "USDOT"])),
    "1:USDOT 295017, 1:USDOT 146793, 2:USDOT 84212, 2:USDOT 1896",
  );
  assert.equal(reading("MC 186800\n143229", choose([0, "MC"])), "1:MC 186800, 2:MC 143229");
});

Deno.test("names and places of the list are kept, and other numbers of a row are compared", () => {
  const text = "Legal Name,Phy City,Phy State,USDOT,MC\nAcme,Akron,OH,286764,186800\n,,,4,\n";
  const { rows, columns, headingRow, assumed } = read(text);
  assert.deepEqual(rows, [
    {
      row: 2,
      wanted: { kind: "USDOT", number: 286764 },
      also: [{ kind: "MC", number: 186800 }],
      name: "Acme",
      place: "Akron, OH",
    },
    { row: 3, wanted: { kind: "USDOT", number: 4 } },
  ]);
  assert.deepEqual(columns.map(({ role }) => role), ["name", "city", "state", "USDOT", "MC"]);
  assert.deepEqual([headingRow, assumed], [1, false]);
  assert.equal(read("286764\n4").assumed, true);
  assert.equal(read("Acme,MC-186800").rows[0]!.name, "Acme");
});

Deno.test("an upload loses no row: each has a number, or its place, text and reason", () => {
  const cell = fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map(String),
    fc.constantFrom("1,896", "MC-186800", "FF 12647", "=1+1", "146894.0", "0", "n/a", '"', "-", ""),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/["\n\r]/g, "x")),
  );
  const line = fc.array(cell, { minLength: 1, maxLength: 4 });
  const heading = fc.constantFrom("", "USDOT\n", "Name,MC #\n", "Carrier;USDOT;City\n", "ID\n");
  const separator = fc.constantFrom(",", ";", "\t", " ", ", ");
  const chosen = fc.constantFrom(undefined, new Map<number, Role>([[0, "MC"], [1, "USDOT"]]));
  fc.assert(
    fc.property(fc.array(line), heading, separator, chosen, (lines, head, mark, roles) => {
      // A quote may join lines, which then are one row.
      const text = head + lines.map((cells) => cells.join(mark)).join("\n").replaceAll('"', "");
      let list: ParsedUpload | Question;
      try {
        list = parseUpload(text, roles);
      } catch (error) {
        assert.match(String(error), /list is empty|can't find a USDOT/);
        return;
      }
      const rows = text.split("\n").flatMap((row, i) => /[^\s,;\t|]/.test(row) ? [i + 1] : []);
      const seen = "layout" in list
        ? [...list.layout.above, list.layout.heading, ...list.layout.body].map((row) => row?.row)
        : [list.headingRow, ...list.rows.map(({ row }) => row)];
      for (const row of rows) {
        assert.ok(seen.includes(row), `row ${row} of ${JSON.stringify(text)}`);
      }
      if ("layout" in list) return;
      for (const { wanted, unread } of list.rows) {
        assert.equal(wanted === null, unread !== undefined);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseUpload() says what to do with lists that it refuses", () => {
  const many = (count: number, line: string): string => `${line}\n`.repeat(count);
  assert.match(refusal(" \n\n"), /^invalid_body: This list is empty/);
  assert.match(refusal("a,b\nc,d\n"), /^invalid_body: We can't find a USDOT, MC, MX or FF number/);
  assert.match(refusal("1,896,286764"), /Row 1, “1,896,286764”: could be one number or several/);
  assert.match(refusal("ID\n0", new Map([[0, "MC"]])), /Row 2, “0”: 0 is not a number/);
  assert.equal(read(many(5_000, "1")).rows.length, 5_000);
  assert.match(refusal(many(5_001, "1")), /^too_many_items: .*more than 5,000 numbers.*split it/);
  assert.match(refusal(many(5_001, "1").replaceAll("\n", " ")), /^too_many_items/);
  assert.match(refusal("1 ".repeat(2_000_000)), /^too_many_items/);
  assert.match(refusal(many(30_000, "x")), /^too_many_items: .*20,000 rows/);
  assert.match(refusal(",".repeat(900_000)), /^invalid_body: .*keep only the columns/);
});
