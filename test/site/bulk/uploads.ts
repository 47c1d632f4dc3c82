/**
 * Pages over a few carriers, and lists sent to them as by a browser.
 *
 * @module
 */

import assert from "node:assert/strict";
import { HOSTILE } from "../../mcp/service.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { type SiteApp, siteOf } from "../app.ts";

/** Headers of a form on our own pages. */
export const OURS = { "Sec-Fetch-Site": "same-origin" };

/** Pages over carriers: one is inactive, one hostile, and two share a docket. */
export function pagesWithLists(given: Parameters<typeof siteOf>[1] = {}): SiteApp {
  const filed = { operation: "A", mcs150_date: "2026-01-23", power_units: 4 } as const;
  const docket = (number: number, prefix = "MC") => ({ prefix, number, status: "A" as const });
  return siteOf([
    record(295017, { ...filed, legal_name: "SOME CARRIER", city: "AKRON", state: "OH" }),
    record(146793, { ...filed, status: "I", dockets: [docket(143229)] }),
    record(1896, { ...filed, legal_name: "WARREN TRANSPORT INC" }),
    record(111898, { ...filed, legal_name: "ACME", dockets: [docket(1896), docket(12, "FF")] }),
    HOSTILE,
  ], {
    ...given,
    dockets: { MC: { 1896: [111898], 143229: [146793, 295017] }, FF: { 12: [111898] } },
  });
}

/** A form for a list, as a browser sends it. */
export function listForm(
  { text = "", file, columns = [] }: { text?: string; file?: BlobPart; columns?: string[] },
): FormData {
  const form = new FormData();
  form.set("text", text);
  for (const column of columns) form.append("column", column);
  form.set("file", file === undefined ? new File([], "") : new File([file], "list.csv"));
  return form;
}

/** Sends a list and returns the path of its page. */
export async function send(app: SiteApp, form: Parameters<typeof listForm>[0]): Promise<string> {
  const init = { method: "POST", headers: OURS, body: listForm(form) };
  const response = await app.visit("/bulk", init);
  assert.equal(response.status, 303, await response.text());
  return response.headers.get("location")!;
}
