/**
 * The words people use here and what they stand for.
 *
 * A phrase is words in a row; `a|b` is either. The longest phrase that fits wins.
 *
 * @module
 */

import type { DeclinedTopic, Expectation, Topic } from "./understanding.ts";

/** What a phrase stands for: a topic, an expectation, a declined topic or a turn of speech. */
export type Mark = `topic:${Topic}` | `expect:${Expectation}` | `no:${DeclinedTopic}` | Turn;

/**
 * Turns of speech. `dot`, `mc`, `docket` stand before numbers or alone; `filler` never is part of a
 * name's end; `asking` shows a sentence, which a mere name is not.
 */
export type Turn =
  | "dot"
  | "mc"
  | "docket"
  | "number"
  | "find"
  | "named"
  | "firms"
  | "lookup"
  | "compare"
  | "due"
  | "file"
  | "fee"
  | "pay"
  | "registered"
  | "how_to"
  | "when"
  | "follow"
  | "them"
  | "vehicle"
  | "trailer"
  | "broker"
  | "count_unsure"
  | "asking"
  | "filler";

/** A phrase ready to be compared. */
export interface Phrase {
  mark: Mark;
  words: readonly (readonly string[])[];
}

const TABLE: readonly (readonly [Mark, string])[] = [
  ["topic:status", "status, usdot|dot|carrier|registration status, usdot status check"],
  ["expect:status=active", "active, activated, reactivated, in good standing, still operating"],
  ["expect:status=inactive", "inactive, not active, deactivated, no longer active, shut down"],
  [
    "topic:authority",
    "authority, authorities, operating authority, active authority, authority status, authorized, authorised, for hire, authorized|authorised for hire, authority to run, mc|docket status",
  ],
  [
    "topic:rating",
    "rating, ratings, safety rating|ratings, fmcsa rating, safety fitness, last rated",
  ],
  ["expect:rating=rated", "rated, unrated, have|has a safety rating, have|has a rating"],
  ["expect:rating=conditional", "conditional, conditionally rated, rated conditional"],
  [
    "expect:rating=satisfactory",
    "satisfactory, satisfactorily rated, rated satisfactory, rated sat",
  ],
  [
    "expect:rating=unsatisfactory",
    "unsatisfactory, unsat, rated unsatisfactory|unsat, unfit",
  ],
  [
    "topic:oos",
    "oos, out of service rate|rates|percentage|percent|numbers|stats|ratio, oos rate|rates|percentage|percent, for out of service, driver|vehicle|hazmat oos, driver|vehicle|hazmat out of service, driver|vehicle|hazmat oos rate|rates|percentage, driver|vehicle|hazmat out of service rate|rates|percentage, inspection, inspections, inspected, roadside inspection|inspections, inspection history|summary|record|records|results, national average|averages",
  ],
  [
    "topic:mcs150",
    "mcs 150, mcs, mcs 150 form|filing|update|status|date, biennial|biannual|biennual update|filing|report, biennial, biannual, 150 update",
  ],
  [
    "due",
    "due, due date|dates, duedate, deadline, next due, next, when do|does|must|should i|we|they|it need|have|has to, when do i need to, odd or even, even or odd, how long until, how many days, expire, expires, expiration, schedule, which|what month, which|what year",
  ],
  [
    "expect:mcs150=overdue",
    "overdue, past due, late, outdated, out of date, behind, expired, missed, lapsed, delinquent",
  ],
  ["expect:mcs150=filed", "up to date, current, on time"],
  ["file", "file, filed, files, filing, filings, submit, submitted, update, updated, updates"],
  [
    "topic:ucr",
    "ucr, ucrs, unified carrier registration, unified carrier registration fee|fees, ucr registration, ucr bracket|brackets|tier, bracket, brackets",
  ],
  ["fee", "fee, fees, cost, costs, price, how much, owe, owes, charge, dues"],
  ["pay", "pay, pays, paid, paying, payment"],
  ["registered", "registered, register, registration"],
  [
    "topic:fleet",
    "how many trucks|tractors|vehicles|units|drivers|power|rigs, how many power units, fleet size, size of the fleet, size of their fleet, how big, how large, more|fewer|most trucks|drivers|vehicles|units, more power units, number of trucks|drivers|vehicles|units, truck count, driver count, drivers and trucks, trucks and drivers, power units and drivers",
  ],
  [
    "topic:location",
    "based, located, location, headquartered, headquarters, hq, domiciled, what|which state, what|which city, where is|are it|they|he, where from, home base",
  ],
  [
    "topic:operation",
    "interstate, intrastate, interstate or intrastate, intrastate or interstate, out of state, type of operation, operation type, cross state lines",
  ],
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
    "phone, phone number, telephone, telephone number, email, emails, email address, e mail, contact, contacts, contact info|information|details|person, street address, mailing address, physical address, address, who owns, owner of, owned by, ceo, officer, officers, website, fax",
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
  [
    "how_to",
    "how do i|we, how to, how can i|we, where do i|we, where can i, where to, for me, apply, apply for, application, reactivate, renew, file my, update my, pay my, help me file|register|pay",
  ],
  ["when", "when, when was, when were, when is, whens, when did, what date, since when"],
  ["dot", "dot, dots, usdot, usdots, us dot"],
  ["mc", "mc, mcs number|numbers, icc, mc number|numbers"],
  ["docket", "docket, dockets, docket number|numbers"],
  ["number", "number, numbers, no, num, nr, nbr"],
  [
    "find",
    "find, finds, search, searching, search for|by|carriers, look for, looking for, list, lists, do you have, show me all",
  ],
  ["named", "named, called, with the name, by the name of, name is, name"],
  [
    "firms",
    "carrier, carriers, company, companies, motor carrier|carriers, trucking company|companies|firm|firms, trucking carrier|carriers, truckers, firm, firms, operator, operators, business, businesses, outfit",
  ],
  [
    "lookup",
    "look up, lookup, pull, pull up, run, check, check out, check on, who is, whos, who has, who are, whose, behind, tell me about, know about, info, information, details, detail, report, full report, profile, snapshot, everything, compliance, compliance check|report, compliant, verify, vet, issue, issues, problem, problems, which|what company|carrier is|has, legal name, dba, dba name, name of, show, show me, holds, hold, belongs to, records|record for",
  ],
  [
    "compare",
    "compare, comparison, compared, versus, vs, difference, differences, better, worse, which one, which is, which has, who has more, who has better|fewer|less|the, newer, bigger, between, side by side",
  ],
  [
    "follow",
    "what about, how about, and what about, and how about, same for, the same for, and, also, as well, and for, and in, now, then, what if, or",
  ],
  [
    "them",
    "it, its, their, they, them, theirs, he, his, that carrier|company|one|number, this carrier|company|one, the carrier|company, same carrier|company, those, these, this, that",
  ],
  [
    "vehicle",
    "truck, trucks, tractor, tractors, power unit|units, unit, units, vehicle, vehicles, cmv, cmvs, semi, semis, rig, rigs, bus, buses, van, vans, motor vehicle|vehicles, commercial motor vehicle|vehicles, commercial vehicle|vehicles, box truck|trucks, straight truck|trucks, dump truck|trucks, semi truck|trucks, hotshot, hotshots, fleet, truck|vehicle fleet, tractor trailer|trailers",
  ],
  ["trailer", "trailer, trailers"],
  [
    "broker",
    "broker, brokers, freight broker|brokers, freight forwarder|forwarders, forwarder, leasing company|companies, brokerage",
  ],
  [
    "count_unsure",
    "more than, over, at least, under, less than, fewer than, up to, between, no more than, above, below",
  ],
  [
    "asking",
    "is, are, am, was, were, do, does, did, has, have, had, can, could, should, would, will, what, whats, which, who, where, wheres, why, how, i, im, my, me, we, our, us, you, your, please, hello, hi, hey, thanks, thank, help, write, tell, u, pls, plz, give, gimme, get, need, want, know, print, ignore, explain, convert, make, say, there",
  ],
  [
    "filler",
    "a, an, any, the, of, for, to, in, on, at, by, with, from, near, out, or, if, as, still, ever, currently, right, today, just, also, please, yet, already, so, ok, but, be, been, being, not, against, about, use, uses, used, last, latest, recent, one, single, some, own, owns, operate, operates, running, big, commercial, fmcsa, against, newest, going, good, much, many, long, total, percent, rate, rates, date, dates, year, years, this, next, valid, goods, advice, history, types, type, company, s",
  ],
];

/** The phrases by their possible first words, the longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = indexed();

/** Every word of the phrases; a mistyped word may mean one of these. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  [...PHRASES.values()].flat().flatMap(({ words }) => words.flat()),
);

function indexed(): Map<string, Phrase[]> {
  const byWord = new Map<string, Phrase[]>();
  for (const [mark, text] of TABLE) {
    for (const line of text.split(", ")) {
      const phrase = { mark, words: line.split(" ").map((word) => word.split("|")) };
      for (const first of phrase.words[0]!) {
        const list = byWord.get(first) ?? [];
        byWord.set(first, list);
        list.push(phrase);
      }
    }
  }
  for (const list of byWord.values()) list.sort((a, b) => b.words.length - a.words.length);
  return byWord;
}
