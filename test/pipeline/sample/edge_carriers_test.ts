import assert from "node:assert/strict";
import { dayOf } from "../../../pipeline/sample/days.ts";
import { edgeCarriers } from "../../../pipeline/sample/edge_carriers.ts";
import { edgeLines } from "../../../pipeline/sample/edge_rows.ts";
import { CENSUS_HEADER, INSPECTION_HEADER } from "../../../pipeline/sample/headers.ts";
import { NAME_NOTE } from "../../../pipeline/sample/sample.ts";
import { parseStrict } from "./parse.ts";

const TODAY = dayOf("2026-10-03");
const FRAME = {
  today: TODAY,
  firstDot: 90_010_000,
  firstDocket: 9_900_001,
  firstInspection: 70_000_001,
  nameNote: NAME_NOTE,
};
const LINES = edgeLines(edgeCarriers(TODAY), FRAME);
const ROWS = parseStrict(CENSUS_HEADER.join(",") + "\n" + LINES.census.join("")).rows;

Deno.test("edgeLines() writes whole rows for every edge carrier", () => {
  assert.equal(ROWS.length, edgeCarriers(TODAY).length);
  const inspections = parseStrict(INSPECTION_HEADER.join(",") + "\n" + LINES.inspections.join(""));
  assert.ok(inspections.rows.length > 250);
});

Deno.test("edgeLines() shows every value a check looks at", () => {
  const values = (column: string): Set<string> => new Set(ROWS.map((row) => row[column] as string));
  for (const status of ["A", "I", "P"]) assert.ok(values("STATUS_CODE").has(status));
  for (const operation of ["A", "B", "C", ""]) {
    assert.ok(values("CARRIER_OPERATION").has(operation));
  }
  for (const rating of ["S", "C", "U", ""]) assert.ok(values("SAFETY_RATING").has(rating));
  for (const status of ["A", "I", "P", ""]) assert.ok(values("DOCKET1_STATUS_CODE").has(status));
  for (const prefix of ["MC", "MX", "FF", ""]) assert.ok(values("DOCKET1PREFIX").has(prefix));
  for (const roles of ["B", "C;B", "F", "I", "S", ""]) assert.ok(values("CARSHIP").has(roles));
  assert.ok(values("POWER_UNITS").has("") && values("MCS150_DATE").has(""));
});

Deno.test("edgeLines() has an on-time carrier for each of the 20 schedules", () => {
  const endings = new Set(
    ROWS.filter((row) => row.LEGAL_NAME?.includes("MET THE LAST DEADLINE"))
      .map((row) => Number(row.DOT_NUMBER))
      .map((dot) => `${Math.floor(dot / 10) % 2}${dot % 10}`),
  );
  assert.equal(endings.size, 20);
});

Deno.test("edgeLines() carries hostile names through unharmed", () => {
  const names = ROWS.map((row) => row.LEGAL_NAME as string);
  assert.ok(names.some((name) => name.startsWith("<script>alert(1)</script>")));
  assert.ok(
    names.some((name) => name.startsWith('=HYPERLINK("https://example.invalid/","CLICK")')),
  );
  assert.ok(names.some((name) => name.includes("\u202E")));
  assert.ok(names.some((name) => name.length === 120));
});

Deno.test("edgeLines() refuses a column the header does not have", () => {
  const carrier = { name: "X", columns: { POWER_UNIT: "1" } };
  assert.throws(() => edgeLines([carrier], FRAME), /POWER_UNIT/);
});
