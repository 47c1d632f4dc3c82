import assert from "node:assert/strict";
import { roleWord } from "../../api/rules/roles.ts";
import { CARGO, MARKS } from "../../pipeline/snapshot/record/members.ts";

const TEXT = await Deno.readTextFile(
  new URL("../../pipeline/snapshot/FORMAT.md", import.meta.url),
);

/** The rows of the table after a sentence. */
function table(after: string): string[][] {
  const [, rest = ""] = TEXT.split(after);
  const [block] = rest.slice(rest.indexOf("|")).split("\n\n");
  return block!.trim().split("\n").slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
  );
}

Deno.test("FORMAT.md has the same letters for cargo and roles as the code", () => {
  const cargo = Object.entries(CARGO).map(([column, text], at) => [MARKS[at], column, text]);
  assert.deepEqual(table("The letters of `cargo`:"), cargo);
  const roles = table("The letters of `roles`.");
  assert.equal(roles.length, 7);
  for (const [letter, word] of roles) assert.equal(roleWord(letter!), word);
});
