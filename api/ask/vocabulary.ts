/**
 * The words and phrases that questions are made of, by what they mean, and what is not answered.
 *
 * @module
 */

import * as official from "../rules/official_sources.ts";

/**
 * Phrases by mark, a line `mark: phrase, phrase`; `a|b` is either word, and the longest phrase that fits
 * wins. A mark is a topic, a topic with the guess that is asked (`status=active`), `no:` with what is
 * declined, or a part of speech: `hard` words open a question or end a name, `soft` words may stand
 * beside one, `join` words connect the parts of a name or a list.
 */
export const ENGLISH = `
status: status, usdot|dot|carrier|registration|operating|current|mc status, usdot registration status
status: current usdot registration status
status=active: active, activated, in good standing, good standing, still operating, operational
status=inactive: inactive, not active, not currently active, deactivated, no longer active, shut down
status=inactive: out of business
authority: authority, authorities, operating authority, authority status, mc|docket status
authority: authority to run, allowed|licensed to run|operate|haul for hire
authority=active: active authority, authorized, authorised, for hire, authorized|authorised for hire
kind: entity type, type of entity, broker or a carrier, a broker or a carrier, broker or carrier
kind: carrier or broker, a carrier or a broker, motor carrier broker or freight forwarder
kind: a motor carrier broker or freight forwarder
dockets: docket numbers, all docket numbers, dockets, mc number, an mc number, mc numbers, mc no
dockets: docket number, an mx|ff number, mx|ff number
usdot: dot number, usdot number, dot numbers, usdot numbers, dot no, us dot number, what dot, which dot
rating: rating, ratings, safety rating|ratings|fitness, safety fitness rating, fmcsa rating
rating: compliance review
rating=rated: rated, unrated, been rated, ever been rated, last rated
rating=conditional: conditional, conditionally rated, rated conditional
rating=satisfactory: satisfactory, satisfactorily rated, rated satisfactory, rated sat
rating=unsatisfactory: unsatisfactory, unsat, rated unsatisfactory|unsat, unfit
oos: oos, oos rate|rates|percentage|percentages|percent|stats
oos: out of service rate|rates|percentage|percentages|percent|stats
oos: driver|drivers|vehicle|vehicles|hazmat oos, driver|drivers|vehicle|vehicles|hazmat out of service
oos: driver|drivers|vehicle|vehicles|hazmat oos rate|rates|percentage
oos: driver|drivers|vehicle|vehicles|hazmat out of service rate|rates|percentage, national average|averages
oos: trucks|vehicles|drivers get|are|were put|placed out of service
oos=above: above average, above the national average, above the average, below average
oos=above: compare|compares with|to the national average
inspections: inspection, inspections, inspected, get|been|last inspected, roadside inspection|inspections
inspections: last|latest inspection, date of last inspection
inspections: inspection history|summary|record|records|results
violations: violation, violations, citation, citations, violation history
mcs150: mcs150, msc150, mcs, mcs150 form|filing|update|status|date, biennial, biannual
mcs150: biennial|biannual update|filing|report, last file|filed|filing, filing date, mcs150 filing date
due: due, due date|dates, duedate, deadline, next due
due: when do|does|must|should i|we|they|it need|have|has to, odd or even, even or odd, odd or even years
due: what|which year, how long until, how many days until, expire, expires, expired, expiration, what|which month
due: next biennial|biannual update, next mcs150
mcs150=overdue: overdue, over due, past due, outdated, out of date, delinquent, lapsed, missed, late, behind
mcs150=filed: up to date, current, on time
ucr: ucr, ucrs, unified carrier registration, ucr bracket|brackets|tier, bracket, brackets
fleet: how many trucks|tractors|vehicles|units|drivers|rigs|power, how many power units
fleet: number of trucks|tractors|vehicles|units|drivers, number of drivers and power units
fleet: number of power units, fleet size, size of the|their fleet, more|fewer trucks|tractors|vehicles|units|drivers, how big, how large, bigger, larger
fleet: smaller, truck|driver count, drivers and trucks, trucks and drivers, power units
fleet: power units and drivers, drivers and power units, fleet, report its trucks
location: based, located, location, headquartered, headquarters, headquarters city, hq, domiciled
location: what|which state, what|which city, where is|are|does, where from, home base
location: principal place of business, run out of
operation: interstate, intrastate, intrastate only, interstate or intrastate, intrastate or interstate
operation: carrier operation, type of operation, operation type, cross|across state lines
operation: run across state lines
overview: check, checks, compliance, compliance check|checks|report|snapshot, full report, report, profile
overview: issue, issues, problem, problems, information, info, details, everything
overview: all available information, vet, vetting, verify, lookup, tell me about, who, who is|are, chk, do you know
lookup: look up, pull, pull up, run, run a check, check on, check out, retrieve, fetch, carrier lookup
lookup: which|what company|carrier is|has, name of, include
holds: match, matches, match the name, name match, correspond, corresponds, same as
holds: the same company|carrier|firm as, same company|carrier, the same carrier, belong, belongs, belong to
holds: belongs to, hold, holds, holder, the holder, really, confirm, verify that, does the name match
named: named, called, with the name, by the name of, name, the name, legal name, by name, carrier name
find: find, finds, find me, search, searching, search for|by, look for, looking for, list, show, show me
compare: compare, comparison, comparing, compared, versus, vs, difference, differences, difference between
compare: better, worse, than, which one, which is, which of, more than one, compair
many: carriers, companies, motor carriers, trucking companies|firms|carriers, truckers, firms, operators
many: owner operators, businesses
all: all carriers|companies, which carriers|companies
all: biggest|largest|smallest|best carrier|carriers|company|companies|fleet|fleets
all: biggest|largest|smallest|best trucking company|companies
count: how many carriers|companies, how many active carriers|companies, how many motor carriers
count: total number of usdot|dot numbers, number of carriers, how many usdot|dot numbers
data: data, dataset, database, census, snapshot, your data, the data, your database, the census
fresh: how current|fresh|recent|old is, last updated, updated, date of, how up to date, data date
fresh: data source|sources, come from, how old
how_to: how do i|we, how to, how can i|we, where do i|we, where can i, where to, help me, apply for
how_to: reactivate, renew, can you register|file|send
when: when, when was|were|is|did|does, whens, what date, since when, date
file: file, filed, files, filing, submit, submitted, update, updates, reported
consequence: what happens, what if, penalty, penalties, consequence, consequences
consequence: if i miss|dont|do not|forget, if they miss, if we miss, fail to, failing to, failure to
consequence: not filing, not updating, shut off, miss it, be deactivated for, deactivated for
fee: fee, fees, cost, costs, price, how much, owe, owes, charge, dues
pay: pay, pays, paid, paied, payed, paying, payment, paid for
registered: registered, register, registration, registered for ucr, ucr registration
broker: broker, a broker, freight broker|forwarder, a freight broker|forwarder, forwarder, brokerage
broker: leasing company|companies, brokers, freight brokers|forwarders, forwarders
vehicle: truck, trucks, tractor, tractors, vehicles, units, drivers, trailers, semi, rig
dot: dot, usdot, us dot, usdots, dots
mc: mc, docket
follow: what about, how about, and what about, same for, also, as well, then, now
them: it, its, their, they, them, theirs, he, his, him, that carrier|company|one, this carrier|company|one
them: the carrier|company, same one, those, these, this
join: and, or, of, in, the, at, from, near, for, a, an, on, to, with, by, de, la, el, y, out
hard: is, are, am, was, were, isnt, arent, wasnt, do, does, did, doesnt, didnt, has, have, had, hasnt, can
hard: could, should, would, will, what, whats, what is|are|was, which, whose, where, wheres, why, how
hard: how many, i, im, my, me, we, our, us, you, your, u, please, pls, plz, hello, hi, hey, thanks, thank
hard: need, want, know, tell, give, get, gimme, return, provide, calculate, compute, determine, whether, if, between
hard: that, say, says, there, not, right, does the, is the, does a, convert, resolve, given, query
hard: check whether, ask, do you know, rate con
soft: as, still, ever, more, fewer, currently, today, just, only, yet, already, so, ok, but, be, been, being, about, use
soft: uses, last, past, latest, recent, own, owns, operate, operates, run, runs, running, work, any, some
soft: fmcsa, going, good, much, many, long, total, date, year, years, month, months, this year, next
soft: number, numbers, no, carrier, company, firm, mc_number, motor, freight, registration year, really
soft: actually, city, state, zip, when, history, available, commercial, operating, does it, registered as
soft: subject to, estimated, lst, teh, ther, percent, percentages, rate, rates, type, s
no:insurance: insurance, insured, insures, uninsured, insurer, insurance policy, cargo|liability insurance|coverage
no:insurance: bipd, coi, certificate of insurance, surety, surety bond, bond, bonded, bmc, mcs90, underwriter
no:crashes: crash, crashes, crashed, accident, accidents, wreck, wrecks, fatality, fatalities
no:crashes: crash|accident history|record|rate|data|indicator, recordable crashes
no:crashes: fatal crash|accident|crashes|accidents
no:trust: trust, trusted, trustworthy, legit, legitimate, scam, scammer, fraud, fraudulent, fake, reliable
no:trust: reputable, reputation, recommend, good|bad|safe|decent carrier|company|broker
no:trust: safe to use|hire|book, safe, safer, good to work for, double broker|brokered|brokering
no:trust: a double broker, chameleon, complaint, complaints, reviews, should i|we book|use|hire|work|haul
no:trust: can i|we book|use|hire, shady, sketchy, is it good
no:load_rates: rate|rates per mile, per mile, going rate|rates, spot rate|rates, load rate|rates
no:load_rates: freight rate|rates, lane rate|rates, load board, loads, rpm, cents per mile, pay drivers
no:legal: sue, sued, lawsuit, liable, lawyer, attorney, legal, legally, illegal, legal advice, exempt, exemption
no:legal: do i|we need a|an|my|form|to, required to, do i|we have to, allowed to, court, fine for
no:legal: fines for
no:licensing: granted, granted authority, grant, revoked, revocation, revocations
no:licensing: authority history|date|granted|age|revoked|grant, operating authority grant date, grant date
no:licensing: reinstated, reinstatement, pending application
no:scores: csa, csa score|scores, sms, sms score|scores|percentile|percentiles
no:scores: basic score|scores|percentile|percentiles, basics, percentile, percentiles, safety score|scores
no:scores: risk score, driving score, score, scores
no:contact: call, phone, phone number, telephone, email, email address, contact, contacts
no:contact: contact info|information|person, street|mailing|physical address, address, who owns, owner
no:contact: owner of, owned by, who is behind, ceo, officers, website, fax, hiring
no:other_filings: ifta, irp, form2290, hvut, heavy use tax, boc3, process agent, kyu, scac, twic, fuel tax
no:other_filings: apportioned
no:drivers: cdl, drivers license, driver license, clearinghouse, drug test|tests|testing, drug and alcohol
no:drivers: mvr, hours of service, hos, eld, elog, logbook, psp, dqf, driver qualification file|files
no:drivers: medical card, how many hours
no:oos_order: oos order|orders, out of service, out of service order|orders, an out of service order
no:oos_order: placed|put out of service, shutdown order, imminent hazard
no:cargo: haul, hauls, haul for, hazmat, hazmat certified, hazardous materials, cargo, cargo carried
no:cargo: commodity, commodities, reefer, flatbed, tanker, equipment type|types, dry van, household goods
no:cargo: kind of freight, what trailers
no:history: how long has|have, in business, been in business, years in business
no:history: previous|former|past name|names|owner, ownership, founded, created, established, name change|changes
no:history: changed its|their name, new entrant, first registered, how old
no:credit: credit, credit score|rating|check, days to pay, pay on time, pays on time, slow pay, factoring
no:credit: pay terms, payment history|terms, unpaid
no:explanations: mean, means, meaning, definition, define, explain, what is a|an, whats a|an
no:explanations: who must|needs|pays, who has to, what is the national average, registration open
no:explanations: registration opens, what is ucr, ucr due, ucr is due, ucr deadline`;

/** The phrases of a question in Spanish, accents removed. */
export const SPANISH = `
status: estado, estatus
status=active: activo, activa, vigente, sigue activo|activa, esta activo|activa
status=inactive: inactivo, inactiva, no esta activo|activa
due: vence, vencimiento, fecha limite, proxima actualizacion, plazo, cuando tengo que, cuando debo
mcs150: mcs150, actualizacion bienal, bienal, actualizacion
rating: calificacion, calificacion|clasificacion de seguridad, clasificacion, calificacion satisfactoria
overview: buscar, busca, busque, informacion, informacion sobre|de, datos, datos de, dime sobre, quien es
overview: verificar, verifica, revisar, revisa, consulta, consultar
ucr: ucr
fee: cuanto cuesta|es|cuestan|vale, tarifa, precio, costo, cuota
pay: pago, pagado, pagar, pague
vehicle: camion, camiones, vehiculos, vehiculo, unidades
dot: dot, usdot
mc: mc
follow: y, y el|la, tambien
them: su, sus, ellos, esa, ese
join: de, del, la, el, los, las, en, para, y, o, a, con, sobre, por, un, una
hard: que, cual, cuando, cuanto, cuantos, cuantas, donde, quien, como, es, esta, tiene, tengo, necesito
hard: saber, si, puedo, puede, puedes, debo, dime, hola, ayuda, gracias, favor, por favor, mi, no, ya, pasa
hard: hacer
soft: numero, empresa, compania, transportista, tarifa, sigue, actualizar, presentar, presento
no:spanish: seguro, aseguranza, cuantos camiones, cuantas inspecciones, inspecciones, confiar, confiable
no:spanish: telefono, correo, direccion, donde esta, accidentes, choques, compara, comparar, violaciones
no:spanish: que pasa si, autoridad, conductores, conductor, fuera de servicio`;

/** Words that only a question in Spanish has. */
export const SPANISH_WORD =
  /(?<![a-z])(?:esta|activ[oa]|inactiv[oa]|vence|cuando|cuant[oa]s?|cuesta|camion|camiones|vehiculos|calificacion|clasificacion|seguridad|empresa|compania|transportista|buscar?|informacion|quien|dime|seguro|tiene|hola|ayuda|gracias|cual|numero|tarifa|precio|donde|pued[oe]s?|telefono|accidentes|compara|pago|presento|necesito|que|estado|datos|fecha|para|el)(?![a-z])/;

/** Words that only a question in English has. */
export const ENGLISH_WORD =
  /(?<![a-z])(?:is|are|was|what|when|where|who|how|does|did|has|the|for|of|my|and|active|rating|check|compare|find|in|with)(?![a-z])/;

/** Words of company names; a text with one of them is taken for a name. */
export const FIRM_WORD =
  /^(?:llc|inc|incorporated|corp|corporation|ltd|limited|lp|llp|trucking|transports?|transportation|logistics|express|hauling|freight|lines|carriers|enterprises|cartage|services|brothers|bros|sons|construction|farms|moving|towing|delivery)$/;

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
  contact: {
    name: "addresses, owners and contact details",
    text:
      "Street addresses, owners and contact details are not served here. SAFER shows some of them",
    where: [official.SAFER],
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
  cargo: {
    name: "cargo and equipment",
    text: "Cargo and equipment are not served here. SAFER shows what the carrier says it hauls",
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
