/**
 * What the census has about a carrier: one line per subject, which opens to the details.
 *
 * @module
 */

import { MOTUS_FROM } from "../../../api/rules/authority_check.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import { reachWords } from "../../../api/rules/facts.ts";
import { DATAQS, REGISTRATION, saferOf } from "../../../api/rules/official_sources.ts";
import { orderFacts, ordersLine, reasonWords } from "../../../api/rules/orders.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import {
  addressLine,
  docketWords,
  fleetParts,
  mainDocket,
  statusWord,
} from "../../../api/rules/words.ts";
import { capitalized, counted } from "../../../pipeline/text.ts";
import { Facts, FiledText, Fold, Outside, Table } from "../../components/blocks.tsx";
import { dayQuery } from "./as_of.tsx";
import { FACT_ROWS, labeledFacts } from "./facts.ts";
import { InspectionTables } from "./inspections.tsx";

export function Filed({ carrier }: { carrier: Carrier }) {
  const { as_of, dockets, inspections_24m, page_url, snapshot } = carrier;
  return (
    <section>
      <h2 id="filed">
        On file{" "}
        <small>
          {snapshot.notice === undefined ? "FMCSA's census" : "Sample"} of{" "}
          {formatForPeople(snapshot.data_date)}
        </small>
      </h2>
      <div class="folds">
        <Fold id="company" label="Company" line={<FiledText text={companyLine(carrier)} />}>
          <Facts entries={labeledFacts(FACT_ROWS.company, carrier)} />
          <p class="soft">The record date isn't the age of the company or its authority.</p>
        </Fold>
        <Fold
          id="operation"
          label="Operation and cargo"
          line={<FiledText text={operationLine(carrier)} />}
        >
          <Facts entries={labeledFacts(FACT_ROWS.operation, carrier)} />
        </Fold>
        <Equipment carrier={carrier} />
        <Fold id="dockets" label="Dockets" line={docketLine(carrier)}>
          {dockets.length > 0 && (
            <ul>
              {dockets.map((docket) => (
                <li>
                  <span class="number">{docket.prefix} {docket.number}</span>: listed{" "}
                  {statusWord(docket)}
                </li>
              ))}
            </ul>
          )}
          <p class="soft">
            Docket status isn't operating authority: confirm it in Motus or on SAFER.
          </p>
        </Fold>
        <Safety carrier={carrier} />
        <Orders carrier={carrier} />
        {inspections_24m !== null && <InspectionTables inspections={inspections_24m} />}
        <Elsewhere carrier={carrier} />
      </div>
      <p class="printed">
        {page_url + dayQuery(as_of)} · snapshot {snapshot.id}{" "}
        · for a dated record, print the vetting record
      </p>
    </section>
  );
}

function companyLine({ business_form, address }: Carrier): string {
  return [business_form ?? "", addressLine(address)].filter((part) => part !== "").join(" · ");
}

function operationLine({ operation, classes, cargo: [first, ...more] }: Carrier): string {
  const others = more.length === 0 ? "" : ` and ${counted(more.length)} more`;
  return [operation, ...classes.slice(0, 1), ...first === undefined ? [] : [first + others]]
    .join(" · ");
}

function docketLine({ dockets }: Carrier): string {
  const first = mainDocket(dockets) ?? dockets[0];
  return first === undefined ? "None on file" : docketWords(first, dockets.length);
}

/** `1 school bus`, `84 tractors`. */
function vehicleWords(count: number, kind: string): string {
  const many = kind.replaceAll("_", " ");
  return `${counted(count)} ${count === 1 ? many.replace(/(?<=bus|ach)es$|s$/, "") : many}`;
}

/** `Interstate drivers within 100 miles`, `Drivers with a CDL`. */
function driversLabel(name: string): string {
  const reach = reachWords(name);
  return reach.includes("state")
    ? capitalized(reach.replace("state", "state drivers"))
    : `Drivers ${reach}`;
}

function Equipment({ carrier }: { carrier: Carrier }) {
  const { vehicles, drivers_by_reach } = carrier;
  const kinds = vehicles.map(({ kind, owned, term_leased, trip_leased }) =>
    vehicleWords(owned + term_leased + trip_leased, kind)
  );
  const [units, drivers] = fleetParts(carrier);
  const line = [...kinds.length === 0 ? [capitalized(units)] : kinds.slice(0, 3), drivers];
  const byReach = Object.entries(drivers_by_reach ?? {}).map(([name, count]) =>
    [driversLabel(name), count && counted(count)] as const
  );
  return (
    <Fold id="equipment" label="Equipment and drivers" line={line.join(" · ")}>
      <Facts entries={[...labeledFacts(FACT_ROWS.fleet, carrier), ...byReach]} />
      {vehicles.length > 0 && (
        <Table
          caption="Vehicles as filed"
          heads={["Kind", "Owned", "Term-leased", "Trip-leased"]}
          rows={vehicles.map(({ kind, owned, term_leased, trip_leased }) => [
            capitalized(kind.replaceAll("_", " ")),
            ...[owned, term_leased, trip_leased].map(counted),
          ])}
        />
      )}
    </Fold>
  );
}

function Safety({ carrier }: { carrier: Carrier }) {
  const { review, prior_revocation } = carrier;
  const { revoked, dot } = prior_revocation ?? {};
  const reviewed = review === null ? "No review on file" : FACT_ROWS.safety["Last review"](carrier);
  return (
    <Fold
      id="safety"
      label="Reviews"
      line={revoked ? `${reviewed} · prior revocation filed` : reviewed}
    >
      <Facts
        entries={[
          ...labeledFacts(FACT_ROWS.safety, carrier),
          ["USDOT number revoked", dot && <a href={`/carriers/${dot}`}>{dot}</a>],
        ]}
      />
      <p class="soft">
        Crash records and insurance: see SAFER.
      </p>
    </Fold>
  );
}

/** All orders that the record lists. Not shown if the snapshot doesn't include orders. */
function Orders({ carrier }: { carrier: Carrier }) {
  const { orders, orders_total, snapshot } = carrier;
  if (orders === undefined) return null;
  const caption = [
    orders_total === undefined ? "Orders" : `${orders.length} of ${orders_total} orders`,
    snapshot.notice === undefined ? "in FMCSA's file" : "in this sample",
  ].join(" ");
  return (
    <Fold
      id="orders"
      label="Out-of-service orders"
      line={<FiledText text={ordersLine(carrier)!} />}
    >
      {orders.length > 0 && (
        <Table
          caption={caption}
          heads={["Order", "Rescission", "Reason"]}
          rows={orders.map((order) => [
            ...orderFacts(order, snapshot.data_date),
            reasonWords(order.reason),
          ])}
        />
      )}
      <p class="soft">
        Orders through{" "}
        {formatForPeople(snapshot.orders_date!)}. A missing rescission doesn't prove that an order
        stands, and a newer order isn't in the file: check SAFER.
      </p>
    </Fold>
  );
}

function Elsewhere({ carrier: { dot, as_of } }: { carrier: Carrier }) {
  return (
    <Fold
      id="elsewhere"
      label="Official record"
      line="Where to confirm, and how to correct a record"
    >
      <ul>
        <li>
          Status, insurance and crashes: <Outside place={saferOf(dot)} />.
        </li>
        <li>
          Operating authority and other registration activity after {formatForPeople(MOTUS_FROM)}:
          {" "}
          <Outside place={REGISTRATION} />.
        </li>
        <li>
          Is your own record wrong? File an MCS-150 update through{" "}
          <Outside place={REGISTRATION} text="FMCSA registration" />; dispute an inspection in{" "}
          <Outside place={DATAQS} />. Corrections appear here in a later snapshot.
        </li>
        <li>
          <a href={`/api/v1/carriers/${dot}${dayQuery(as_of)}`}>This page as JSON</a>
        </li>
      </ul>
    </Fold>
  );
}
