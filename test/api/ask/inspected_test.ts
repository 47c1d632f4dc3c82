import assert from "node:assert/strict";
import { understand } from "../../../api/ask/understand.ts";
import { type AskedInspections, inspectedText } from "../../../api/ask/plan/details/inspected.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { NO_NAMES } from "./service.ts";

/** Inspections as a lookup lists them: two in October, one of them after a crash, and one in November. */
const SEEN = {
  from: "2024-10-06",
  to: "2026-10-05",
  total: 3,
  by_month: [],
  by_state: [
    { state: "OH", inspections: 2, out_of_service: 1 },
    { state: "NJ", inspections: 1, out_of_service: 0 },
  ],
  by_level: [
    { level: 1, inspections: 1, out_of_service: 0 },
    { level: 3, inspections: 2, out_of_service: 1 },
  ],
  latest: [
    inspection("2026-10-02", "OH", 3, { violations: 2, driver: 1 }),
    inspection("2026-10-01", "NJ", 1, { post_crash: true }),
    inspection("2025-11-30", "OH", 3, {}),
  ],
};

function inspection(
  date: string,
  state: string,
  level: number,
  { violations = 0, driver = 0, post_crash = false },
) {
  const none = { violations: 0, out_of_service: 0 };
  const ofDriver = { violations, out_of_service: driver };
  return {
    date,
    state,
    level,
    violations,
    vehicle: none,
    driver: ofDriver,
    hazmat: none,
    post_crash,
  };
}

function textOf(asked: Partial<AskedInspections>, seen: unknown = SEEN): string {
  const carrier = { inspections_24m: seen } as Carrier;
  return inspectedText(carrier, { by: [], states: [], levels: [], postCrash: false, ...asked });
}

Deno.test("inspections of a day, a month, a year, a state, a level or after a crash are counted apart", async () => {
  const [oct2, oct1] = [
    "Oct 2, 2026 in OH (level 3, 2 violations, driver out of service)",
    "Oct 1, 2026 in NJ (level 1, 0 violations)",
  ];
  const october =
    `In Oct 2026, as far as the file has it (Oct 1, 2026 to Oct 5, 2026): 2 roadside inspections, 1 with an out-of-service violation: ${oct2}; ${oct1}.`;
  const lines: Readonly<Record<string, string>> = {
    "inspections of 286764 in October 2026": october,
    "was 286764 inspected this October": october,
    "286764 inspections Oct 2026": october,
    "was my truck put out of service on Oct 2, 2026, DOT 286764":
      `On Oct 2, 2026: 1 roadside inspection, 1 with an out-of-service violation: ${oct2}.`,
    "inspections of 286764 between January and October 2026":
      `From Jan 1, 2026 to Oct 31, 2026, as far as the file has it (Jan 1, 2026 to Oct 5, 2026): 2 roadside inspections, 1 with an out-of-service violation: ${oct2}; ${oct1}.`,
    "286764 inspections on 9/1/2026": "On Sep 1, 2026: no roadside inspection.",
    "how many inspections did 286764 have in 2025":
      "In 2025: 1 roadside inspection, none with an out-of-service violation: Nov 30, 2025 in OH (level 3, 0 violations).",
    "inspections of 286764 in March 2020":
      "In Mar 2020: not in the file, which has Oct 6, 2024 to Oct 5, 2026.",
    "how often was 286764 inspected in Ohio":
      "In OH: 2 (1 with an out-of-service violation) of the 3.",
    "inspections of 286764 in Texas": "In TX: none of the 3.",
    "level 3 inspections of 286764": "Level 3: 2 (1 with an out-of-service violation) of the 3.",
    "post-accident inspections of 286764":
      `Recorded as made after a crash: 1 of the 3: ${oct1}. That doesn't say who caused it.`,
    "inspections of 286764 by state":
      "By state, with how many had an out-of-service violation: OH 2 (1), NJ 1 (0).",
    "286764 inspections": "",
  };
  for (const [question, text] of Object.entries(lines)) {
    const { inspected } = await understand(question, [], NO_NAMES);
    assert.equal(inspected === undefined ? "" : textOf(inspected), text, question);
  }
});

Deno.test("with more inspections than are listed, months are counted and single days only where they are known", () => {
  const months = [{ from: "2026-09-01", to: "2026-09-30", inspections: 40, out_of_service: 4 }];
  const many = { ...SEEN, total: 90, by_month: months };
  assert.equal(
    textOf({ period: { from: "2026-10-02", to: "2026-10-02" } }, many),
    "On Oct 2, 2026: 1 roadside inspection, 1 with an out-of-service violation: Oct 2, 2026 in OH (level 3, 2 violations, driver out of service).",
  );
  const newest = [inspection("2026-10-02", "OH", 3, {})];
  assert.equal(
    textOf({ period: { from: "2026-09-01", to: "2026-09-30" } }, { ...many, latest: newest }),
    "In Sep 2026: 40 roadside inspections, 4 with an out-of-service violation.",
  );
  assert.match(
    textOf({ period: { from: "2026-09-02", to: "2026-09-02" } }, { ...many, latest: newest }),
    /^On Sep 2, 2026: the days of single inspections are kept for the newest 1, from Oct 2, 2026 on\.$/,
  );
});
