import assert from "node:assert/strict";
import { inDays } from "../../../site/components/text.tsx";

Deno.test("inDays() tells how far off a day is, either way", () => {
  assert.deepEqual([-1200, -1, 0, 1, 2].map(inDays), [
    "1,200 days ago",
    "1 day ago",
    "today",
    "in 1 day",
    "in 2 days",
  ]);
});
