import assert from "node:assert/strict";
import { print } from "../../../pipeline/out.ts";
import { judge, outcomeOf, type Phrasing, phrasings, type Verdict } from "./phrasings.ts";
import { withAsk } from "./service.ts";

Deno.test("ask() answers the phrasings of every role, those never tuned on as well", async () => {
  await withAsk(async (call) => {
    const judged: (Phrasing & { verdict: Verdict; outcome: string })[] = [];
    for (const phrasing of phrasings()) {
      const { query, prev, expected } = phrasing;
      const outcome = outcomeOf(await call({ query, context: { prev } }));
      judged.push({ ...phrasing, outcome, verdict: judge(expected, outcome) });
    }
    const share = (list: typeof judged, verdict: Verdict): number =>
      list.filter((one) => one.verdict === verdict).length / list.length;
    for (const tuned of [true, false]) {
      const half = judged.filter((one) => one.tuned === tuned);
      for (const [role, list] of Map.groupBy(half, (one) => one.role)) {
        const counts = (["right", "acceptable", "wrong"] as const)
          .map((verdict) => list.filter((one) => one.verdict === verdict).length);
        print(`${tuned ? "tuned" : "held"} ${role}: ${counts.join(" / ")}`);
      }
      print(
        `${tuned ? "tuned" : "held"}: right ${share(half, "right")}, wrong ${share(half, "wrong")}`,
      );
      // Which of the held-back half fail is not shown, so that none is tuned on.
      if (tuned && Deno.env.get("SHOW")) {
        for (const { role, query, prev, expected, outcome, verdict } of half) {
          if (verdict !== "right") {
            print(
              `${verdict} [${role}] ${
                [...prev, query].join(" >> ")
              }\n    want ${expected}\n    got  ${outcome}`,
            );
          }
        }
      }
      assert.ok(judged.length >= 400);
    }
  });
});
