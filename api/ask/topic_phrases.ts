/**
 * What is asked about a carrier, a date or a fee.
 *
 * @module
 */

import type { PhraseTable } from "./marks.ts";

/** Phrases by what they stand for; see marks.ts. */
export const TOPIC_PHRASES: PhraseTable = [
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
    "satisfactory, satisfactorily rated, rated satisfactory, rated sat, sat",
  ],
  [
    "expect:rating=unsatisfactory",
    "unsatisfactory, unsat, rated unsatisfactory|unsat, unfit",
  ],
  [
    "topic:oos",
    "oos, out of service rate|rates|percentage|percent|numbers|stats|ratio, oos rate|rates|percentage|percent, for out of service, driver|drivers|vehicle|vehicles|hazmat oos, driver|drivers|vehicle|vehicles|hazmat out of service, driver|drivers|vehicle|vehicles|hazmat oos rate|rates|percentage, driver|drivers|vehicle|vehicles|hazmat out of service rate|rates|percentage, inspection, inspections, inspected, roadside inspection|inspections, inspection history|summary|record|records|results, national average|averages",
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
];
