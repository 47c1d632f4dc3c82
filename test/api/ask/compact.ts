/**
 * An understanding on one line, as the phrasings write what they expect.
 *
 * @module
 */

import type { Understanding } from "../../../api/ask/understanding.ts";

/** `check dot:286764 status=active rating`, `missing:vehicles ucr_fee`, `declined insurance`. */
export function compact(understanding: Understanding): string {
  const { outcome, slots, declined } = understanding;
  if (outcome === "unknown") return outcome;
  const words: string[] = [];
  if (outcome === "declined") words.push(outcome, ...declined);
  else {
    if (outcome !== "clear") words.push(`${outcome}:${understanding.part}`);
    words.push(understanding.intent);
  }
  if (slots.query !== undefined) words.push(quoted(slots.query));
  for (const ref of slots.carriers) {
    words.push(ref.by === "name" ? `name:${quoted(ref.name)}` : `${ref.by}:${ref.number}`);
  }
  if (outcome !== "declined") {
    for (const topic of slots.topics) {
      const expected = slots.expects.filter((expect) => expect.startsWith(`${topic}=`));
      words.push(...(expected.length > 0 ? expected : [topic]));
    }
  }
  if (slots.vehicles !== undefined) words.push(`vehicles=${slots.vehicles}`);
  words.push(...slots.years.map((year) => `year=${year}`));
  if (outcome !== "declined" && declined.length > 0) words.push(`declined:${declined.join(",")}`);
  return words.join(" ");
}

function quoted(text: string): string {
  const plain = text.toLowerCase().replaceAll(/['’.]/g, "").replaceAll(/[^a-z0-9]+/g, " ").trim();
  return `"${plain}"`;
}
