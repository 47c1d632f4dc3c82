import assert from "node:assert/strict";
import { DECLINES } from "../../../api/ask/declines.ts";
import { answerExamples, exampleCarrier } from "../../../api/discovery/examples.ts";
import { documents } from "../../../api/discovery/mounts.ts";
import { UCR_YEARS, ucrTableFor } from "../../../api/rules/ucr.ts";
import { MCP_DESCRIPTION } from "../../../mcp/routes.ts";
import { BASE_URL } from "../http/service.ts";

/** Every page of others that is linked to, and what it is. To be looked at by hand once in a while. */
const PAGES: Record<string, string> = {
  "https://ai.fmcsa.dot.gov/SMS/": "regulator: safety measurement system",
  "https://ai.fmcsa.dot.gov/SafetyProgram/spRptRoadside.aspx?rpt=TEOOS":
    "regulator: levels of inspection that count for each rate",
  "https://clearinghouse.fmcsa.dot.gov/": "regulator: drug and alcohol violations of drivers",
  "https://data.transportation.gov/d/az4n-8mr2": "regulator: the census file",
  "https://nccdb.fmcsa.dot.gov/": "regulator: complaints",
  "https://plan.ucr.gov/": "UCR plan: who registers, and when",
  "https://regulations.justia.com/regulations/fedreg/2024/06/17/2024-13192.html":
    "copy of 89 FR 51266, the fees of 2025 and 2026",
  "https://safer.fmcsa.dot.gov/CompanySnapshot.aspx": "regulator: one carrier",
  "https://www.bts.gov/": "statistics on freight",
  "https://www.ecfr.gov/current/title-49": "the regulations",
  "https://www.ecfr.gov/current/title-49/part-385": "the regulations on ratings",
  "https://www.ecfr.gov/current/title-49/section-390.19T": "the regulation on the MCS-150",
  "https://www.federalregister.gov/documents/2026/09/01/2026-17893/fees-for-the-unified-carrier-registration-plan-and-agreement":
    "91 FR 56063, the fees of 2027",
  "https://www.fmcsa.dot.gov/registration": "regulator: registration",
  "https://www.iftach.org/": "fuel tax agreement",
  "https://www.irs.gov/businesses/small-businesses-self-employed/trucking-tax-center":
    "taxes on trucks",
  "https://www.law.cornell.edu/uscode/text/49/13901": "copy of the law on operating authority",
  "https://www.ucr.gov/": "UCR registration",
};

/** Names of formats that look like addresses and are opened by nobody. */
const NAMES = [
  "http://www.sitemaps.org/schemas/sitemap/0.9",
  "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  "https://www.rfc-editor.org/info/rfc9727",
];

Deno.test("documents, answers and declines link to the pages listed and to no others", () => {
  const texts = [
    ...documents({ baseUrl: BASE_URL, mcp: MCP_DESCRIPTION }).map(({ text }) => text()),
    JSON.stringify([DECLINES, answerExamples(BASE_URL), exampleCarrier(BASE_URL)]),
    JSON.stringify(UCR_YEARS.map((year) => ucrTableFor(year))),
  ];
  const found = texts.flatMap((text) => [...text.matchAll(/https?:\/\/[^\s"'<>()`|{}\\]+/g)])
    .map(([url]) => url.replace(/[.,:;]$/, ""))
    .filter((url) => !url.startsWith(BASE_URL) && !NAMES.includes(url));
  assert.deepEqual([...new Set(found)].sort(), Object.keys(PAGES).sort());
});
