import assert from "node:assert/strict";
import { inDays, issuesSentence } from "../../../../site/pages/carrier/words.ts";

Deno.test("issuesSentence() counts in words, and none is no praise", () => {
  assert.equal(issuesSentence({ issues: 0 }), "None of the six checks needs a look");
  assert.equal(issuesSentence({ issues: 1 }), "One of the six checks needs a look");
  assert.equal(issuesSentence({ issues: 6 }), "Six of the six checks need a look");
});

Deno.test("inDays() tells how far off a day is, either way", () => {
  assert.deepEqual([-1200, -1, 0, 1, 2].map(inDays), [
    "1,200 days ago",
    "1 day ago",
    "today",
    "in 1 day",
    "in 2 days",
  ]);
});
