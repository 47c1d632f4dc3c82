/**
 * Who the carrier is: its name, numbers, fleet and dockets as the census has them.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { Name } from "../../parts/name.tsx";
import { placeOf } from "../../parts/place.ts";
import { calledName, flagWord, fleetCount } from "./words.ts";

/** The head of the page. */
export function Identity({ carrier }: { carrier: Carrier }) {
  const { dot, legal_name, dba_name, mc_number } = carrier;
  const place = placeOf(carrier);
  return (
    <>
      <h1>
        <Name text={calledName(carrier)} />
      </h1>
      <p class="lede">
        <span class="number">USDOT {dot}</span>
        {mc_number !== null && [" · ", <span class="number">MC {mc_number}</span>]}
        {place !== "" && [" · ", <Name text={place} />]}
        {legal_name !== "" && dba_name !== null &&
          [" · doing business as ", <Name text={dba_name} />]}
      </p>
    </>
  );
}

/** What the census says of fleet and filings. */
export function Facts({ carrier }: { carrier: Carrier }) {
  const { legal_name, dba_name, operation, safety_rating, snapshot } = carrier;
  return (
    <section aria-labelledby="census">
      <h2 id="census">Company details</h2>
      <dl class="facts">
        <Fact name="Legal name">
          <Name text={legal_name} />
        </Fact>
        <Fact name="Doing business as">
          {dba_name === null ? "none on file" : <Name text={dba_name} />}
        </Fact>
        <Fact name="Location">
          <Name text={placeOf(carrier)} />
        </Fact>
        <Fact name="Operation">{operation}</Fact>
        <Fact name="Power units">{fleetCount(carrier, "power_units")}</Fact>
        <Fact name="Drivers">{fleetCount(carrier, "drivers")}</Fact>
        <Fact name="Safety rating">{safety_rating}</Fact>
        <Fact name="Census of">{formatForPeople(snapshot.data_date)}</Fact>
      </dl>
    </section>
  );
}

/** The dockets with their flags, and what those are not. */
export function Dockets({ carrier: { dockets } }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="dockets">
      <h2 id="dockets">Dockets</h2>
      {dockets.length === 0 ? <p>The census lists none.</p> : (
        <>
          <ul>
            {dockets.map(({ prefix, number, status }) => (
              <li>
                <span class="number">{prefix} {number}</span>: listed {flagWord(status)}
              </li>
            ))}
          </ul>
          <p class="soft">
            Docket status isn't operating authority. Confirm authority in Motus or on SAFER.
          </p>
        </>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children?: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children as string}</dd>
    </div>
  );
}
