import assert from "node:assert/strict";
import { absenceWords, censusOf } from "../../../api/rules/check.ts";

Deno.test("a carrier is not in the census, or no longer with the day it was last seen; a sample has no date", () => {
  const [census, sample] = [undefined, "Sample"].map((notice) =>
    censusOf({ data_date: "2026-10-03", notice })
  );
  assert.equal(absenceWords(census!, undefined), "not in FMCSA's census of Oct 3, 2026");
  assert.equal(
    absenceWords(census!, "2026-10-01"),
    "no longer in FMCSA's census of Oct 3, 2026, last seen on Oct 1, 2026",
  );
  assert.equal(absenceWords(sample!, undefined), "not in this sample");
});
