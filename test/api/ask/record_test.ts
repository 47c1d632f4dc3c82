import assert from "node:assert/strict";
import { inWords } from "../../../api/ask/in_words.ts";
import { outcomeOfQuestion } from "./phrasings.ts";
import { withAsk } from "./service.ts";

Deno.test("a question with an unknown word is answered with everything on file", async () => {
  await withAsk(async (call) => {
    for (const query of ["what color are the trucks at DOT 286764", "all you have on DOT 286764"]) {
      const { body } = await call({ query });
      assert.match(inWords(body), /Also on file: .*Docket numbers: .*; address "/, query);
    }
    const { body } = await call({ query: "is DOT 286764 active" });
    assert.doesNotMatch(inWords(body), /Also on file/);
  });
});

Deno.test("a claimed count is compared with the count on file", async () => {
  await withAsk(async (call) => {
    const answerTo = async (query: string): Promise<string> =>
      inWords((await call({ query })).body);
    assert.match(
      await answerTo("DOT 1896 lists 5 trucks and 9 drivers, right?"),
      new RegExp(
        "5 power units filed\\? Yes\\. 9 drivers filed\\? No, 6\\.",
      ),
    );
    // The caller's own fleet is not compared with the carrier's.
    assert.match(
      await answerTo("I have 40 trucks, is DOT 286764 active"),
      /did not use "40 trucks"/,
    );
  });
});

// From three sets of questions by people who hadn't seen the code. Rules were tuned on them afterwards.
const OUTCOMES: Readonly<Record<string, string>> = {
  "when exactly did DOT 295017 go inactive? Legal is asking": "changes status #295017",
  "did anything change on dot 286764 this month": "changes #286764",
  "was 295017 active when we loaded them last june": "no:history overview #295017",
  "dot 286764 inspection count; also confirm city": "inspections location #286764",
  "change my phone number to 555-0100 im dot 286764": "no:filing",
  "best reefer carrier out of Akron right now": "no:filters",
  "can my carrier still pay 2026 UCR now or is it too late": "ucr_dates",
  "is there really a jump in UCR going from 100 to 101 trucks": "fee=100/2027 fee=101/2027",
  "ucr if i have 21 trucks vs 20": "fee=21/2027 fee=20/2027",
  "why is drivers blank and not zero": "terms",
  "is 286764 satisfactory, and what does satisfactory even mean": "rating #286764 terms",
  "what do they pull at General Transport": "cargo #286764",
  "is DOT 286764 parked by the feds": "no:oos_order overview #286764",
  "blue river trucking in dallas vs the one in akron, same people?":
    "compare overview #295017 #295018",
};

Deno.test("causes of unanswered questions in three blind sets stay fixed", async () => {
  await withAsk(async (_, deps) => {
    for (const [query, expected] of Object.entries(OUTCOMES)) {
      const outcome = await outcomeOfQuestion(query, deps);
      const sorted = (words: string): string => words.split(" ").toSorted().join(" ");
      assert.equal(sorted(outcome), sorted(expected), query);
    }
  });
});
