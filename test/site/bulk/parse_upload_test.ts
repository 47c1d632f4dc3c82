import fc from "fast-check";
import assert from "node:assert/strict";
import { ServiceError } from "../../../api/operations/errors.ts";
import type { Role } from "../../../site/bulk/columns.ts";
import { named } from "../../../site/bulk/numbers.ts";
import {
  type Answers,
  type ParsedUpload,
  parseUpload,
  type Question,
} from "../../../site/bulk/parse_upload.ts";
import READINGS from "./readings.txt" with { type: "text" };

/** A parsed upload in the notation of readings.txt. */
function reading(text: string, answers?: Answers): string {
  const list = parseUpload(text, answers);
  if (!("layout" in list)) {
    return list.rows.map(({ row, wanted, also = [] }) =>
      `${row}:${wanted === null ? "?" : [wanted, ...also].map(named).join("+")}`
    ).join(", ");
  }
  const columns = list.numbers.map((place) => ` ${place + 1}`).join("");
  const kind = list.numbers.length === 0;
  const meant = list.maybes.map(({ number }) => ` ${kind ? named(number) : number.number}`);
  return [
    ...columns === "" ? [] : [`ask${columns}`],
    ...meant.length === 0 ? [] : [`meant${meant.join(",")}`],
  ].join("; ");
}

function read(text: string, chosen?: Map<number, Role>): ParsedUpload {
  const list = parseUpload(text, { chosen });
  assert.ok(!("layout" in list), "asked");
  return list;
}

function refusal(text: string, chosen?: Map<number, Role>): string {
  try {
    parseUpload(text, { chosen });
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return `${error.code}: ${error.message}`;
  }
  assert.fail("not refused");
}

Deno.test("lists are read by their headings, prefixes and separators, and a question is asked when these are unclear", () => {
  const lines = READINGS.split("\n").filter((line) => line.startsWith('"'));
  assert.ok(lines.length > 70);
  for (const line of lines) {
    const [, text, choice, expected] = /^("(?:[^"\\]|\\.)*")(?: \[(.*?)\])? {2}(.*?)(?: {2}# .*)?$/
      .exec(line)!;
    const words = choice === undefined ? undefined : / ?(yes|no)$/.exec(choice)?.[1];
    const roles = choice?.replace(/ ?(yes|no)$/, "");
    const chosen = !roles ? undefined : new Map(
      roles.split(" ").map((one): [number, Role] => {
        const [place, role] = one.split(":");
        return [Number(place) - 1, role as Role];
      }),
    );
    const answers = { chosen, words: words === undefined ? undefined : words === "yes" };
    assert.equal(reading(JSON.parse(text!), answers), expected, line);
  }
});

Deno.test("names and places in the list are kept, and other numbers in a row are compared", () => {
  const text = "Legal Name,Phy City,Phy State,USDOT,MC\nAcme,Akron,OH,286764,186800\n,,,4,\n";
  const { rows, columns, headingRow, assumed } = read(text);
  assert.deepEqual(rows, [
    {
      row: 2,
      wanted: { kind: "USDOT", number: 286764 },
      also: [{ kind: "MC", number: 186800 }],
      name: "Acme",
      city: "Akron",
      state: "OH",
    },
    { row: 3, wanted: { kind: "USDOT", number: 4 } },
  ]);
  assert.deepEqual(columns.map(({ role }) => role), ["name", "city", "state", "USDOT", "MC"]);
  assert.deepEqual([headingRow, assumed], [1, false]);
  assert.equal(read("286764\n4").assumed, true);
  assert.equal(read("Acme,MC-186800").rows[0]!.name, "Acme");
  const chosen = read("Carrier,Number,City\nAcme,1896,Akron", new Map([[1, "MC"], [0, "name"]]));
  const wanted = { kind: "MC", number: 1896 };
  assert.deepEqual(chosen.rows, [{ row: 2, wanted, name: "Acme", city: "Akron" }]);
});

Deno.test("an upload loses no row: each has a number, or its position, text and reason", () => {
  const cell = fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map(String),
    fc.constantFrom("1,896", "MC-186800", "FF 12647", "=1+1", "146894.0", "0", "n/a", '"', "-", ""),
    fc.constantFrom(
      "Dot 278025 (good)",
      "ACME LLC 106690",
      "MC 1 or MC 2",
      "load 55123",
      "old MC 7",
    ),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/["\n\r]/g, "x")),
  );
  const line = fc.array(cell, { minLength: 1, maxLength: 4 });
  const heading = fc.constantFrom("", "USDOT\n", "Name,MC #\n", "Carrier;USDOT;City\n", "ID\n");
  const separator = fc.constantFrom(",", ";", "\t", " ", ", ");
  const chosen = fc.constantFrom(undefined, new Map<number, Role>([[0, "MC"], [1, "USDOT"]]));
  const words = fc.constantFrom(undefined, true, false);
  fc.assert(
    fc.property(
      fc.array(line),
      heading,
      separator,
      chosen,
      words,
      (lines, head, mark, roles, words) => {
        // A quote may join lines into one row.
        const text = head + lines.map((cells) => cells.join(mark)).join("\n").replaceAll('"', "");
        let list: ParsedUpload | Question;
        try {
          list = parseUpload(text, { chosen: roles, words });
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
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("parseUpload() says how to fix the lists that it refuses", () => {
  const many = (count: number, line: string): string => `${line}\n`.repeat(count);
  assert.match(refusal(" \n\n"), /^invalid_body: This list is empty/);
  assert.match(refusal("a,b\nc,d\n"), /^invalid_body: We can't find a USDOT, MC, MX or FF number/);
  assert.match(refusal("1,896,286764"), /Row 1: “1,896,286764” could be one number or several/);
  assert.match(refusal("ID\n0", new Map([[0, "MC"]])), /Row 2: “0” isn't a carrier's number/);
  assert.equal(read(many(5_000, "1")).rows.length, 5_000);
  assert.match(refusal(many(5_001, "1")), /^too_many_items: .*more than 5,000 numbers.*split it/);
  assert.match(refusal(many(5_001, "1").replaceAll("\n", " ")), /^too_many_items/);
  assert.match(refusal("1 ".repeat(2_000_000)), /^too_many_items/);
  assert.match(refusal(many(30_000, "x")), /^too_many_items: .*20,000 rows/);
  assert.match(refusal(",".repeat(900_000)), /^invalid_body: .*keep only the columns/);
});

// Regression: an upload of 100 KB of these blocked all other requests for four seconds.
Deno.test("a text with very many prefixes has no number, and a table with very many such columns is refused", () => {
  const prefixed = (count: number): string => Array(count).fill("MC 186800").join(" and ");
  assert.equal(reading(`${prefixed(20)}\nDOT 295017`), "1:MC 186800, 2:USDOT 295017");
  assert.equal(reading(`${prefixed(21)}\nDOT 295017`), "1:?, 2:USDOT 295017");
  const table = (columns: number): string => Array(30).fill("MC1,".repeat(columns)).join("\n");
  assert.match(reading(table(20)), /^1:MC 1, 2:MC 1, /);
  assert.match(refusal(table(21)), /^invalid_body: We can't read more than 20 columns of numbers/);
});
