/**
 * Where FMCSA's two files differ: facts with their innocent explanations.
 *
 * @module
 */

import type { Carrier } from "../../../api/rules/schemas.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { counted, plural } from "../../../pipeline/text.ts";
import { Table } from "../../components/blocks.tsx";
import { Fold } from "../../components/fold.tsx";
import { Name } from "../../components/text.tsx";

export function Differences({ carrier: { differences } }: { carrier: Carrier }) {
  if (differences.length === 0) return null;
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">
        Where the two files differ <small>Facts with innocent explanations, not findings.</small>
      </h2>
      <div class="folds">
        {differences.map(({ kind, label, inspections, detail, names, explanations }) => (
          <Fold
            id={kind}
            label={label}
            line={inspections === 0 ? "No inspections" : plural(inspections, "inspection")}
          >
            <p>{detail}</p>
            {names !== undefined && (
              <Table
                caption="Names at the roadside"
                heads={["Name", "Inspections", "First", "Last"]}
                rows={names.map(({ name, inspections, first, last }) => [
                  <Name text={name} />,
                  counted(inspections),
                  formatForPeople(first),
                  formatForPeople(last),
                ])}
              />
            )}
            <p>Innocent explanations:</p>
            <ul>{explanations.map((text) => <li>{text}</li>)}</ul>
          </Fold>
        ))}
      </div>
    </section>
  );
}
