/**
 * The English words and phrases that questions are made of, by what they mean.
 *
 * @module
 */

/** What can be asked about one carrier, in the order of every answer. */
export const TOPICS = [
  "match",
  "usdot",
  "overview",
  "status",
  "mcs150",
  "due",
  "authority",
  "kind",
  "dockets",
  "rating",
  "oos",
  "inspections",
  "violations",
  "ucr",
  "fleet",
  "location",
  "operation",
] as const;
export type Topic = typeof TOPICS[number];

/** What the data cannot answer. */
export const DECLINED_TOPICS = [
  "insurance",
  "crashes",
  "trust",
  "load_rates",
  "legal",
  "licensing",
  "scores",
  "contact",
  "ucr_payment",
  "filing",
  "other_filings",
  "drivers",
  "oos_order",
  "cargo",
  "history",
  "credit",
  "filters",
  "explanations",
  "spanish",
] as const;
export type DeclinedTopic = typeof DECLINED_TOPICS[number];

/** A guess that is answered yes or no where a check is `ok` or `bad`. */
export type Expectation =
  | "status=active"
  | "status=inactive"
  | "mcs150=filed"
  | "mcs150=overdue"
  | "authority=active"
  | "rating=satisfactory"
  | "rating=conditional"
  | "rating=unsatisfactory"
  | "rating=rated"
  | "oos=above";

/**
 * Parts of speech. `hard` words open a question or end a name; `soft` words may stand in one;
 * `join` words connect the parts of a name or of a list.
 */
export type Turn =
  | "hard"
  | "soft"
  | "join"
  | "them"
  | "follow"
  | "lookup"
  | "find"
  | "named"
  | "compare"
  | "holds"
  | "many"
  | "all"
  | "count"
  | "data"
  | "fresh"
  | "how_to"
  | "when"
  | "file"
  | "late"
  | "fee"
  | "pay"
  | "registered"
  | "broker"
  | "vehicle"
  | "dot"
  | "mc"
  | "consequence";

export type Mark = Topic | Expectation | `no:${DeclinedTopic}` | Turn;

/** Phrases by mark, separated by `, `; `a|b` is either word. The longest phrase that fits wins. */
export type PhraseTable = readonly (readonly [mark: Mark, phrases: string])[];

const PLACES = "driver|drivers|vehicle|vehicles|hazmat";

/** The phrases of a question in English. */
export const ENGLISH: PhraseTable = [
  [
    "status",
    "status, usdot|dot|carrier|registration|operating|current|mc status, usdot registration status, current usdot registration status",
  ],
  [
    "status=active",
    "active, activated, in good standing, good standing, still operating, operational",
  ],
  [
    "status=inactive",
    "inactive, not active, not currently active, deactivated, no longer active, shut down, out of business",
  ],
  [
    "authority",
    "authority, authorities, operating authority, authority status, mc|docket status, authority to run",
  ],
  [
    "authority=active",
    "active authority, authorized, authorised, for hire, authorized|authorised for hire",
  ],
  [
    "kind",
    "entity type, type of entity, broker or a carrier, a broker or a carrier, broker or carrier, carrier or broker, a carrier or a broker, motor carrier broker or freight forwarder, a motor carrier broker or freight forwarder",
  ],
  [
    "dockets",
    "docket numbers, all docket numbers, dockets, mc number, an mc number, mc numbers, mc no, docket number",
  ],
  [
    "usdot",
    "dot number, usdot number, dot numbers, usdot numbers, dot no, us dot number, what dot, which dot",
  ],
  [
    "rating",
    "rating, ratings, safety rating|ratings|fitness, safety fitness rating, fmcsa rating, compliance review",
  ],
  ["rating=rated", "rated, unrated, been rated, ever been rated, last rated"],
  ["rating=conditional", "conditional, conditionally rated, rated conditional"],
  ["rating=satisfactory", "satisfactory, satisfactorily rated, rated satisfactory, rated sat"],
  ["rating=unsatisfactory", "unsatisfactory, unsat, rated unsatisfactory|unsat, unfit"],
  [
    "oos",
    `oos, oos rate|rates|percentage|percentages|percent|stats, out of service rate|rates|percentage|percentages|percent|stats, ${PLACES} oos, ${PLACES} out of service, ${PLACES} oos rate|rates|percentage, ${PLACES} out of service rate|rates|percentage, national average|averages`,
  ],
  ["oos=above", "above average, above the national average, above the average, below average"],
  [
    "inspections",
    "inspection, inspections, inspected, get|been|last inspected, roadside inspection|inspections, last|latest inspection, date of last inspection, inspection history|summary|record|records|results",
  ],
  ["violations", "violation, violations, citation, citations, violation history"],
  [
    "mcs150",
    "mcs150, msc150, mcs, mcs150 form|filing|update|status|date, biennial, biannual, biennial|biannual update|filing|report, last file|filed|filing, filing date, mcs150 filing date",
  ],
  [
    "due",
    "due, due date|dates, duedate, deadline, next due, when do|does|must|should i|we|they|it need|have|has to, odd or even, even or odd, odd or even years, how long until, how many days until, expire, expires, expiration, what|which month, next biennial|biannual update, next mcs150",
  ],
  [
    "mcs150=overdue",
    "overdue, over due, past due, outdated, out of date, delinquent, lapsed, missed",
  ],
  ["mcs150=filed", "up to date, current, on time"],
  ["late", "late, behind, expired"],
  ["ucr", "ucr, ucrs, unified carrier registration, ucr bracket|brackets|tier, bracket, brackets"],
  [
    "fleet",
    "how many trucks|tractors|vehicles|units|drivers|rigs|power, how many power units, number of trucks|tractors|vehicles|units|drivers, number of drivers and power units, number of power units, fleet size, size of the|their fleet, how big, how large, bigger, larger, smaller, truck|driver count, drivers and trucks, trucks and drivers, power units, power units and drivers, drivers and power units, fleet, report its trucks",
  ],
  [
    "location",
    "based, located, location, headquartered, headquarters, headquarters city, hq, domiciled, what|which state, what|which city, where is|are|does, where from, home base, principal place of business, run out of",
  ],
  [
    "operation",
    "interstate, intrastate, intrastate only, interstate or intrastate, intrastate or interstate, carrier operation, type of operation, operation type, cross|across state lines, run across state lines",
  ],
  [
    "overview",
    "check, checks, compliance, compliance check|checks|report|snapshot, full report, report, profile, issue, issues, problem, problems, information, info, details, everything, all available information, vet, vetting, verify, lookup, tell me about, who is|are|s, whos, chk",
  ],
  [
    "lookup",
    "look up, pull, pull up, run, run a check, check on, check out, retrieve, fetch, carrier lookup, which|what company|carrier is|has, name of, include",
  ],
  [
    "holds",
    "match, matches, match the name, name match, correspond, corresponds, same as, the same company|carrier|firm as, same company|carrier, the same carrier, belong, belongs, belong to, belongs to, hold, holds, holder, the holder, really, confirm, verify that, does the name match",
  ],
  [
    "named",
    "named, called, with the name, by the name of, name, the name, legal name, by name, carrier name",
  ],
  [
    "find",
    "find, finds, find me, search, searching, search for|by, look for, looking for, list, show, show me",
  ],
  [
    "compare",
    "compare, comparison, comparing, compared, versus, vs, difference, differences, difference between, better, worse, which one, which is, which of, more than one, compair",
  ],
  [
    "many",
    "carriers, companies, motor carriers, trucking companies|firms|carriers, truckers, firms, operators, owner operators, businesses, brokers, trucks companies",
  ],
  [
    "all",
    "all carriers|companies, which carriers|companies, biggest|largest|smallest|best carrier|carriers|company|companies|fleet|fleets, biggest|largest|smallest|best trucking company|companies",
  ],
  [
    "count",
    "how many carriers|companies, how many active carriers|companies, how many motor carriers, total number of usdot|dot numbers, number of carriers, how many usdot|dot numbers",
  ],
  [
    "data",
    "data, dataset, database, census, snapshot, your data, the data, your database, the census",
  ],
  [
    "fresh",
    "how current|fresh|recent|old is, last updated, updated, date of, how up to date, data date, data source|sources, come from, how old",
  ],
  [
    "how_to",
    "how do i|we, how to, how can i|we, where do i|we, where can i, where to, help me, apply for, reactivate, renew, can you register|file|send",
  ],
  ["when", "when, when was|were|is|did|does, whens, what date, since when, date"],
  ["file", "file, filed, files, filing, submit, submitted, update, updates, reported"],
  [
    "consequence",
    "what happens, what if, penalty, penalties, consequence, consequences, if i miss|dont|do not|forget, if they miss, if we miss, fail to, failing to, failure to, not filing, not updating, shut off, be deactivated, miss it",
  ],
  ["fee", "fee, fees, cost, costs, price, how much, owe, owes, charge, dues"],
  ["pay", "pay, pays, paid, paied, payed, paying, payment, paid for"],
  ["registered", "registered, register, registration, registered for ucr, ucr registration"],
  [
    "broker",
    "broker, a broker, freight broker|forwarder, a freight broker|forwarder, forwarder, brokerage, leasing company",
  ],
  ["vehicle", "truck, trucks, tractor, tractors, vehicles, units, drivers, trailers, semi, rig"],
  ["dot", "dot, usdot, us dot, usdots, dots"],
  ["mc", "mc, docket"],
  ["follow", "what about, how about, and what about, same for, also, as well, then, now"],
  [
    "them",
    "it, its, their, they, them, theirs, he, his, him, that carrier|company|one, this carrier|company|one, the carrier|company, same one, those, these, this",
  ],
  [
    "join",
    "and, or, of, in, the, at, from, near, for, a, an, on, to, with, by, de, la, el, y, out",
  ],
  [
    "hard",
    "is, are, am, was, were, isnt, arent, wasnt, do, does, did, doesnt, didnt, has, have, had, hasnt, can, could, should, would, will, what, whats, what is|are|was, which, who, whose, where, wheres, why, how, how many, i, im, my, me, we, our, us, you, your, u, please, pls, plz, hello, hi, hey, thanks, thank, need, want, know, tell, give, get, gimme, return, provide, calculate, compute, determine, whether, if, that, say, says, there, not, right, does the, is the, does a, convert, resolve, given, query, check whether, ask, do you know, rate con",
  ],
  [
    "soft",
    "as, still, ever, currently, today, just, only, yet, already, so, ok, but, be, been, being, about, use, uses, last, past, latest, recent, own, owns, operate, operates, run, runs, running, work, any, some, fmcsa, going, good, much, many, long, total, date, year, years, month, months, this year, next, number, numbers, no, carrier, company, firm, mc_number, motor, freight, registration year, really, actually, city, state, zip, when, history, available, commercial, operating, does it, registered as, subject to, estimated, lst, teh, ther, percent, percentages, rate, rates, type, s",
  ],
  [
    "no:insurance",
    "insurance, insured, uninsured, insurer, insurance policy, cargo|liability insurance|coverage, bipd, coi, certificate of insurance, surety, surety bond, bonded, bmc, mcs90, underwriter",
  ],
  [
    "no:crashes",
    "crash, crashes, accident, accidents, wreck, wrecks, fatality, fatalities, crash|accident history|record|rate|data|indicator, recordable crashes, fatal crash|accident|crashes|accidents",
  ],
  [
    "no:trust",
    "trust, trusted, trustworthy, legit, legitimate, scam, scammer, fraud, fraudulent, fake, reliable, reputable, reputation, recommend, good|bad|safe|decent carrier|company|broker, safe to use|hire|book, safe, safer, good to work for, double broker|brokered|brokering, a double broker, chameleon, complaint, complaints, reviews, should i|we book|use|hire|work|haul, can i|we book|use|hire, shady, sketchy, is it good",
  ],
  [
    "no:load_rates",
    "rate|rates per mile, per mile, going rate|rates, spot rate|rates, load rate|rates, freight rate|rates, lane rate|rates, load board, loads, rpm, cents per mile, pay drivers",
  ],
  [
    "no:legal",
    "sue, lawsuit, liable, lawyer, attorney, legal, illegal, legal advice, exempt, exemption, do i|we need a|an|my|form|to, required to, do i|we have to, allowed to, court, fine for, fines for",
  ],
  [
    "no:licensing",
    "granted, granted authority, grant, revoked, revocation, revocations, authority history|date|granted|age|revoked|grant, operating authority grant date, grant date, reinstated, reinstatement, pending application",
  ],
  [
    "no:scores",
    "csa, csa score|scores, sms, sms score|scores|percentile|percentiles, basic score|scores|percentile|percentiles, basics, percentile, percentiles, safety score|scores, risk score",
  ],
  [
    "no:contact",
    "call, phone, phone number, telephone, email, email address, contact, contacts, contact info|information|person, street|mailing|physical address, address, who owns, owner, owner of, owned by, ceo, officers, website, fax, hiring",
  ],
  [
    "no:other_filings",
    "ifta, irp, form2290, hvut, heavy use tax, boc3, process agent, kyu, scac, twic, fuel tax, apportioned",
  ],
  [
    "no:drivers",
    "cdl, drivers license, driver license, clearinghouse, drug test|tests|testing, drug and alcohol, mvr, hours of service, hos, eld, elog, logbook, psp, dqf, driver qualification file|files, medical card, how many hours",
  ],
  [
    "no:oos_order",
    "oos order|orders, out of service, out of service order|orders, an out of service order, placed|put out of service, shutdown order, imminent hazard",
  ],
  [
    "no:cargo",
    "haul, hauls, haul for, hazmat, hazmat certified, hazardous materials, cargo, cargo carried, commodity, commodities, reefer, flatbed, tanker, equipment type|types, dry van, household goods, kind of freight, what trailers",
  ],
  [
    "no:history",
    "how long has|have, in business, been in business, years in business, previous|former|past name|names|owner, ownership, founded, established, name change|changes, new entrant, first registered, how old",
  ],
  [
    "no:credit",
    "credit, credit score|rating|check, days to pay, pay on time, pays on time, slow pay, factoring, pay terms, payment history|terms, unpaid",
  ],
  [
    "no:explanations",
    "mean, means, meaning, definition, define, explain, what is a|an, whats a|an, who must|needs|pays, who has to, what is the national average, registration open, registration opens, what is ucr",
  ],
];

/** Words that end company names; with one of them a text is taken for a name. */
export const FIRM_WORD =
  /^(?:llc|inc|incorporated|corp|corporation|ltd|limited|lp|llp|trucking|transport|transports|transportation|logistics|express|hauling|freightways|freight|lines|carriers|enterprises|cartage|services|brothers|bros|sons|construction|farms|moving|towing|delivery|leasing)$/;
