/**
 * `/.well-known/security.txt` (RFC 9116): where to report a vulnerability.
 *
 * @module
 */

/** When the text must have been looked at again: less than a year ahead. A test fails before that day. */
export const EXPIRES = "2027-11-01T00:00:00Z";

/** The text of the service at an address. */
export function securityTxt(baseUrl: string): string {
  return [
    `Contact: ${baseUrl}/about`,
    `Expires: ${EXPIRES}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}
