/**
 * The ten months of the MCS-150 schedule.
 *
 * @module
 */

import { schedule } from "../../../api/rules/mcs150.ts";

/** Any day: months follow from the number alone. */
const ANY_DAY = "2026-01-01";

/** Numbers whose last digits are 1 to 9 and 0, in the order of their months. */
const NUMBERS = Array.from({ length: 10 }, (_, i) => i + 1);

/** The table, with the row of a USDOT number marked. */
export function Mcs150Schedule({ dot }: { dot?: string | undefined }) {
  const last = dot?.at(-1);
  return (
    <>
      <h2>The schedule</h2>
      <p>
        The last digit is the month. The digit before it is the year: an odd digit means odd years,
        an even digit even years.
      </p>
      <table class="narrow">
        <caption class="unseen">Month of the update by the last digit of the USDOT number</caption>
        <thead>
          <tr>
            <th scope="col">Last digit</th>
            <th scope="col">Due by the last day of</th>
          </tr>
        </thead>
        <tbody>
          {NUMBERS.map((number) => {
            const digit = String(number % 10);
            const here = digit === last;
            return (
              <tr class={here ? "here" : ""}>
                <th scope="row">{digit}</th>
                <td>
                  {schedule(number, ANY_DAY).month}{" "}
                  {here && <span class="soft">(this number)</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
