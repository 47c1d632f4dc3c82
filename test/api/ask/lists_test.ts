import assert from "node:assert/strict";
import { inWords } from "../../../api/ask/in_words.ts";
import { MemorySource, type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { callAsk, depsOver, withAsk } from "./service.ts";

// Regression: until Nov 23, 2026 /ask said "6 carriers fit FF 289" though seven carriers list that docket.
Deno.test("a docket listed by more carriers than are offered says how many there are", async () => {
  const objects: Objects = new Map();
  const dots = [1000, 1100, 1200, 1300, 1400, 1500, 1600];
  putSnapshot(objects, {
    id: "a",
    carriers: dots.map((dot) => record(dot)),
    dockets: { MC: { 6069: dots } },
  });
  const { body } = await callAsk(depsOver(new MemorySource(objects)), { query: "MC 6069 status" });
  const { text, questions: [{ options }] } = body.elicitation;
  assert.match(text, /^7 carriers match MC 6069\..* These are the first 6\.$/);
  assert.equal(options.length, 6);
});

/** Questions once answered wrongly, with what their answers must and must not contain. */
const ANSWERS: readonly (readonly [query: string, has: RegExp, lacks?: RegExp])[] = [
  // A name or a place was dropped from a search.
  ["any Blue carriers in Texas", /USDOT 295017/, /USDOT 610003|fits all/],
  ["list Blue carriers in Macon GA", /USDOT 610003/, /USDOT 295017|fits all/],
  ["list Blue carriers in Texas or Georgia", /USDOT 295017[^]*USDOT 610003/],
  ["companies with Blue in the name, state GA", /USDOT 610003/, /USDOT 295017/],
  // An added word of another firm was left out of a name.
  ["General Transport Brokerage Akron authority", /named exactly/, /listed active/],
  ["Orion Eagle Logistics LLC - same as Burke Trucking?", /named exactly/, /one carrier/],
  // The place of a name was left out for one of another state.
  ["Blue River Trucking Dallas GA status", /named exactly/, /Listed/],
  ["status of docket MC-143229 of Blue River Trucking Inc", /MC 143229: listed active/],
  ["was DOT 295017's MC-143229 active", /MC 143229: listed/],
  // "mcs" was read as an MC number.
  ["286764 next mcs filing", /USDOT 286764\)/, /No carrier lists/],
  // Dollars of a fee were read as vehicles.
  ["does 286764 owe ucr 138 or 276", /USDOT 286764\)/, /138 vehicles|276 vehicles/],
  // A label was compared as a name.
  ["AGENT REQUEST: return operating status for DOT 286764", /Listed active/, /Different/],
  // The second name was compared with the first one's record.
  [
    'which is real: "General Transport Inc" DOT 286764 or "Alone Hauling Co"',
    /USDOT 286764/,
    /Different/,
  ],
  // Without the checks, a match would read like an approval.
  ["does DOT 295017 belong to Blue River Trucking LLC", /Its checks: Inactive/],
  ["how old is DOT 286764", /isn't the company's age/, /former names/],
  ["is DOT 286764 for hire or private", /classifi/, /not use/],
  ["address and verdict of DOT 295017", /Inactive/, /not use/],
  ["what does verdict Review mean", /sums up the findings/, /\bUSDOT \d/],
  ["UCR for 8 trucks and when is it due", /8 vehicles[^]*is due by Dec 31/, /not use/],
  ["what are the national OOS averages", /national averages here/, /named exactly/],
];

Deno.test("each part of a question is answered as it was meant", async () => {
  await withAsk(async (call) => {
    for (const [query, has, lacks] of ANSWERS) {
      const words = inWords((await call({ query })).body);
      assert.match(words, has, query);
      if (lacks !== undefined) assert.doesNotMatch(words, lacks, query);
    }
  });
});
