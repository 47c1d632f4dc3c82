import assert from "node:assert/strict";
import { collectAnswer } from "../../../api/ask/http.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { carrierNames, carrierPlace } from "../../synthetic/carrier.ts";
import { dotOf, planDataset } from "../../synthetic/plan.ts";
import { depsOverDataset, withAsk } from "./service.ts";

/** Words that an impostor adds to a name. Many are keywords of questions. */
const ADDED =
  ("Brokerage Broker Freight Carrier Cargo Fleet Active Rating Interstate Logistics Leasing Express USA Group " +
    "Holdings Services Solutions Data Insurance Safety Trust Legal Check Overdue Report Truck Drivers Hazmat " +
    "Authority Inspection Review Best Now Global Sons II 2 Same Compare Find National Status Name Phone " +
    "Number Owner Mileage Current Filed Fee Brokers Transport Trucking Inspected Docket Motor Rated " +
    "Located Registered Valid").split(" ");
const CARRIERS = 20;

Deno.test("a name with an added word never matches, whatever the word means in questions", async () => {
  assert.ok(ADDED.length >= 60);
  await using dir = await tempDir();
  const size = { carriers: 400, inspections: 100 };
  const plan = planDataset(size);
  const deps = await depsOverDataset(dir.path, { ...size, workers: 1 });
  const resultOf = async (query: string): Promise<string | undefined> => {
    const { results } = await collectAnswer({ query, prev: [] }, deps) as {
      results?: { match?: { result: string } }[];
    };
    return results?.find(({ match }) => match !== undefined)?.match?.result;
  };
  const [matched, own]: string[][] = [[], []];
  for (let i = 0; i < CARRIERS; i++) {
    const index = 19 * i + 7;
    const dot = dotOf(plan, index);
    const name = carrierNames(plan, index, carrierPlace(plan, index)).legal;
    if (await resultOf(`is DOT ${dot} ${name}?`) === "match") own!.push(name);
    for (const [n, word] of ADDED.entries()) {
      if (name.includes(word.toUpperCase())) continue;
      const query = [
        `is DOT ${dot} ${name} ${word}?`,
        `is ${dot} ${name} ${word} LLC?`,
        `is DOT ${dot} ${name.toLowerCase()} ${word.toLowerCase()}?`,
        `does DOT ${dot} belong to ${word} ${name}`,
      ][(i + n) % 4]!;
      if (await resultOf(query) === "match") matched!.push(query);
    }
  }
  assert.deepEqual(matched, []);
  assert.equal(own!.length, CARRIERS);
});

Deno.test("the answer names the word that an impostor added", async () => {
  await withAsk(async (call) => {
    const { body } = await call({ query: "is DOT 286764 General Transport Brokerage LLC?" });
    assert.match(body.results[0].description, /'Brokerage' isn't in FMCSA's name/);
  });
});

Deno.test("a place after a name is compared as a place, its own or another", async () => {
  const cases: [query: string, result: string, description: RegExp][] = [
    ["Is DOT 286764 General Transport out of Akron?", "match", /city "Akron" \[match\]/],
    ["does 286764 belong to General Transport based in Akron", "match", /city "Akron" \[match\]/],
    [
      "Is General Transport Dallas TX DOT 286764",
      "different",
      /name "General Transport" \[match\]/,
    ],
    ["Is General Transport Freight OH DOT 286764", "different", /'Freight'/],
    ["Does USDOT 286764 belong to a company in Ohio?", "match", /state "Ohio" \[match\]/],
    [
      "caller claims General Transport, Newark NJ, MC 186800. legit?",
      "different",
      /city "Newark" \[different\]/,
    ],
    ["he says General Transport / akron ohio / dot 286764", "match", /city "akron" \[match\]/],
    [
      "callback 214-555-0199 for dot 286764, does it match",
      "different",
      /phone "214-555-0199" \[different\]/,
    ],
    ["Does USDOT 286764 belong to a company in Texas?", "different", /state "Texas" \[different\]/],
  ];
  await withAsk(async (call) => {
    for (const [query, result, description] of cases) {
      const { body } = await call({ query });
      assert.equal(body.results[0].match?.result, result, query);
      assert.match(body.results[0].description, description, query);
    }
  });
});

Deno.test("a carrier is found by either name of a legal name with DBA, and by its names and place in one", async () => {
  await withAsk(async (call) => {
    for (
      const [name, dot] of [
        ["Orion Eagle Grain", 610012],
        ["Burke Trucking Corporation", 610012],
        ["orion eagle grain cincinnati oh", 610012],
        ["alberto collins patel delivery", 610013],
        ["alberto collins patel delivery erie pa", 610013],
      ] as const
    ) {
      const { body } = await call({ query: `is ${name} active` });
      assert.equal(body.results?.[0]?.identifier, `USDOT ${dot}`, name);
    }
    // A word that neither its names nor its place have: the answer asks.
    for (
      const name of ["alberto collins patel transport", "patel delivery alberto collins akron oh"]
    ) {
      const { body } = await call({ query: `is ${name} active` });
      assert.equal(body._meta.response_type, "elicitation", name);
    }
  });
});

Deno.test("a shortened name beside a number is called different only where the question compares it", async () => {
  await withAsk(async (call) => {
    for (
      const [query, result] of [
        ["610009 Schugel Trucking. inspections last 24 months", undefined],
        ["DOT 610009 Schugel Trucking inspections", undefined],
        ["is DOT 610009 Schugel Trucking?", "different"],
        ["does Schugel Trucking match DOT 610009", "different"],
        ["610009 Schugel Trucking Brokerage inspections", "different"],
      ] as const
    ) {
      const { body } = await call({ query });
      assert.equal(body.results[0].match?.result, result, query);
    }
  });
});
