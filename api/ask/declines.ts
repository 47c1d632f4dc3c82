/**
 * What is not answered, why, and where to look for it.
 *
 * @module
 */

import {
  BTS,
  CENSUS,
  CLEARINGHOUSE,
  COMPLAINTS,
  IFTA,
  MCS150_RULE,
  type OfficialSource,
  REGISTRATION,
  RULES,
  SAFER,
  SMS,
  TRUCKING_TAXES,
  UCR,
  UCR_PLAN,
} from "../rules/official_sources.ts";
import { SPANISH_DECLINE } from "./spanish.ts";

function decline(name: string, text: string, ...where: OfficialSource[]) {
  return { name, text, where };
}

/** Why a topic is not answered, by topic: what people call it, a text without final period, where to look. */
export const DECLINES = {
  insurance: decline(
    "insurance and bonds",
    "Insurance and bonds are not in the FMCSA files used here. SAFER links to the filings; a certificate comes from the insurer",
    SAFER,
    REGISTRATION,
  ),
  crashes: decline(
    "crashes",
    "Crash records are not in the FMCSA files used here. SAFER and SMS list crashes of the last 24 months",
    SAFER,
    SMS,
  ),
  trust: decline(
    "whether to trust a carrier",
    "Whether to trust a carrier is your decision: this service gives no score. Ask about its checks one by one; the National Consumer Complaint Database takes complaints",
    SAFER,
    COMPLAINTS,
  ),
  load_rates: decline(
    "load rates",
    "Load rates are not in the FMCSA files used here. Ask a load board; the Bureau of Transportation Statistics publishes freight indexes",
    BTS,
  ),
  legal: decline(
    "legal advice",
    "This service does not give legal advice. Read the regulations, and ask a lawyer or FMCSA what they mean for you",
    RULES,
    REGISTRATION,
  ),
  licensing: decline(
    "kinds, grants and revocations of operating authority",
    "Kinds, grants and revocations of operating authority are not answered here, and a docket's status does not show them. SAFER and Motus do",
    SAFER,
    REGISTRATION,
  ),
  scores: decline(
    "CSA and SMS scores",
    "CSA and SMS scores are not in the FMCSA files used here, and this service makes no score. See the Safety Measurement System",
    SMS,
  ),
  contact: decline(
    "addresses, owners and contact details",
    "Street addresses, owners and contact details are not served here. SAFER shows some of them",
    SAFER,
  ),
  ucr_payment: decline(
    "whether a UCR fee was paid",
    "No public file shows whether a UCR fee was paid. Look up the carrier at ucr.gov; this service can give the amount of a fee",
    UCR,
  ),
  filing: decline(
    "filing, registering or paying",
    "This service only reads: it can't file, register, change or pay anything. FMCSA takes registrations and the MCS-150, ucr.gov takes UCR",
    REGISTRATION,
    UCR,
  ),
  other_filings: decline(
    "filings other than the MCS-150 and UCR",
    "This service covers the MCS-150 and the UCR fee only, not taxes, permits or process agents",
    TRUCKING_TAXES,
    IFTA,
    REGISTRATION,
  ),
  drivers: decline(
    "drivers and their records",
    "Drivers, their records and their hours are not in the FMCSA files used here",
    CLEARINGHOUSE,
    RULES,
  ),
  oos_order: decline(
    "out-of-service orders",
    "Out-of-service orders are not in the FMCSA files used here, and a rate is not an order. SAFER shows the operating status",
    SAFER,
  ),
  cargo: decline(
    "cargo and equipment",
    "Cargo and equipment are not served here. SAFER shows what the carrier says it hauls",
    SAFER,
  ),
  history: decline(
    "the history of a carrier",
    "History, age and former names of a carrier are not served here. SAFER and FMCSA's registration have them",
    SAFER,
    REGISTRATION,
  ),
  credit: decline(
    "credit and payment habits",
    "Credit and payment habits are not in the FMCSA files used here. Ask a credit bureau",
    COMPLAINTS,
  ),
  filters: decline(
    "lists of carriers by size or by result",
    "Carriers can be searched by name, city and state only, not listed by size, by a check or by a count. FMCSA's census file can be filtered",
    CENSUS,
  ),
  explanations: decline(
    "general questions about the rules",
    "General questions about the rules are not answered here: ask about a carrier, a due date or a fleet",
    REGISTRATION,
    UCR_PLAN,
    MCS150_RULE,
  ),
  spanish: decline("preguntas que solo se contestan en inglés", SPANISH_DECLINE, SAFER),
} as const;
export type DeclinedTopic = keyof typeof DECLINES;
