/**
 * What is not answered, a row each: why not, and where to look.
 *
 * @module
 */

import * as official from "../rules/official_sources.ts";

interface Decline {
  /** What people call it. */
  name: string;
  /** Why it is not answered, without final period. */
  text: string;
  /** Where to look for it. */
  where: readonly official.OfficialSource[];
}

/** What is not answered, by topic. */
export const DECLINES = {
  insurance: {
    name: "insurance and bonds",
    text:
      "Insurance and bonds are not in the FMCSA files used here. SAFER links to the filings; a certificate comes from the insurer",
    where: [official.SAFER, official.REGISTRATION],
  },
  crashes: {
    name: "crashes",
    text:
      "Crash records are not in the FMCSA files used here. SAFER and SMS list crashes of the last 24 months",
    where: [official.SAFER, official.SMS],
  },
  trust: {
    name: "whether to trust a carrier",
    text:
      "Whether to trust a carrier is your decision: this service gives no score. Ask about its checks one by one; the National Consumer Complaint Database takes complaints",
    where: [official.SAFER, official.COMPLAINTS],
  },
  load_rates: {
    name: "load rates",
    text:
      "Load rates are not in the FMCSA files used here. Ask a load board; the Bureau of Transportation Statistics publishes freight indexes",
    where: [official.BTS],
  },
  legal: {
    name: "legal advice",
    text:
      "This service does not give legal advice. Read the regulations, and ask a lawyer or FMCSA what they mean for you",
    where: [official.RULES, official.REGISTRATION],
  },
  licensing: {
    name: "kinds, grants and revocations of operating authority",
    text:
      "Kinds, grants and revocations of operating authority are not answered here, and a docket's status does not show them. SAFER and Motus do",
    where: [official.SAFER, official.REGISTRATION],
  },
  scores: {
    name: "CSA and SMS scores",
    text:
      "CSA and SMS scores are not in the FMCSA files used here, and this service makes no score. See the Safety Measurement System",
    where: [official.SMS],
  },
  officers: {
    name: "owners, officers and email addresses",
    text:
      "Owners, officers, email addresses, cell phone and fax numbers are not served here; the address and phone number on file are",
    where: [official.SAFER],
  },
  reverse: {
    name: "whose phone number or address it is",
    text:
      "Carriers can be found by number, name, city and state, not by phone number or street address",
    where: [official.CENSUS],
  },
  ucr_payment: {
    name: "whether a UCR fee was paid",
    text:
      "No public file shows whether a UCR fee was paid. Look up the carrier at ucr.gov; this service can give the amount of a fee",
    where: [official.UCR],
  },
  filing: {
    name: "filing, registering or paying",
    text:
      "This service only reads: it can't file, register, change or pay anything. FMCSA takes registrations and the MCS-150, ucr.gov takes UCR",
    where: [official.REGISTRATION, official.UCR],
  },
  other_filings: {
    name: "filings other than the MCS-150 and UCR",
    text:
      "This service covers the MCS-150 and the UCR fee only, not taxes, permits or process agents",
    where: [official.TRUCKING_TAXES, official.IFTA, official.REGISTRATION],
  },
  drivers: {
    name: "drivers and their records",
    text: "Drivers, their records and their hours are not in the FMCSA files used here",
    where: [official.CLEARINGHOUSE, official.RULES],
  },
  oos_order: {
    name: "out-of-service orders",
    text:
      "Out-of-service orders are not in the FMCSA files used here, and a rate is not an order. SAFER shows the operating status",
    where: [official.SAFER],
  },
  history: {
    name: "the history of a carrier",
    text:
      "History, age and former names of a carrier are not served here. SAFER and FMCSA's registration have them",
    where: [official.SAFER, official.REGISTRATION],
  },
  credit: {
    name: "credit and payment habits",
    text: "Credit and payment habits are not in the FMCSA files used here. Ask a credit bureau",
    where: [official.COMPLAINTS],
  },
  filters: {
    name: "lists of carriers by size or by result",
    text:
      "Carriers can be searched by name, city and state only, not listed by size, by a check or by a count. FMCSA's census file can be filtered",
    where: [official.CENSUS],
  },
  explanations: {
    name: "general questions about the rules",
    text:
      "General questions about the rules are not answered here: ask about a carrier, a due date or a fleet",
    where: [official.REGISTRATION, official.UCR_PLAN, official.MCS150_RULE],
  },
  spanish: {
    name: "preguntas que solo se contestan en inglés",
    text:
      "Lo siento: en español solo respondo si un número USDOT está activo, cuándo vence el MCS-150, la " +
      "calificación de seguridad, la tarifa UCR de una flota y los datos básicos de una empresa. Para lo " +
      "demás, pregunte en inglés",
    where: [official.SAFER],
  },
} as const satisfies Record<string, Decline>;
export type DeclinedTopic = keyof typeof DECLINES;

/** All of them. */
export const DECLINE_KEYS = Object.keys(DECLINES) as DeclinedTopic[];
