/**
 * What is not answered, a row each: the words that ask for it, why not, and where to look.
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
  /** Phrases that ask for it, as `vocabulary.ts` has them; without any a rule of `intents.ts` finds it. */
  words?: string;
}

/** What is not answered, by topic. */
export const DECLINES = {
  insurance: {
    name: "insurance and bonds",
    text:
      "Insurance and bonds are not in the FMCSA files used here. SAFER links to the filings; a certificate comes from the insurer",
    where: [official.SAFER, official.REGISTRATION],
    words:
      `insurance, insured, insures, uninsured, insurer, insurance policy, cargo|liability insurance|coverage, bipd,
      coi, certificate of insurance, surety, bond, bonded, bmc, mcs90, underwriter`,
  },
  crashes: {
    name: "crashes",
    text:
      "Crash records are not in the FMCSA files used here. SAFER and SMS list crashes of the last 24 months",
    where: [official.SAFER, official.SMS],
    words:
      `crash|crashes|crashed, accident, wreck, fatality|fatalities, crash|accident record|data|indicator,
      recordable crashes, fatal crash|accident|crashes`,
  },
  trust: {
    name: "whether to trust a carrier",
    text:
      "Whether to trust a carrier is your decision: this service gives no score. Ask about its checks one by one; the National Consumer Complaint Database takes complaints",
    where: [official.SAFER, official.COMPLAINTS],
    words:
      `trust, trusted, trustworthy, legit|legitimate, scam, scammer, fraud, fraudulent, fake, reliable, reputable,
      reputation, recommend, good|bad|decent carrier|company|broker, safe broker, safe, safer, safe to hire|book,
      good to work for, good to go, double broker|brokered|brokering, chameleon, complaint, reviews, shady, sketchy,
      can|should i|we book|use|hire|work|haul, is it good`,
  },
  load_rates: {
    name: "load rates",
    text:
      "Load rates are not in the FMCSA files used here. Ask a load board; the Bureau of Transportation Statistics publishes freight indexes",
    where: [official.BTS],
    words:
      "per mile, cents per mile, going|spot|freight|lane rate, load rate|board, loads, rpm, pay drivers",
  },
  legal: {
    name: "legal advice",
    text:
      "This service does not give legal advice. Read the regulations, and ask a lawyer or FMCSA what they mean for you",
    where: [official.RULES, official.REGISTRATION],
    words:
      `sue, sued, lawsuit, liable, lawyer, attorney, legal, legally, illegal, legal advice, exempt, exemption, court,
      do i|we need a|an|my|form|to, do i|we have to, required|allowed to, fine for, fine you`,
  },
  licensing: {
    name: "kinds, grants and revocations of operating authority",
    text:
      "Kinds, grants and revocations of operating authority are not answered here, and a docket's status does not show them. SAFER and Motus do",
    where: [official.SAFER, official.REGISTRATION],
    words:
      `granted, granted authority, grant, revoked, revocation, reinstated, reinstatement, pending application,
      authority history|date|granted|age|revoked|grant, operating authority grant date, grant date`,
  },
  scores: {
    name: "CSA and SMS scores",
    text:
      "CSA and SMS scores are not in the FMCSA files used here, and this service makes no score. See the Safety Measurement System",
    where: [official.SMS],
    words: "csa, sms, basic score|percentile, basics, percentile, safety|risk|driving score, score",
  },
  contact: {
    name: "addresses, owners and contact details",
    text:
      "Street addresses, owners and contact details are not served here. SAFER shows some of them",
    where: [official.SAFER],
    words: `call, phone, telephone, email, contact, contact info|information|person, address,
      street|mailing|physical address, who owns, owner, owned by, who is behind, ceo, officers, website, fax, hiring`,
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
    words:
      `ifta, irp, form2290, hvut, heavy use tax, boc3, process agent, kyu, scac, twic, fuel tax, apportioned`,
  },
  drivers: {
    name: "drivers and their records",
    text: "Drivers, their records and their hours are not in the FMCSA files used here",
    where: [official.CLEARINGHOUSE, official.RULES],
    words:
      `cdl, driver license, drivers license, clearinghouse, drug test|testing, drug and alcohol, mvr, hours of
      service, hos, eld, elog, logbook, psp, dqf, driver qualification file, medical card, how many hours`,
  },
  oos_order: {
    name: "out-of-service orders",
    text:
      "Out-of-service orders are not in the FMCSA files used here, and a rate is not an order. SAFER shows the operating status",
    where: [official.SAFER],
    words:
      "oos|shutdown order, out of service, out of service order, placed|put out of service, imminent hazard",
  },
  cargo: {
    name: "cargo and equipment",
    text: "Cargo and equipment are not served here. SAFER shows what the carrier says it hauls",
    where: [official.SAFER],
    words:
      `haul, hazmat, hazmat certified, hazardous materials, cargo, cargo carried, commodity|commodities, reefer,
      flatbed, tanker, equipment type, dry van, household goods, kind of freight, what trailers`,
  },
  history: {
    name: "the history of a carrier",
    text:
      "History, age and former names of a carrier are not served here. SAFER and FMCSA's registration have them",
    where: [official.SAFER, official.REGISTRATION],
    words:
      `how long has|have, how old, in business, previous|former|past name|owner, ownership, founded, created,
      established, name change, changed its|their name, new entrant, first registered`,
  },
  credit: {
    name: "credit and payment habits",
    text: "Credit and payment habits are not in the FMCSA files used here. Ask a credit bureau",
    where: [official.COMPLAINTS],
    words:
      `credit, credit score|rating|check, days to pay, pay on time, pays on time, slow pay, factoring, pay terms,
      payment history|terms, unpaid`,
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
    words:
      `mean, meaning, definition, define, explain, what is a|an|ucr, whats a|an, who must|needs|pays, who has to,
      what is the national average, registration open, ucr due|deadline, ucr is due`,
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
