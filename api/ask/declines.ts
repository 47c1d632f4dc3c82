/**
 * What is not answered, and where to look for it.
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
  type Place,
  REGISTRATION,
  RULES,
  SAFER,
  SMS,
  TRUCKING_TAXES,
  UCR,
  UCR_PLAN,
} from "../discovery/official_places.ts";
import type { DeclinedTopic } from "./understanding.ts";

/** Why a topic is not answered, and where it is. */
export interface Decline {
  text: string;
  where: readonly Place[];
}

/** By topic; texts have no final period. */
export const DECLINES: Readonly<Record<DeclinedTopic, Decline>> = {
  insurance: {
    text:
      "Insurance and bonds are not in the files read here. SAFER links to the filings; a certificate comes from the insurer",
    where: [SAFER, REGISTRATION],
  },
  crashes: {
    text: "Crashes are not in the files read here. SAFER and SMS list those of the last 24 months",
    where: [SAFER, SMS],
  },
  trust: {
    text:
      "Whether to trust a carrier is for you to judge: no score and no verdict is given here. Its checks can be asked for one by one; the consumer database takes complaints",
    where: [SAFER, COMPLAINTS],
  },
  load_rates: {
    text:
      "Load rates are not in the files read here. Ask a load board; the Bureau of Transportation Statistics publishes freight indexes",
    where: [BTS],
  },
  legal: {
    text:
      "Legal advice is not given here. Read the regulations and ask a lawyer or FMCSA what they mean for you",
    where: [RULES, REGISTRATION],
  },
  licensing: {
    text:
      "Kinds, grants and revocations of operating authority are not in the files read here, and a docket's flag does not show them. SAFER and Motus do",
    where: [SAFER, REGISTRATION],
  },
  scores: {
    text:
      "CSA and SMS scores are not in the files read here, and no score is made here. See the Safety Measurement System",
    where: [SMS],
  },
  contact: {
    text:
      "Street addresses, owners and contact details are not served here. SAFER shows some of them",
    where: [SAFER],
  },
  ucr_payment: {
    text:
      "Whether a UCR fee was paid is in no public file. Look the carrier up at ucr.gov; the amount of a fee can be asked here",
    where: [UCR],
  },
  filing: {
    text:
      "Nothing can be filed, registered or paid here: this service only reads. FMCSA takes registrations and the MCS-150, ucr.gov takes UCR",
    where: [REGISTRATION, UCR],
  },
  other_filings: {
    text:
      "Of filings only the MCS-150 and the UCR fee are known here. Taxes, permits and process agents are kept by others",
    where: [
      TRUCKING_TAXES,
      IFTA,
      REGISTRATION,
    ],
  },
  drivers: {
    text: "Drivers and their records are not in the files read here",
    where: [
      CLEARINGHOUSE,
      RULES,
    ],
  },
  oos_order: {
    text:
      "Out-of-service orders are not in the files read here; a rate is not an order. SAFER shows the operating status, and the USDOT status and the rates can be asked here",
    where: [SAFER],
  },
  violations: {
    text:
      "Single violations are not served here, only how many inspections ended out of service. SMS lists violations by carrier",
    where: [SMS],
  },
  cargo: {
    text: "Cargo and equipment are not served here. SAFER shows what the carrier says it hauls",
    where: [SAFER],
  },
  history: {
    text:
      "History, age and earlier names of a carrier are not served here. SAFER and FMCSA's registration keep them",
    where: [SAFER, REGISTRATION],
  },
  credit: {
    text:
      "Credit and payment habits are not in the files read here. Ask a credit bureau; the consumer database takes complaints",
    where: [COMPLAINTS],
  },
  filters: {
    text:
      "Carriers can be searched by name, city and state only, not by size or by what a check says. The census itself can be filtered",
    where: [CENSUS],
  },
  explanations: {
    text:
      "General questions about the rules are not answered here: ask about a carrier, a due date or a fleet",
    where: [
      REGISTRATION,
      UCR_PLAN,
      MCS150_RULE,
    ],
  },
};
