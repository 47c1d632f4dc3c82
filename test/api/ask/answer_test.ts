import assert from "node:assert/strict";
import fc from "fast-check";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { KEYWORDS } from "../../../api/ask/vocabulary.ts";
import { BASE_URL, type Call, withAsk } from "./service.ts";
import { HELD, TUNED } from "./phrasings.ts";

// deno-lint-ignore no-explicit-any -- checked by the schema in `call`
type Item = any;

async function results(call: Call, query: string, prev: string[] = []): Promise<Item[]> {
  const { status, body } = await call({ query, context: { prev } });
  assert.equal(status, 200, query);
  assert.equal(body._meta.response_type, "answer", `${query}: ${JSON.stringify(body)}`);
  return body.results;
}

async function failure(call: Call, query: string): Promise<Item> {
  const { status, body } = await call({ query });
  assert.equal(status, 200);
  assert.equal(body._meta.response_type, "failure", query);
  return body.error;
}

Deno.test("answer() says yes or no to what was asked, with the check and its file behind it", async () => {
  await withAsk(async (call) => {
    const cases: [query: string, says: RegExp, check: string][] = [
      [
        "is DOT 286764 active",
        /^USDOT number active\? Yes\. The census of 3 October/,
        "usdot_status",
      ],
      ["is DOT 295017 active", /^USDOT number active\? No\. /, "usdot_status"],
      ["is 295017 inactive", /^USDOT number inactive\? Yes\. /, "usdot_status"],
      ["is 286764 rated satisfactory", /^Rated Satisfactory\? Yes\. /, "safety_rating"],
      ["does 295018 have a conditional rating", /^Rated Conditional\? Yes\. /, "safety_rating"],
      ["does 286764 have a conditional rating", /^Rated Conditional\? No\. /, "safety_rating"],
      ["is the mcs-150 of 295017 overdue", /^MCS-150 overdue\? Yes\. /, "mcs150"],
      ["has 286764 filed its mcs-150", /^MCS-150 filed in time\? Yes\. /, "mcs150"],
      ["oos rate of 286764", /vehicle 4 of 8 \(50\.0 %/, "oos_rates"],
      ["ucr fee of 286764", /\$963 for 2026 .* \$1,163 for 2027/, "ucr"],
    ];
    for (const [query, says, check] of cases) {
      const [item, ...others] = await results(call, query);
      assert.deepEqual(others, [], query);
      assert.match(item.description, says, query);
      assert.deepEqual(item.checks.map(({ id }: { id: string }) => id), [check], query);
      assert.equal(item.grounding.citations[0].data_date, "2026-10-03");
      assert.equal(item.grounding.snapshot.data_date, "2026-10-03");
    }
  });
});

Deno.test("answer() never turns an unknown into a yes, a no or a clean record", async () => {
  await withAsk(async (call) => {
    const told = async (query: string) => (await results(call, query))[0].description;
    assert.match(await told("is the mcs-150 of 295018 overdue"), /^MCS-150 overdue\? Unclear\./);
    assert.match(await told("is the mcs-150 of 295018 up to date"), /in time\? Unclear\./);
    assert.match(await told("is 295017 rated satisfactory"), /\? It is not rated\./);
    assert.match(await told("how many trucks does 295018 have"), /power units not reported/);
    assert.match(await told("oos rate of 295017"), /no roadside inspection/);
    assert.doesNotMatch(await told("oos rate of 295017"), /\b0(?:\.0)? ?%/);
    assert.match(await told("295018"), /no verdict possible on MCS-150 update/);
    // A docket's flag must not read as authority.
    const authority = await told("does MC 186800 have active authority");
    assert.doesNotMatch(authority, /\b(?:Yes|No)\b\./);
    assert.match(authority, /flag is not operating authority/);
  });
});

Deno.test("answer() converts numbers both ways and names other holders of a docket", async () => {
  await withAsk(async (call) => {
    const [held] = await results(call, "what DOT is MC 143229");
    assert.equal(held.identifier, "USDOT 295018");
    assert.match(
      held.description,
      /^MC 143229 is listed by USDOT 295018, which goes first, and by USDOT 295017\./,
    );
    const [docket] = await results(call, "MC number of 286764");
    assert.match(docket.description, /MC 186800 \(flagged active\)\. A docket's flag is not/);
    const [none] = await results(call, "MC number of 21800");
    assert.match(none.description, /no docket is listed/);
  });
});

Deno.test("answer() tells due dates with or without a carrier, and fees year by year", async () => {
  await withAsk(async (call) => {
    const [known] = await results(call, "when is the mcs-150 of 295017 due");
    assert.equal(known.mcs150.next_due, "2027-07-31");
    assert.match(known.text, /was missed/);
    const [nobody] = await results(call, "mcs-150 due date 1234567");
    assert.equal(nobody.mcs150.next_due, "2028-07-31");
    assert.match(nobody.text, /so this is the schedule alone/);
    const fees = await results(call, "UCR for a dozen trucks in 2026 and 2027");
    assert.deepEqual(fees.map(({ ucr_fee }) => [ucr_fee.year, ucr_fee.fee_usd]), [[2026, 276], [
      2027,
      333,
    ]]);
    assert.equal((await results(call, "ucr for 12 trucks next year"))[0].ucr_fee.year, 2027);
    assert.match((await results(call, "ucr for a broker"))[0].text, /\$55 .* Brokers and leasing/);
    assert.equal((await failure(call, "ucr for 12 trucks in 2024")).code, "INVALID_PARAMETER");
    const estimate = await results(call, "ucr of 286764 in 2026");
    assert.match(estimate[1].text, /\$963 .* An estimate from the power units/);
    // Without a count in the census there is nothing to estimate from.
    assert.equal((await results(call, "ucr of 295018 in 2026")).length, 1);
  });
});

Deno.test("answer() asks which carrier a name means unless one is meant", async () => {
  await withAsk(async (call) => {
    const { body } = await call({ query: "is blue river trucking active" });
    assert.equal(body._meta.response_type, "elicitation");
    const [{ type, options }] = body.elicitation.questions;
    assert.equal(type, "single_select");
    assert.equal(options.length, 2);
    const [chosen] = await results(call, options[1], ["is blue river trucking active"]);
    assert.match(chosen.description, /^USDOT number active\? No\./);
    const [there] = await results(call, "is blue river trucking in dallas active");
    assert.equal(there.identifier, "USDOT 295017");
    assert.match(there.description, /^Searched for "blue river trucking in dallas": BLUE RIVER/);
    // One letter wrong: search forgives it, and the answer names whom it found.
    assert.equal((await results(call, "is genral transport active"))[0].identifier, "USDOT 286764");
    assert.equal((await failure(call, "is zzyzx freight active")).code, "NO_RESULTS");
    // A name of one letter was answered with 500: search takes two at least.
    const short = await failure(call, "\u2f00 status");
    assert.equal(short.code, "NO_RESULTS");
    assert.match(short.message, /at least 2 characters/);
  });
});

Deno.test("answer() compares two and three carriers and makes no score", async () => {
  await withAsk(async (call) => {
    const two = await results(call, "compare 286764 and 295017");
    assert.deepEqual(two.map((item) => item["@type"]), ["Organization", "Organization", "Answer"]);
    assert.match(two[2].text, /USDOT status: GENERAL .* active; BLUE .* inactive\. .*No score/);
    assert.equal((await results(call, "compare 286764, 295017 and 21800")).length, 4);
    // Nothing to compare with: the other one is only said to be missing.
    assert.deepEqual((await results(call, "compare 286764 and 999")).map((item) => item.name), [
      "GENERAL TRANSPORT INC",
      "USDOT 999",
    ]);
  });
});

Deno.test("answer() tells found and missing carriers apart in one question", async () => {
  await withAsk(async (call) => {
    const items = await results(call, "286764, 999 and MC 1");
    assert.deepEqual(items.map(({ name }) => name), ["GENERAL TRANSPORT INC", "USDOT 999", "MC 1"]);
    const none = await failure(call, "999 and 998");
    assert.equal(none.code, "NO_RESULTS");
    assert.equal(none.details.source_urls.length, 2);
    const many = Array.from({ length: 21 }, (_, i) => 1000 + i).join(" ");
    const refused = await failure(call, many);
    assert.deepEqual([refused.code, refused.details.given], ["INVALID_PARAMETER", 21]);
    assert.deepEqual(refused.details.instead, [`${BASE_URL}/api/v1/carriers/batch`]);
  });
});

Deno.test("answer() declines by name, saying where to look, alone and beside an answer", async () => {
  await withAsk(async (call) => {
    const alone = await failure(call, "can I trust 286764");
    assert.equal(alone.code, "OUT_OF_SCOPE");
    assert.deepEqual(alone.details.declined, ["trust"]);
    assert.ok(alone.details.where.every(({ url }: { url: string }) => URL.canParse(url)));
    assert.deepEqual(alone.details.instead, [`${BASE_URL}/api/v1/carriers/286764`]);
    const [status, insurance] = await results(call, "is 286764 active and insured");
    assert.match(status.description, /active\? Yes/);
    assert.equal(insurance.name, "Not answered here: insurance and bonds");
  });
});

Deno.test("answer() leaves hostile names as they are, in JSON only", async () => {
  await withAsk(async (call) => {
    const { text, body } = await call({ query: "77", prefer: { streaming: false } });
    assert.equal(body.results[0].name, '<img src=x onerror="alert(1)">\u202e');
    assert.ok(text.includes('<img src=x onerror=\\"alert(1)\\">'));
  });
});

Deno.test("answer() fits its schema, is bounded, and names a source that an operation has, whatever is asked", async () => {
  const paths = OPERATIONS.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`));
  const known = fc.constantFrom("286764", "MC 143229", "295017", "77", "999", "12", "2026");
  const word = fc.oneof(
    known,
    fc.constantFrom(...KEYWORDS),
    fc.string({ unit: "binary", maxLength: 9 }),
  );
  const random = fc.array(word, { maxLength: 15 }).map((words) => words.join(" "));
  const phrasing = fc.constantFrom(...TUNED, ...HELD).map(({ query }) => query);
  await withAsk(async (call) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(random, phrasing), phrasing, async (query, before) => {
        const { status, text, body } = await call({
          query,
          context: { prev: [before] },
          prefer: { mode: "summarize" },
        });
        assert.equal(status, 200);
        assert.ok(text.length < 200_000);
        if (body._meta.response_type !== "answer") return;
        const summary = body.results.at(-1);
        assert.equal(summary["@type"], "SearchSummary");
        assert.ok(summary.text.length <= 2100);
        for (const { grounding } of body.results) {
          for (
            const url of grounding.source_urls.filter((one: string) => one.startsWith(BASE_URL))
          ) {
            const path = new URL(url).pathname;
            assert.ok(/^\/carriers\/\d+$/.test(path) || paths.some((one) => one.test(path)), url);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
