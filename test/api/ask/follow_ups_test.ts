/**
 * What a question means after another one: about no carrier, about a carrier's facts, or about a list.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inWords } from "../../../api/ask/in_words.ts";
import { outcomeOf } from "./phrasings.ts";
import { withAsk } from "./service.ts";

/** Questions, the last of which is answered, with the outcome and what the answer says. */
type Case = readonly [questions: string, outcome: RegExp, says: RegExp];

async function check(cases: readonly Case[]): Promise<void> {
  await withAsk(async (call) => {
    for (const [questions, outcome, says] of cases) {
      const prev = questions.split(" >> ");
      const answer = await call({ query: prev.pop()!, prev });
      assert.match(outcomeOf(answer), outcome, questions);
      assert.match(inWords(answer.body), says, questions);
    }
  });
}

Deno.test("ask() reads a question after one about no carrier together with it", () =>
  check([
    ["what is the MCS-150 >> how often?", /^terms$/, /every 24 months/],
    ["ucr for 4 trucks >> when is it due", /^ucr_dates$/, /due by Dec 31/],
    ["what does OOS mean >> is there a national average for it", /^terms$/, /averages here/],
    ["how old is the data >> and when is the next one", /^data_date$/, /read once a day/],
    ["is 286764 active >> thanks", /^ask:question$/, /You're welcome/],
  ]));

Deno.test("ask() gives the due date of a number's last two digits, and the month of its last", () =>
  check([
    [
      "my dot ends in 47, when is my mcs150 due",
      /^mcs150_digits$/,
      /ends in 47 the next one is due by Jul 31, 2028/,
    ],
    ["truck 12 broke down, when is the mcs150 due", /^mcs150_digits/, /^(?![^]*20\d\d)/],
    [
      "when is the mcs150 due if it ends in 47 >> and 0?",
      /^mcs150_digits$/,
      /ends in 0 the month is October/,
    ],
  ]));

Deno.test("ask() says whether a kind of cargo was filed, and counts per power unit", () =>
  check([
    ["does 286764 haul household goods", /^cargo #286764$/, /Household goods filed\? Yes\./],
    ["286764 cargo >> produce too?", /^cargo #286764$/, /Fresh produce filed\? No\./],
    ["does 21800 carry steel", /^cargo #21800$/, /rolls filed\? Not reported\./],
    ["286764 mileage >> per truck", /^mileage #286764$/, /63,434 miles per power unit/],
    ["how many drivers at 286764 >> per truck", /^fleet #286764$/, /0\.07 drivers per power unit/],
  ]));

Deno.test("ask() repeats an answer that is doubted, and dates what it said", () =>
  check([
    ["is 286764 active >> are you sure", /^status #286764$/, /Listed active/],
    ["286764 rating >> when was that given", /^rating #286764$/, /Mar 2, 2020/],
  ]));

Deno.test("ask() picks from a list by place, and by the kind of company that the name says", () =>
  check([
    ["carriers in Fargo >> the one in ND >> rating", /^ask:name/, /2 carriers match "Fargo ND"/],
    [
      "tell me about Blue River Trucking >> the construction company",
      /^ask:name/,
      /^No carrier is named exactly "Blue River construction"/,
    ],
  ]));

Deno.test("ask() says beside an answer that it doesn't answer what is off topic", () =>
  check([
    ["rating of 286764, and how is the weather", /^rating #286764$/, /I did not answer: .*weather/],
  ]));

// Regressions: until Nov 28, 2026 these were read as USDOT numbers, or as the wrong name or place.
Deno.test("ask() takes no model, bracket or quoted name for more than it is", () =>
  check([
    ["my Volvo 760 broke down, was it out of service", /^(?!.*#760)/, /./],
    ["what tires do you recommend for a 379 pete", /^(?!.*#379)/, /./],
    ["286764 power units >> 188 seems too high", /^(?!.*#188)/, /./],
    ["do I land in the 6-20 or the 21-100 UCR bracket with 20 trucks", /^fee=20/, /20 vehicles/],
    ["is MC 700008 'Sunset Logistics' hauling a load of mine", /#610008/, /^(?![^]*Different)/],
    ["general transport oh, dot 286764, both right?", /#286764/, /state "oh" \[match\]/],
  ]));

// Regression: until Nov 28, 2026 SAFE WAY EXPRESS of North Dakota was listed for "WA".
Deno.test("ask() lists no carrier as being in a place that it isn't in", () =>
  check([
    ["carriers in Washington state", /^missing$/, /^Cannot find "WA"/],
    ["carriers in Oregon", /^missing$/, /^Cannot find "Oregon"/],
  ]));

Deno.test("ask() changes the fleet of the fee before", () =>
  check([
    ["ucr for 2 trucks >> and with 20 >> what if I also broker", /./, /fee for 20 vehicles/],
    ["ucr for 20 trucks >> and if 4 of them are trailers", /./, /fee for 16 vehicles/],
    ["ucr for 4 trucks >> and if I'm not interstate", /^ucr_intrastate$/, /only intrastate/],
  ]));

Deno.test("ask() comes back to a carrier of before, and changes those compared", () =>
  check([
    [
      "286764 rating >> sorry I meant 21800 >> back to the first one, trucks",
      /^fleet #286764$/,
      /./,
    ],
    [
      "compare 286764, 21800 and 610006 >> drop 610006 >> trucks",
      /^(?!.*#610006).*#286764 #21800/,
      /power units/,
    ],
    ["what is a safety rating >> and for 286764", /^rating #286764$/, /./],
    ["286764 >> in Texas, right?", /#286764$/, /Different from what it filed/],
    ["is 286764 active >> how can they fix that", /^terms$/, /reactivated by filing/],
  ]));
