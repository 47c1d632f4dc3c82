/**
 * The limits of the service, from the code that keeps to them.
 *
 * @module
 */

import { LIMITS } from "../../api/discovery/limits.ts";
import { Table } from "./table.tsx";

/** The limits as a table. */
export function Limits() {
  return <Table caption="Limits" heads={["Limit", "Value"]} rows={LIMITS} />;
}
