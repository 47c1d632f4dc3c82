import assert from "node:assert/strict";
import { MemorySource, type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { inWords } from "../../../api/ask/in_words.ts";
import { outcomeOfQuestion } from "./phrasings.ts";
import { depsOver, withAsk } from "./service.ts";

Deno.test("an answer first names the words that were not understood, whatever the question", async () => {
  await withAsk(async (call) => {
    for (
      const [query, start] of [
        [
          "what color are the trucks at DOT 286764",
          'I did not use "color": apart from inspections and changes, the record below is all',
        ],
        ["is DOT 286764 active in zorbland", 'I did not use "zorbland": apart'],
        ["book a zorble with General Transport", 'I did not use "book", "zorble": apart'],
      ] as const
    ) {
      const { body } = await call({ query });
      assert.ok(inWords(body).startsWith(start), inWords(body));
    }
  });
});

Deno.test("a declined topic comes before the carrier's overview", async () => {
  await withAsk(async (call) => {
    const { body } = await call({ query: "is DOT 286764 insured" });
    assert.match(inWords(body), /^Insurance and bonds are not in[^]*\n\n"GENERAL TRANSPORT INC"/);
  });
});

Deno.test("a docket listed by two active carriers leads to a clarification", async () => {
  const objects: Objects = new Map();
  const carriers = [286764, 295017].map((dot) => record(dot));
  putSnapshot(objects, { id: "a", carriers, dockets: { MC: { 6069: [286764, 295017] } } });
  const deps = depsOver(new MemorySource(objects));
  assert.equal(await outcomeOfQuestion("docket 6069 - company?", deps), "ask:name #286764 #295017");
});

Deno.test("an answer first names the parts of a question that were understood but not answered", async () => {
  await withAsk(async (call) => {
    for (
      const [query, start] of [
        [
          "UCR for 27 trucks, and when is my MCS-150 due",
          'I did not answer: "and when is my MCS-150 due".',
        ],
        ["is General Transport active and rated", '"GENERAL TRANSPORT INC" (USDOT 286764)'],
      ] as const
    ) {
      const { body } = await call({ query });
      assert.ok(inWords(body).startsWith(start), inWords(body));
    }
  });
});

Deno.test("a count of carriers, trucks or drivers is declined with what to ask instead", async () => {
  await withAsk(async (call) => {
    for (
      const query of [
        "how many trucks in ohio",
        "how many carriers in Akron",
        "how many drivers does texas have",
        "how many brokers are in Florida",
      ]
    ) {
      const { body } = await call({ query });
      assert.match(
        inWords(body),
        /^This service can.t count or list carriers.*Ask "carriers in Akron Ohio"/,
      );
    }
  });
});
