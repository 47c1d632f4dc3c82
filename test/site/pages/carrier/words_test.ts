import assert from "node:assert/strict";
import { issuesSentence } from "../../../../site/pages/carrier/words.ts";

Deno.test("issuesSentence() counts in words, and none is no praise", () => {
  assert.equal(issuesSentence({ issues: 0 }), "None of the six checks needs a look");
  assert.equal(issuesSentence({ issues: 1 }), "One of the six checks needs a look");
  assert.equal(issuesSentence({ issues: 6 }), "Six of the six checks need a look");
});
