import assert from "node:assert/strict";
import { mutantsOf } from "./mutants.ts";

function changes(text: string): string[] {
  return mutantsOf(text).map(({ line, from, to }) => `${line}: ${from} -> ${to}`);
}

Deno.test("operators, conditions, numbers, booleans and calls are changed, one at a time", () => {
  assert.deepEqual(
    changes("if (a <= 10 && !b) {\n  c += x ?? 0;\n}\nawait save(true);"),
    [
      "1: a <= 10 && !b -> true",
      "1: a <= 10 && !b -> false",
      "1: && -> ||",
      "1: <= -> <",
      "1: 10 -> 11",
      "1: !b -> b",
      "2: += -> -=",
      "2: x ?? 0 -> x",
      "2: 0 -> 1",
      "4: await save(true); -> ;",
      "4: true -> false",
    ],
  );
  const [first] = mutantsOf("export const least = a < b ? a : b;");
  assert.equal(first!.text, "export const least = true ? a : b;");
});

Deno.test("types, imports, joined texts, thrown errors and changes that would not parse are left alone", () => {
  const kept = [
    'import { a } from "a";',
    "type Pair = [1, true];",
    'const text = "a" + b + `c${d}`;',
    "throw new Error(a + 1);",
    "/* a < b */",
  ];
  assert.deepEqual(changes(kept.join("\n")), []);
  assert.deepEqual(changes("f((a && b) as 1);"), ["1: f((a && b) as 1); -> ;", "1: && -> ||"]);
  assert.deepEqual(changes("x = a || b && (c ?? d);").at(-1), "1: c ?? d -> c");
});
