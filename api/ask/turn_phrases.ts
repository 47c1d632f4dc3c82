/**
 * Turns of speech: how a question is put.
 *
 * @module
 */

import type { PhraseTable } from "./marks.ts";

/** Phrases by what they stand for; see marks.ts. */
export const TURN_PHRASES: PhraseTable = [
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
    "carrier, carriers, company, companies, motor carrier|carriers, trucking company|companies|firm|firms, trucking carrier|carriers, truckers, firm, firms, operator, operators, owner operator|operators|op|ops, business, businesses, outfit",
  ],
  [
    "lookup",
    "look up, lookup, pull, pull up, run, check, check out, check on, who is, whos, who has, who are, whose, behind, tell me about, know about, info, information, details, detail, report, full report, profile, snapshot, everything, compliance, compliance check|report, compliant, verify, vet, issue, issues, problem, problems, which|what company|carrier is|has, legal name, dba, dba name, name of, show, show me, holds, hold, belongs to, records|record for",
  ],
  [
    "compare",
    "the same company|carrier|firm|as, the same company|carrier|firm as, same as, match, matches, compare, comparison, compared, versus, vs, difference, differences, better, worse, which one, which is, which has, who has more, who has better|fewer|less|the, newer, bigger, between, side by side",
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
    "a, an, any, table, chart, like, similar, ends, end, ending, the, of, for, to, in, on, at, by, with, from, near, out, or, if, as, still, ever, currently, right, today, just, also, please, yet, already, so, ok, but, be, been, being, not, against, about, use, uses, used, last, latest, recent, one, single, some, own, owns, operate, operates, running, big, commercial, fmcsa, against, newest, going, good, much, many, long, total, percent, rate, rates, date, dates, year, years, this, next, valid, goods, advice, history, types, type, company, s",
  ],
];
