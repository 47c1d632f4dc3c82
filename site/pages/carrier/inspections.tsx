/**
 * Roadside inspections: out-of-service rates beside the national averages, counts by month, state and
 * level, and the latest inspections.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { addMonths, formatForPeople, parseDate } from "../../../pipeline/dates.ts";
import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
} from "../../../api/rules/out_of_service.ts";
import type { Carrier, InspectionRate, Inspections24m } from "../../../api/rules/schemas.ts";
import { capitalized, counted, listed, plural } from "../../../pipeline/text.ts";
import { Fold, Table } from "../../components/blocks.tsx";

/** The 24-month summary. Not shown for a carrier without inspections, because the verdict covers that. */
export function Inspections({ carrier: { inspections_24m } }: { carrier: Carrier }) {
  if (inspections_24m === null) return null;
  const { from, to, total, violations, last_inspection, by_month } = inspections_24m;
  return (
    <section>
      <h2 id="inspections">
        Roadside inspections, {periodWords({ from, to })}{" "}
        <small>
          {plural(total, "inspection")} · {plural(violations, "violation")} · last{" "}
          {formatForPeople(last_inspection)}
        </small>
      </h2>
      <div class="charts">
        <Rates inspections={inspections_24m} />
        {by_month !== undefined && <Months months={by_month} />}
      </div>
    </section>
  );
}

/** The rates on one scale from 0 to 100%, with a tick at the national average. */
function Rates({ inspections }: { inspections: Inspections24m }) {
  const { seen = [], unseen = [] } = Object.groupBy(
    INSPECTION_KINDS,
    (kind) => inspections[kind].inspections > 0 ? "seen" : "unseen",
  );
  const averages = seen.map((kind) => averageWords(inspections[kind]));
  return (
    <div class="card">
      {seen.map((kind) => <Rate kind={kind} rate={inspections[kind]} />)}
      <p class="legend">
        <i class="tick"></i> national average
        {seen.length > 0 && ` ${averages.join(" / ")}`}
        {unseen.length > 0 && ` · ${listed(unseen)}: none inspected`}
      </p>
    </div>
  );
}

function Rate({ kind, rate }: { kind: InspectionKindName; rate: InspectionRate }) {
  const { inspections, out_of_service, national_average_pct: average } = rate;
  const name = capitalized(kind);
  const percent = `${rate.rate_pct!.toFixed(1)}%`;
  const compared = compareRate(rate);
  return (
    <div class="rate">
      <h3>{name} out of service</h3>
      <span>
        {counted(out_of_service)} of {counted(inspections)} · <b>{percent}</b>
        {compared === "too few" && " · too few to compare"}
      </span>
      <svg
        class={compared === "above" ? "above" : ""}
        viewBox="0 0 1000 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${percent}, national average ${averageWords(rate)}`}
      >
        <rect class="track" y="4" width="1000" height="16" />
        <rect y="4" width={round(10 * rate.rate_pct!)} height="16" />
        {average !== null && (
          <rect
            class="tick"
            x={round(10 * average - 2)}
            width="4"
            height="24"
          />
        )}
      </svg>
    </div>
  );
}

function averageWords({ national_average_pct: average }: InspectionRate): string {
  return average === null ? "unknown" : `${average}%`;
}

type Month = NonNullable<Inspections24m["by_month"]>[number];

const STEP = 20;
const HEIGHT = 76;
/** Y coordinate of the bottom of the bars. The space above the bars has the count of the busiest month. */
const BASE = HEIGHT + 14;

function Months({ months }: { months: readonly Month[] }) {
  const most = Math.max(...months.map(({ inspections }) => inspections), 1);
  const scale = HEIGHT / most;
  const busiest = months.findIndex(({ inspections }) => inspections === most);
  const width = months.length * STEP;
  return (
    <div class="card">
      <h3>By month</h3>
      {/* Outside the heading, which a screen reader reads as one sentence. The picture has a label of its own. */}
      <small aria-hidden="true">
        <i class="key oos"></i>&nbsp;with an out-of-service violation{" "}
        <i class="key"></i>&nbsp;without
        {!months.every(isWholeMonth) && (
          <>
            {" "}
            <i class="key part"></i>&nbsp;partial month
          </>
        )}
      </small>
      <svg
        class="months"
        viewBox={`0 0 ${width} ${HEIGHT + 32}`}
        role="img"
        aria-label={`Inspections by month, most in ${
          periodWords(months[busiest]!)
        }: ${most}. The table is below.`}
      >
        <path class="axis" d={`M0 ${BASE + .5}H${width}`} />
        {months.map((month, i) => (
          <path
            class={isWholeMonth(month) ? undefined : "part"}
            d={bar(i, month.inspections * scale)}
          >
            <title>
              {`${
                periodWords(month)
              }: ${month.inspections}, ${month.out_of_service} out of service`}
            </title>
          </path>
        ))}
        <path
          class="oos"
          d={months.map(({ out_of_service: out }, i) => out > 0 ? bar(i, out * scale) : "").join(
            "",
          )}
        />
        <text x={busiest * STEP + STEP / 2} y="10" text-anchor="middle">{most}</text>
        <text y={HEIGHT + 29}>{periodWords(months[0]!)}</text>
        <text x={width / 2} y={HEIGHT + 29} text-anchor="middle">
          {periodWords(months[months.length >> 1]!)}
        </text>
        <text x={width} y={HEIGHT + 29} text-anchor="end">{periodWords(months.at(-1)!)}</text>
      </svg>
    </div>
  );
}

function bar(place: number, height: number): string {
  return `M${place * STEP + 3} ${BASE}V${Math.round(BASE - height)}h${STEP - 6}V${BASE}`;
}

/** A whole month as `Sep 2026`, other days as `Oct 1 - 3, 2026` or `Oct 4, 2024 - Oct 3, 2026`. */
function periodWords({ from, to }: Pick<Month, "from" | "to">): string {
  const [first, last] = [from, to].map(formatForPeople) as [string, string];
  if (isWholeMonth({ from, to })) return last.replace(/ \d+,/, "");
  const begin = from.slice(0, 4) === to.slice(0, 4) ? first.slice(0, -6) : first;
  const end = from.slice(0, 7) === to.slice(0, 7) ? last.slice(4) : last;
  return from === to ? last : `${begin} - ${end}`;
}

function isWholeMonth({ from, to }: Pick<Month, "from" | "to">): boolean {
  return from.endsWith("-01") && addMonths(parseDate(from), 1) - 1 === parseDate(to);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** FMCSA's code for an invalid level. */
const UNRECORDED = 99;

const LEVELS = ["I", "II", "III", "IV", "V", "VI"];

export function InspectionTables({ inspections }: { inspections: Inspections24m }) {
  const { by_month = [], by_state = [], by_level = [], latest = [] } = inspections;
  const states = plural(by_state.length, "state");
  const heads = ["Date", "State", "Level", "Vehicle", "Driver", "Hazmat", "Notes"];
  return (
    <>
      {by_month.length > 0 && (
        <Fold
          id="counts"
          label="Inspection counts"
          line={`By month, ${states}, ${plural(by_level.length, "level")}`}
        >
          <div class="cards">
            <Table
              caption="By state"
              heads={["State", ...COUNTS]}
              rows={by_state.map((row) => [row.state ?? "not reported", ...countCells(row)])}
            />
            <Table
              caption="By level"
              heads={["Level", ...COUNTS]}
              rows={by_level.map((row) => [levelWord(row.level), ...countCells(row)])}
            />
            <Table
              caption="By month"
              heads={["Month", ...COUNTS]}
              rows={by_month.toReversed().map((row) => [periodWords(row), ...countCells(row)])}
            />
          </div>
        </Fold>
      )}
      {latest.length > 0 && (
        <Fold
          id="latest"
          label="Latest inspections"
          line={`${counted(latest.length)} listed, newest ${formatForPeople(latest[0]!.date)}`}
        >
          <Table
            caption="Violations by kind (out of service)"
            heads={heads}
            rows={latest.map((one) => [
              formatForPeople(one.date),
              one.state ?? "",
              levelWord(one.level),
              ...[one.vehicle, one.driver, one.hazmat].map(violationCell),
              [one.hazmat_present && "hazmat", one.post_crash && "post-crash"]
                .filter(Boolean).join(", "),
            ])}
          />
        </Fold>
      )}
    </>
  );
}

const COUNTS = ["Inspections", "Out of service"];

function countCells(row: { inspections: number; out_of_service: number }): string[] {
  return [counted(row.inspections), counted(row.out_of_service)];
}

function levelWord(level: number | null): string {
  return level === null || level === UNRECORDED
    ? "not recorded"
    : LEVELS[level - 1] ?? String(level);
}

/** `2 (1)`; a dash for none. */
function violationCell(
  { violations, out_of_service }: { violations: number; out_of_service: number },
): Child {
  if (violations === 0) return "–";
  return out_of_service === 0 ? String(violations) : <b>{violations} ({out_of_service})</b>;
}
