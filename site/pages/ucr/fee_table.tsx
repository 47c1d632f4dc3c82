/**
 * The whole UCR fee table, all years beside each other.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { UcrBracket } from "../../../api/rules/schemas.ts";
import { openUcrYears, UCR_TABLES } from "../../../api/rules/ucr.ts";
import { counted } from "../../../pipeline/text.ts";

/** The table; a bracket of a year is marked when there is one. */
export function FeeTable(
  { year, bracket, today }: { year: number; bracket?: number | undefined; today: string },
) {
  const open = openUcrYears(today);
  const [first] = UCR_TABLES;
  return (
    <>
      <h2>All fees</h2>
      <table class="narrow">
        <caption class="unseen">UCR fee by fleet size and registration year</caption>
        <thead>
          <tr>
            <th scope="col">Bracket</th>
            <th scope="col">Vehicles</th>
            {UCR_TABLES.map(({ year }) => <th scope="col" class="right">{year}</th>)}
          </tr>
        </thead>
        <tbody>
          {first!.brackets.map((line, i) => (
            <tr class={line.bracket === bracket ? "here" : ""}>
              <th scope="row">{line.bracket}</th>
              <td>{range(line)}</td>
              {UCR_TABLES.map((table) => (
                <td class="right">
                  {table.year === year && line.bracket === bracket
                    ? <strong>{dollars(table.brackets[i]!.fee_usd)}</strong>
                    : dollars(table.brackets[i]!.fee_usd)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {open.length > 1
          ? `Registration for ${open.join(" and ")} is open. `
          : `Registration for ${open[0]} is open. `}
        {UCR_TABLES.map(({ year, citation, url, lastChecked }) => (
          <>
            {year}: <a href={url}>{citation}</a>, checked {formatForPeople(lastChecked)}.{" "}
          </>
        ))}
      </p>
    </>
  );
}

function range({ min_vehicles, max_vehicles }: UcrBracket): string {
  const from = counted(min_vehicles);
  return max_vehicles === null ? `${from} or more` : `${from} to ${counted(max_vehicles)}`;
}

/** Whole US dollars. */
export function dollars(amount: number): string {
  return `$${counted(amount)}`;
}
