import assert from "node:assert/strict";
import { print } from "../../../pipeline/io.ts";
import { judge, outcomeOf, type Phrasing, phrasings, type Verdict } from "./phrasings.ts";
import { withAsk } from "./service.ts";

/** Minimum shares of each half: training data, and phrasings that are only scored. */
const BOUNDS = {
  tuned: { leastRight: 0.97, mostWrong: 0 },
  heldBack: { leastRight: 0.9, mostWrong: 0.003 },
};

const VERDICTS = ["right", "acceptable", "wrong"] as const;

Deno.test("ask() answers people of every role, also in phrasings that it was never tuned on", async () => {
  const judged: (Phrasing & { outcome: string; verdict: Verdict })[] = [];
  await withAsk(async (call) => {
    for (const phrasing of phrasings()) {
      const { query, prev, expected } = phrasing;
      const outcome = outcomeOf(await call({ query, context: { prev } }));
      judged.push({ ...phrasing, outcome, verdict: judge(expected, outcome) });
    }
  });
  assert.ok(judged.length >= 400);
  for (const [tuned, list] of Map.groupBy(judged, ({ tuned }) => tuned)) {
    const count = (list: typeof judged, verdict: Verdict): number =>
      list.filter((one) => one.verdict === verdict).length;
    for (const [role, some] of Map.groupBy(list, ({ role }) => role)) {
      const counts = VERDICTS.map((verdict) => count(some, verdict)).join(" / ");
      print(`${tuned ? "tuned" : "held back"}, ${role}: ${counts}`);
    }
    const [right, , wrong] = VERDICTS.map((verdict) => count(list, verdict) / list.length);
    print(`${tuned ? "tuned" : "held back"}: ${list.length}, right ${right}, wrong ${wrong}`);
    const { leastRight, mostWrong } = BOUNDS[tuned ? "tuned" : "heldBack"];
    const failed = list.filter(({ verdict }) => verdict === "wrong");
    assert.ok(wrong! <= mostWrong, `wrong ${wrong}: ${JSON.stringify(failed, null, 2)}`);
    assert.ok(right! >= leastRight, `right ${right}`);
  }
});
