import assert from "node:assert/strict";
import { KNOWN } from "../../../api/ask/plan/known/known.ts";
import { judge, outcomeOf } from "./phrasings.ts";
import { withAsk } from "./service.ts";

Deno.test("ask() answers every question that it offers in place of one it doesn't understand", async () => {
  await withAsk(async (call) => {
    for (const { question, intent } of KNOWN) {
      const answer = await call({ query: question });
      assert.notEqual(answer.body._meta.response_type, "elicitation", question);
      assert.equal(judge(intent.replace(/=.*/, ""), outcomeOf(answer)), "right", question);
    }
  });
});

Deno.test("ask() says which question it answers where it knows only most of the words", async () => {
  await withAsk(async (call) => {
    const { body } = await call({ query: "which fmcsa file do you zorble your data from" });
    assert.match(body.results[0].text, /^Read as "Where does the data come from\?" /);
  });
});

Deno.test("ask() offers questions where several are close, and none for what has nothing in common with them", async () => {
  await withAsk(async (call) => {
    const offered = await call({ query: "what about the numbers" });
    assert.equal(offered.body._meta.response_type, "elicitation");
    const nothing = await call({ query: "qwertz asdf" });
    assert.equal(nothing.body.elicitation.questions[0].options, undefined);
  });
});
