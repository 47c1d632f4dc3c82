/**
 * Text of filings for titles, JSON-LD, headers and plain text. In HTML it stands in `<bdi>` instead.
 *
 * @module
 */

export { inert } from "../../pipeline/inert.ts";
