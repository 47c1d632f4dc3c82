/**
 * `/ucr`: the fee of the Unified Carrier Registration for a fleet.
 *
 * @module
 */

import { fill } from "../../api/discovery/texts.ts";
import { readParameters } from "../../api/http/parameters.ts";
import { ucrFeeOperation } from "../../api/operations/calculations.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { UCR, UCR_PLAN } from "../../api/rules/official_sources.ts";
import type { UcrBracket, UcrFee } from "../../api/rules/schemas.ts";
import { DEFAULT_UCR_YEAR, openUcrYears, UCR_TABLES, UCR_YEARS } from "../../api/rules/ucr.ts";
import { UCR_LAW } from "../../api/rules/ucr_check.ts";
import { counted, plural } from "../../pipeline/text.ts";
import { Facts, Field, Outside, Table } from "../components/blocks.tsx";
import { Markdown } from "../components/markdown.tsx";
import PAGES from "../content/pages.json" with { type: "json" };
import RULES from "../content/ucr.md" with { type: "text" };
import { lookUp, type PageRoute, type Visit } from "./route.ts";

const SOURCES = { law: UCR_LAW.citation, law_url: UCR_LAW.url, ucr: UCR.url, plan: UCR_PLAN.url };

export const ucrRoute: PageRoute = {
  path: "/ucr",
  listed: true,
  async answer(visit) {
    const { url, today } = visit;
    const asked = url.searchParams.has("vehicles");
    const { fee, problem } = asked ? await feeOf(visit) : {};
    const year = fee?.year ?? DEFAULT_UCR_YEAR;
    return {
      ...PAGES.ucr,
      ...fee && { title: `UCR fee for ${plural(fee.vehicles, "vehicle")}, ${fee.year}` },
      status: problem?.status ?? 200,
      shared: true,
      body: (
        <>
          <form action="/ucr" class="row">
            <Field
              id="vehicles"
              label="Commercial vehicles"
              error={problem?.code === "invalid_year" ? undefined : problem?.message}
              value={url.searchParams.get("vehicles") ?? ""}
              input={{ inputmode: "numeric", required: true, autocomplete: "off", maxlength: 20 }}
            />
            <Field
              id="year"
              label="Year"
              error={problem?.code === "invalid_year"
                ? `Choose ${UCR_YEARS.toReversed().join(" or ")}`
                : undefined}
              value={String(year)}
              options={UCR_YEARS.toReversed().map((known) => [String(known), String(known)])}
            />
            <button type="submit">Show the fee</button>
          </form>
          {fee !== undefined && <Result fee={fee} />}
          <FeeTable year={year} bracket={fee?.bracket} today={today} />
          <Markdown text={fill(RULES, visit.site.baseUrl, SOURCES)} />
        </>
      ),
    };
  },
};

/** A number of vehicles, with or without commas between thousands, such as `1,001`. */
const VEHICLES = /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})$/;

async function feeOf(visit: Visit): Promise<{ fee?: UcrFee; problem?: ServiceError }> {
  try {
    const { vehicles, ...input } = readParameters(ucrFeeOperation, {
      url: visit.request.url,
      path: {},
    });
    const text = String(vehicles).normalize("NFKC").trim();
    if (!VEHICLES.test(text)) {
      throw new ServiceError("invalid_vehicles", "Enter a whole number of vehicles, such as 12");
    }
    const asked = { ...input, vehicles: Number(text.replaceAll(",", "")) };
    return { fee: (await lookUp(visit, ucrFeeOperation, asked)).answer };
  } catch (error) {
    if (error instanceof ServiceError) return { problem: error };
    throw error;
  }
}

function Result({ fee }: { fee: UcrFee }) {
  const { year, vehicles, bracket, fee_usd } = fee;
  return (
    <section class="card" aria-labelledby="result">
      <h2 id="result">
        {dollars(fee_usd)} for {year}
      </h2>
      <Facts
        entries={[
          ["Fleet", plural(vehicles, "vehicle")],
          ["Bracket", `${bracket} of ${fee.brackets.length}`],
          ["Pay at", <Outside place={UCR} text="ucr.gov" />],
        ]}
      />
      <p class="soft">Brokers and leasing companies without vehicles pay bracket 1.</p>
    </section>
  );
}

function FeeTable(
  { year, bracket, today }: { year: number; bracket?: number | undefined; today: string },
) {
  const [first] = UCR_TABLES;
  return (
    <>
      <h2>All fees</h2>
      <Table
        caption="UCR fee by fleet size and registration year"
        headed
        narrow
        heads={["Bracket", "Vehicles", ...UCR_TABLES.map(({ year }) => String(year))]}
        here={first!.brackets.findIndex((line) => line.bracket === bracket)}
        rows={first!.brackets.map((line, i) => [
          line.bracket,
          range(line),
          ...UCR_TABLES.map((table) => {
            const fee = dollars(table.brackets[i]!.fee_usd);
            return table.year === year && line.bracket === bracket ? <strong>{fee}</strong> : fee;
          }),
        ])}
      />
      <p class="soft">
        {`Registration for ${openUcrYears(today).join(" and ")} is open. `}
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

function dollars(amount: number): string {
  return `$${counted(amount)}`;
}
