/**
 * What is asked and not answered.
 *
 * @module
 */

import type { PhraseTable } from "./marks.ts";

/** Phrases by what they stand for; see marks.ts. */
export const DECLINED_PHRASES: PhraseTable = [
  [
    "no:insurance",
    "insurance, insured, uninsured, insurer, insurance policy, liability insurance|coverage, cargo insurance|coverage, bipd, coi, certificate of insurance, coverage, surety, surety bond, bond, bonded, bmc 91|34|84|85, underwriter",
  ],
  [
    "no:crashes",
    "crash, crashes, crashed, accident, accidents, wreck, wrecks, fatality, fatalities, crash|accident history|record|rate|data, fatal crash|accident|crashes|accidents, fatal crash history, collision, collisions",
  ],
  [
    "no:trust",
    "trust, trusted, trustworthy, legit, legitimate, scam, scammer, scammers, fraud, fraudulent, fake, reliable, reputable, reputation, recommend, recommended, good|bad|safe|decent carrier|company|broker, safe to use|hire|book, safe, safer, safest, double broker|brokered|brokering|brokers, chameleon, chameleon carrier, complaint, complaints, review, reviews, should i|we book|use|hire|work|haul|load, can i|we book|use|hire, shady, freightguard, carrier411, sketchy",
  ],
  [
    "no:load_rates",
    "rate|rates per mile, per mile, going rate|rates, spot rate|rates, load rate|rates, freight rate|rates, lane rate|rates, market rate|rates, load board, loads, loads from, rpm, cents per mile, dollars per mile",
  ],
  [
    "no:legal",
    "sue, lawsuit, liable, lawyer, attorney, legal, illegal, is it legal, legal advice, exempt, exemption, am i exempt|required, do i|we need a|an|my|to, required to, do i|we have to, allowed to, negligent, court, penalty for, fine for",
  ],
  [
    "no:licensing",
    "granted, grant, revoked, revocation, pending revocation, revocations, revoke, broker|contract|common|forwarder authority, authority history|date|granted|type|age|revoked|pending, pending authority|application, licensing, licensing and insurance, l and i, reinstated, reinstatement, household goods authority",
  ],
  [
    "no:scores",
    "csa, csa score|scores|points|basics, sms, sms score|scores|percentile|percentiles, basic score|scores|percentiles, basics, percentile, percentiles, safety score|scores, risk score, safer score, ise score|scores",
  ],
  [
    "no:contact",
    "call, phone, phone number, telephone, telephone number, email, emails, email address, e mail, contact, contacts, contact info|information|details|person, street address, mailing address, physical address, address, who owns, owner of, owned by, ceo, officer, officers, website, fax",
  ],
  [
    "no:other_filings",
    "ifta, irp, 2290, hvut, heavy use tax, boc 3, boc, process agent, kyu, scac, ctpat, twic, fuel tax, apportioned, mcs 90, mcsa",
  ],
  [
    "no:drivers",
    "cdl, driver|drivers license|licence|licenses, drivers cdl, clearinghouse, drug test|tests|testing, drug and alcohol, mvr, hours of service, hos, eld, elog, logbook, psp, dqf, medical card",
  ],
  [
    "no:oos_order",
    "oos order|orders, out of service, out of service order|orders, under an out of service order, is|are it|they out of service, placed out of service, put out of service, shutdown order, imminent hazard",
  ],
  ["no:violations", "violation, violations, citation, citations, ticket, tickets, fined"],
  [
    "no:cargo",
    "haul, hauls, hauling hazmat, carry hazmat, hazmat, hazardous materials, cargo, cargo type|types, cargo carried, commodities, commodity, reefer, reefers, flatbed, flatbeds, tanker, tankers, equipment, equipment type|types, dry van, household goods, kind of freight",
  ],
  [
    "no:history",
    "how old, how long has|have, in business, been in business, previous|former|old|past name|names|owner|owners, ownership, founded, established, when did they start, name change|changes, name history, new entrant, when was it registered, years in business, first registered",
  ],
  [
    "no:credit",
    "credit, credit score|rating|check, days to pay, how fast|quickly, slow pay, factoring, factor, pay terms, payment history|terms, dun and bradstreet",
  ],
  [
    "no:filters",
    "biggest, largest, smallest, top, most, how many carriers|companies, all carriers|companies",
  ],
  [
    "no:explanations",
    "mean, means, meaning, definition, define, explain, what is a|an, whats a|an, what are, what is ucr, whats ucr, who needs|must|pays|files, who has to, how current|fresh|recent is, your data, data source|sources, when is|does ucr, when is|does the ucr, ucr deadline, what is the national",
  ],
];
