/**
 * Email addresses: which are accepted, and which belong to the same mailbox.
 *
 * @module
 */

import { domainToASCII } from "node:url";

export interface Sender {
  /** Display name; may be empty. */
  name: string;
  address: string;
}

const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** A dot-atom. Quoted and non-ASCII local parts are refused, as many servers do. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** Checked first, because the conversion to ASCII also decodes percent signs and the like. */
const TYPED_DOMAIN = /^[A-Za-z0-9.\-\u0080-\uffff]+$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const SENDER = /^(?:([^<>"\p{C}]*)<([^<>]+)>|([^<>]+))$/u;

/**
 * Reads an address.
 *
 * @returns The address with its domain in lowercase ASCII (Punycode for international names), so that each
 *   domain has one spelling; null if the address cannot be used.
 */
export function parseAddress(text: string): string | null {
  const typed = text.trim();
  const at = typed.lastIndexOf("@");
  const local = typed.slice(0, Math.max(at, 0));
  const domain = typed.slice(at + 1);
  if (typed.length > LONGEST || local.length > LONGEST_LOCAL) return null;
  if (!LOCAL.test(local) || !TYPED_DOMAIN.test(domain)) return null;
  const ascii = domainToASCII(domain);
  const address = `${local}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= LONGEST ? address : null;
}

/** Domains of Gmail, which ignores dots in local parts. Both reach the same mailbox; keys use the first. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The key that limits count by: the address in lowercase, without its `+` tag and, for Gmail, without dots.
 * Addresses that visibly belong to the same mailbox share a key.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at).toLowerCase().replace(/(?<=.)\+.*$/, "");
  const domain = address.slice(at + 1);
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@${GMAIL[0]}` : `${local}@${domain}`;
}

/** Reads `alerts@carriers.example` or `Carrier alerts <alerts@carriers.example>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  const [, name = "", inBrackets, bare = ""] = SENDER.exec(text.trim()) ?? [];
  const address = parseAddress(inBrackets ?? bare);
  return address === null ? null : { name: name.trim(), address };
}
