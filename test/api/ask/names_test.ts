import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  tempDir,
} from "../../pipeline/compile/files.ts";
import { collectAnswer } from "../../../api/ask/http.ts";
import { outcomeOfQuestion } from "./phrasings.ts";
import { depsOver } from "./service.ts";
import { STATE_LETTERS } from "../../../pipeline/search/query/query.ts";
import NAMES from "./names.txt" with { type: "text" };

interface Answered {
  results?: { match?: { result: string } }[];
}

const QUESTIONS: readonly (readonly [string, string])[] = [
  ["status", "is {} active"],
  // There is also a carrier named "Buddy".
  ["rating", "my buddy wants the safety rating of {}"],
  ["overview", "{}"],
  ["mcs150", "when is {}'s MCS-150 due"],
  ["overview", "check {} out of {city}, {state}"],
];

// Regression: until Nov 22, 2026 "is Report Transport active" was answered about a carrier named TRANSPORT,
// and "is Move It Now active" was not understood.
Deno.test("a name made of question words is answered about its own carrier, never another", async () => {
  const carriers = NAMES.split("\n").filter((line) => /^[^#]/.test(line)).map((line, i) => {
    const [name, city, state] = line.split("|") as [string, string, string];
    return { dot: 310_007 + 13 * i, name, city, state };
  });
  await using dir = await tempDir();
  await buildFiles(dir.path, {
    census: censusCsv(
      carriers.map(({ dot, name, city, state }) =>
        censusRow(dot, { LEGAL_NAME: name, PHY_CITY: city, PHY_STATE: state })
      ),
    ),
    inspections: inspectionCsv([inspectionRow(1, carriers[0]!.dot)]),
  });
  const deps = depsOver(openSource(`${dir.path}/out`));
  const [wrong, unclear, unmatched, matched]: string[][] = [[], [], [], []];
  for (const [i, { dot, name, city, state }] of carriers.entries()) {
    for (const [word, list] of [["", unmatched!], [" Prestige", matched!]] as const) {
      // Regression: a lowercase name that no carrier has was compared without its next word.
      for (const typed of [name, name.toLowerCase()]) {
        const query = `does DOT ${dot} belong to ${typed}${
          typed === name ? word : word.toLowerCase()
        }`;
        const { results } = await collectAnswer({ query, prev: [] }, deps) as Answered;
        if ((results?.[0]?.match?.result === "match") !== (word === "")) list.push(query);
      }
    }
    for (const [k, [topic, template]] of QUESTIONS.entries()) {
      const typed = (i + k) % 2 === 0 ? name : name.toLowerCase();
      const query = template.replace("{}", typed).replace("{city}", city).replace("{state}", state);
      const outcome = await outcomeOfQuestion(query, deps);
      if (outcome === `${topic} #${dot}`) continue;
      const others = outcome.replace(`#${dot}`, "").includes("#");
      const isAnswer = !/^(?:ask|no):/.test(outcome);
      (isAnswer && others ? wrong : unclear)!.push(`${query} (${dot}): ${outcome}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(matched, []);
  assert.ok(unmatched!.length <= carriers.length * 2 * 0.05, unmatched!.join("\n"));
  assert.ok(unclear!.length <= carriers.length * QUESTIONS.length * 0.03, unclear!.join("\n"));
});

// Regression: until Nov 28, 2026 "MO" was read as months and "OR", "OK", "HI" and "LA" as words, so a carrier of
// another state was found.
Deno.test("the letters of a state behind a city are never dropped, though they may be a word", async () => {
  const states = [...STATE_LETTERS].map((letters) => letters.toUpperCase());
  const carriers = states.map((state, i) => ({ dot: 310_007 + 13 * i, state }));
  await using dir = await tempDir();
  await buildFiles(dir.path, {
    census: censusCsv(
      carriers.map(({ dot, state }) =>
        censusRow(dot, {
          LEGAL_NAME: "CEDAR HOLLOW TRUCKING",
          PHY_CITY: "SPRINGFIELD",
          PHY_STATE: state,
        })
      ),
    ),
    inspections: inspectionCsv([inspectionRow(1, carriers[0]!.dot)]),
  });
  const deps = depsOver(openSource(`${dir.path}/out`));
  const wrong: string[] = [];
  for (const { dot, state } of carriers) {
    for (
      const query of [
        `Cedar Hollow Trucking Springfield ${state}`,
        `Cedar Hollow Trucking, Springfield, ${state}`,
        `Cedar Hollow Trucking Springfield ${state} overview`,
        `cedar hollow trucking in springfield ${state.toLowerCase()}`,
      ]
    ) {
      const outcome = await outcomeOfQuestion(query, deps);
      if (outcome !== `overview #${dot}`) wrong.push(`${query}: ${outcome}`);
    }
  }
  assert.deepEqual(wrong, []);
});
