/**
 * Inspections by month, state and level, and the latest of them, as tables.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Inspections24m } from "../../../api/rules/schemas.ts";
import { counted, plural } from "../../../pipeline/text.ts";
import { Table } from "../../components/blocks.tsx";
import { Fold } from "../../components/fold.tsx";

const LEVELS = ["I", "II", "III", "IV", "V", "VI"];

export function InspectionTables({ inspections }: { inspections: Inspections24m }) {
  const { by_month, by_state, by_level, latest } = inspections;
  return (
    <>
      {by_month !== undefined && by_state !== undefined && by_level !== undefined && (
        <Fold
          id="counts"
          label="Inspection counts"
          line={`By month, ${plural(by_state.length, "state")}, ${
            plural(by_level.length, "level")
          }`}
        >
          <div class="cards">
            <Counts
              caption="By state"
              head="State"
              rows={by_state.map((row) => [row.state ?? "not reported", row])}
            />
            <Counts
              caption="By level"
              head="Level"
              rows={by_level.map((row) => [levelWord(row.level), row])}
            />
            <Counts
              caption="By month"
              head="Month to"
              rows={by_month.toReversed().map((row) => [formatForPeople(row.to), row])}
            />
          </div>
        </Fold>
      )}
      {latest !== undefined && latest.length > 0 && <Latest latest={latest} />}
    </>
  );
}

interface Counted {
  inspections: number;
  out_of_service: number;
}

function Counts(
  { caption, head, rows }: {
    caption: string;
    head: string;
    rows: readonly (readonly [name: string, counts: Counted])[];
  },
) {
  return (
    <Table
      caption={caption}
      heads={[head, "Inspections", "With out of service"]}
      rows={rows.map(([name, { inspections, out_of_service }]) => [
        name,
        counted(inspections),
        counted(out_of_service),
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
