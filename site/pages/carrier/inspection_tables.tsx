/**
 * Inspections by month, state and level, and the latest of them, as tables.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Inspections24m } from "../../../api/rules/schemas.ts";
import { capitalized, counted, plural } from "../../../pipeline/text.ts";
import { Table } from "../../components/blocks.tsx";
import { Fold } from "../../components/fold.tsx";

const LEVELS = ["I", "II", "III", "IV", "V", "VI"];

export function InspectionTables({ inspections }: { inspections: Inspections24m }) {
  const { by_month = [], by_state = [], by_level = [], latest = [] } = inspections;
  const states = plural(by_state.length, "state");
  return (
    <>
      {by_month.length > 0 && (
        <Fold
          id="counts"
          label="Inspection counts"
          line={`By month, ${states}, ${plural(by_level.length, "level")}`}
        >
          <div class="cards">
            <Counts by="state" rows={by_state} name={({ state }) => state ?? "not reported"} />
            <Counts by="level" rows={by_level} name={({ level }) => levelWord(level)} />
            <Counts
              by="month"
              rows={by_month.toReversed()}
              name={({ to }) => formatForPeople(to)}
            />
          </div>
        </Fold>
      )}
      {latest.length > 0 && <Latest latest={latest} />}
    </>
  );
}

function Counts<R extends { inspections: number; out_of_service: number }>(
  { by, rows, name }: { by: string; rows: readonly R[]; name: (row: R) => string },
) {
  return (
    <Table
      caption={`By ${by}`}
      heads={[
        by === "month" ? "Month to" : capitalized(by),
        "Inspections",
        "With out of service",
      ]}
      rows={rows.map((row) => [
        name(row),
        counted(row.inspections),
        counted(row.out_of_service),
      ])}
    />
  );
}

function Latest({ latest }: { latest: NonNullable<Inspections24m["latest"]> }) {
  const [newest] = latest;
  return (
    <Fold
      id="latest"
      label="Latest inspections"
      line={`${counted(latest.length)} listed, the newest of ${formatForPeople(newest!.date)}`}
    >
      <Table
        caption="Violations by kind, those that put out of service in parentheses"
        heads={["Date", "State", "Level", "Vehicle", "Driver", "Hazmat", "Notes"]}
        rows={latest.map((one) => [
          formatForPeople(one.date),
          one.state ?? "",
          levelWord(one.level),
          found(one.vehicle),
          found(one.driver),
          found(one.hazmat),
          [
            ...one.hazmat_present ? ["hazmat present"] : [],
            ...one.post_crash ? ["after a crash"] : [],
          ].join(", "),
        ])}
      />
    </Fold>
  );
}

function levelWord(level: number | null): string {
  return level === null ? "not reported" : LEVELS[level - 1] ?? String(level);
}

/** `2 (1)`; a dash for none. */
function found(
  { violations, out_of_service }: { violations: number; out_of_service: number },
): Child {
  if (violations === 0) return "–";
  return out_of_service === 0 ? String(violations) : <b>{violations} ({out_of_service})</b>;
}
