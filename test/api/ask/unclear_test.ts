/**
 * What a question gets that isn't understood, or that is only partly: never "what is your question" alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inWords } from "../../../api/ask/in_words.ts";
import { outcomeOf } from "./phrasings.ts";
import { withAsk } from "./service.ts";

/** The words of an answer, with its outcome. */
async function ask(
  question: string,
): Promise<{ text: string; outcome: string }> {
  const prev = question.split(" >> ");
  const query = prev.pop()!;
  let said = { text: "", outcome: "" };
  await withAsk(async (call) => {
    const answer = await call({ query, prev });
    said = { text: inWords(answer.body), outcome: outcomeOf(answer) };
  });
  return said;
}

Deno.test("ask() gives the record of a number in a question that isn't understood, and what isn't shown here", async () => {
  const { text, outcome } = await ask("286764 last zorbled when");
  assert.equal(outcome, "record #286764");
  assert.match(text, /^I don't understand all of that, so this is the whole record\. /);
  assert.match(text, /Not shown here: insurance, .*Also on file: .*[Mm]ileage/);
});

Deno.test("ask() takes no number for a carrier's beside a word of something else, or with fewer than five digits", async () => {
  for (const query of ["flight 286764 zorble", "the 286764 zorbles", "meet u @ 1896 zorble"]) {
    assert.match((await ask(query)).outcome, /^ask:/, query);
  }
  const { outcome } = await ask("says he's with General Transport but his area code is 702");
  assert.equal(outcome, "overview #286764");
});

Deno.test("ask() explains the terms of a question that may be of no carrier, and asks which", async () => {
  const { text, outcome } = await ask("would authority zorble after the quux then");
  assert.equal(outcome, "ask:carrier");
  assert.match(text, /In general: Operating authority is FMCSA's permission/);
  const general = await ask("my boss claims no rating = zorble, right?");
  assert.match(general.text, /^I don't understand all of that\. In general: FMCSA rates/);
});

Deno.test("ask() declines a sentence that it doesn't understand with what it has, and asks back a few words", async () => {
  const { text } = await ask("zorble my quuxes before the party tonight");
  assert.match(text, /^This service can't answer that\. .*free, .*It has no insurance/);
  assert.match(text, /National Consumer Complaint Database: https/);
  assert.match((await ask("zorble quux")).text, /What is your question\?$/);
});

Deno.test("ask() lists the carriers of a place beside a filter that it declines, and never ranks or counts them", async () => {
  const listed = await ask("need a flatbed carrier in Wisconsin with at least 5 trucks");
  assert.equal(listed.outcome, "no:filters search #610004");
  for (const query of ["best carrier in Wisconsin", "how many flatbed carriers in Wisconsin"]) {
    assert.equal((await ask(query)).outcome, "no:filters", query);
  }
  for (
    const query of [
      "every bus company in Ohio",
      "carriers in Ohio with an MC",
      "which carriers got shut down in Ohio this month",
    ]
  ) {
    assert.match((await ask(query)).outcome, /^no:filters search /, query);
  }
  assert.match((await ask("carriers in Akron Ohio >> just Dallas")).outcome, /^search #295017/);
});

Deno.test("ask() compares a name with a number up to the end of the sentence", async () => {
  const { text } = await ask(
    "Blue River Trucking Dallas TX. Driver showed up with 295017 on the door. Match?",
  );
  assert.match(text, /Match: .*name "Blue River Trucking" \[match\].*city "Dallas" \[match\]/);
});

Deno.test("ask() changes the fleet of the fee before as the next question says", async () => {
  for (
    const [query, fee] of [
      ["ucr for 6 trucks >> and if I lease on 3 more", "fee=9/2027"],
      ["ucr for 6 trucks >> does it change if I add a trailer", "fee=6/2027"],
      ["UCR for 286764 >> and if they dropped to 3 trucks", "fee=3/2027"],
    ]
  ) assert.equal((await ask(query!)).outcome, fee, query);
});

Deno.test("ask() takes the namesake whose place or other name the question has", async () => {
  const there = await ask("does Blue River Trucking still run, the guy says Dallas");
  assert.equal(there.outcome, "overview #295017");
  assert.match(there.text, /Found by the name "Blue River Trucking, Dallas"/);
  const both = await ask("Burke Trucking / Orion Eagle Grain, active");
  assert.equal(both.outcome, "status #610012");
});

Deno.test("ask() reads part of a name after a carrier as that carrier's", async () => {
  const { text, outcome } = await ask("610012 >> truck says eagle grain tho");
  assert.match(outcome, /#610012$/);
  assert.match(text, /A name of USDOT 610012 has "eagle grain"/);
});

Deno.test("ask() says that a record isn't of the past day which a question mentions", async () => {
  const { text } = await ask("our insurer asks if 286764 was active, the loss was 6/14/2026");
  assert.match(text, /Cannot answer as of Jun 14, 2026: .* This is the record of now\./);
});

Deno.test("ask() says that a company isn't found beside what it declines", async () => {
  const { text, outcome } = await ask("Silver Moose Freightways, are they legit");
  assert.equal(outcome, "no:trust");
  assert.match(text, /^Cannot find "Silver Moose Freightways": no carrier with that name/);
});

Deno.test("ask() declines for a named carrier what it has no filter for, and never drops the carrier", async () => {
  assert.match(
    (await ask("Rank General Transport and Lone Star Hauling by drivers")).outcome,
    /#286764 #610006/,
  );
});

Deno.test("ask() reads a question of misspelled words as the known ones, and says how it read it", async () => {
  const { text, outcome } = await ask("how meny truks dose genral transport have");
  assert.equal(outcome, "fleet #286764");
  assert.match(text, /^Read as "how meny truks does general transport have"\. /);
  // Two slips in a long question about a number are left as typed, and a name is never respelled away.
  const long = await ask(
    "somebody emailing us as dispatch at hollandtire com wants a load out of Akron, MC 186800, real carrier",
  );
  assert.doesNotMatch(long.text, /Read as "/);
  assert.doesNotMatch((await ask("is Lone Star Hauling actve")).text, /Read as "/);
});
