import assert from "node:assert/strict";
import { findEntities } from "../../../api/ask/entities/entities.ts";
import { Finder } from "../../../api/ask/answers/finder.ts";
import { contextOf, type Plan, planOf } from "../../../api/ask/plan/plan.ts";
import { readTokens } from "../../../api/ask/tokens/tokens.ts";
import { withAsk } from "./service.ts";

const golden = (stage: string) => new URL(`golden/${stage}.txt`, import.meta.url);

/** The questions of golden/tokens.txt, as each stage reads them over the carriers of carriers.txt. */
Deno.test("each stage returns what its golden file has, and never modifies its input", async () => {
  await withAsk(async (_, deps) => {
    const finder = new Finder(deps);
    const stages: Record<string, string[]> = { tokens: [], entities: [], plans: [] };
    const questions = (await Deno.readTextFile(golden("tokens"))).split("\n")
      .filter((line) => line !== "" && !line.startsWith("  "));
    for (const line of questions) {
      const prev = line.split(" >> ");
      let memory: Plan | null = null;
      for (const [i, question] of prev.entries()) {
        const reading = deepFreeze(readTokens(question));
        const context = deepFreeze(contextOf(memory));
        const entities = deepFreeze(await findEntities(reading, context, finder.books(1)));
        const plan: Plan = deepFreeze(planOf(entities, memory, finder.today));
        memory = plan;
        if (i + 1 < prev.length) continue;
        const { tokens, spans } = reading;
        const words = tokens.map(({ raw, number }, at) =>
          `${raw}/${number?.role ?? spans[at]?.mark ?? "?"}`
        );
        const { names, numbers, place } = entities;
        const found = [
          ...numbers.flatMap((number) => number === null ? [] : JSON.stringify(number)),
          ...names.map(({ from: _, to: __, ...name }) => JSON.stringify(name)),
          ...place === null ? [] : [`place ${place}`],
        ];
        const { carriers, intents, guesses, given, fleets, lacks } = plan;
        const planned = {
          intents: [...intents],
          guesses: [...guesses],
          carriers,
          given,
          fleets,
          leftOut: plan.leftOut,
          lacks,
        };
        stages.tokens!.push(`${line}\n  ${words.join(" ")}`);
        stages.entities!.push([line, ...found.map((one) => `  ${one}`)].join("\n"));
        stages.plans!.push(`${line}\n  ${JSON.stringify(planned)}`);
      }
    }
    for (const [stage, blocks] of Object.entries(stages)) {
      const text = blocks.join("\n\n") + "\n";
      if (Deno.env.has("UPDATE_GOLDEN")) await Deno.writeTextFile(golden(stage), text);
      assert.deepEqual(text.split("\n"), (await Deno.readTextFile(golden(stage))).split("\n"));
    }
  });
});

/** A value that throws when it or a member is modified. Sets are not covered. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
