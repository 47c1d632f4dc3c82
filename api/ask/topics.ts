/**
 * What can be asked about a carrier, a row each: the words that ask for it and the text that answers. Text that
 * carriers filed is quoted; an unknown is never called clean or bad.
 *
 * @module
 */

import type { z } from "zod";
import { inert, listed, plural, quoted } from "../../pipeline/text.ts";
import type { Match } from "../operations/match.ts";
import type { SearchResult } from "../operations/search.ts";
import { formatForPeople as day } from "../rules/calendar.ts";
import type { Carrier, Check, CheckId, InspectionRate } from "../rules/schemas.ts";
import { placeOf } from "../rules/verdict.ts";

type Text = (carrier: Carrier) => string;

/** What a question takes for true, and the states of the check in which it is; `ok` and `bad` have an answer. */
interface Guess {
  said: string;
  yes: readonly Check["state"][];
  words: string;
}

interface TopicRow {
  name: string;
  /** Phrases that ask for it, as `vocabulary.ts` has them. */
  words?: string;
  guesses?: Readonly<Record<string, Guess>>;
  /** The check that answers it. */
  check?: CheckId;
  /** What is known; without it the detail of the check, else the brief as the census has it. */
  text?: Text;
  /** A few words to set beside those of another carrier; without it the text. */
  brief?: Text;
  /** The same in Spanish; only topics with a text are answered in Spanish. */
  es?: { words: string; text?: Text };
}

const TABLE = {
  match: { name: "Name match", text: () => "" },
  usdot: {
    name: "USDOT number",
    words: "dot number|no, usdot number, us dot number, what|which dot",
    text: ({ dot }) => `The USDOT number is ${dot}.`,
  },
  overview: {
    name: "The six checks",
    words:
      `check, compliance, compliance snapshot, full report, report, profile, issue, problem, information, info,
      details, everything, all available information, vet, vetting, verify, lookup, tell me about, who, chk, do you
      know, red flag`,
    text: (carrier) =>
      `USDOT number ${carrier.status}, ${locationOf(carrier)}, ${
        fleetOf(carrier)
      } in the FMCSA census of ${day(carrier.snapshot.data_date)}. Checks: ${checksOf(carrier)}.`,
    es: {
      words:
        `buscar, busca, busque, informacion, datos, dime sobre, quien es, verificar, verifica, revisar, revisa,
        consulta, consultar`,
      text: (carrier) =>
        `${enCenso(carrier)}, el número USDOT está ${estado(carrier)}; calificación de seguridad: ${
          CALIFICACION[carrier.safety_rating]
        }. ${carrier.issues} de las seis comprobaciones requieren atención.`,
    },
  },
  status: {
    name: "USDOT status",
    words: "status, usdot|dot|registration|current|mc status, current usdot registration status",
    guesses: {
      active: {
        said: "USDOT number active",
        yes: ["ok"],
        words: "active, activated, good standing, still operating|good, operational",
      },
      inactive: {
        said: "USDOT number inactive",
        yes: ["bad"],
        words:
          "inactive, not active, not currently active, deactivated, no longer active, shut down, out of business",
      },
    },
    check: "usdot_status",
    brief: (carrier) =>
      checkOf(carrier, "usdot_status").state === "warn" ? "pending" : carrier.status,
    es: {
      words: "estado, estatus, activo|activa, vigente, inactivo|inactiva, no esta activo|activa",
      text: (carrier) => `${enCenso(carrier)}, el número USDOT está ${estado(carrier)}.`,
    },
  },
  mcs150: {
    name: "MCS-150 filing",
    words: `mcs150, msc150, mcs, mcs150 form|filing|update|status|date, biennial|biannual,
      biennial|biannual update|filing|report, last file|filed|filing, filing date, mcs150 filing date`,
    guesses: {
      overdue: {
        said: "MCS-150 overdue",
        yes: ["bad"],
        words:
          "overdue, over|past due, outdated, out of date, delinquent, lapsed, missed, late, behind",
      },
      filed: { said: "MCS-150 filed on time", yes: ["ok"], words: "up to date, current, on time" },
    },
    check: "mcs150",
    brief: filingOf,
    es: { words: "mcs150, bienal, actualizacion, al dia", text: vence },
  },
  due: {
    name: "MCS-150 due date",
    words:
      `due, due date, duedate, deadline, when do|does|must|should i|we|they|it need|have|has to, odd or even,
      even or odd, what|which year|month, how long until, how many days until, expire, expired, expiration,
      next biennial|biannual update, next mcs150`,
    check: "mcs150",
    text: (carrier) =>
      `The MCS-150 date is ${day(carrier.mcs150.next_due)}. ${detailOf(carrier, "mcs150")}`,
    brief: filingOf,
    es: {
      words:
        "vence, vencimiento, fecha limite, proxima actualizacion, plazo, cuando tengo que, cuando debo",
      text: vence,
    },
  },
  authority: {
    name: "Operating authority",
    words: `authority|authorities, authority|docket status, authority to run,
      allowed|licensed to run|operate|haul for hire`,
    guesses: {
      active: {
        said: "Operating authority active",
        yes: ["ok"],
        words:
          "active authority, authority active, authority still active, authorized|authorised, for hire",
      },
    },
    check: "operating_authority",
    brief: docketsOf,
  },
  kind: {
    name: "Broker or carrier",
    words:
      `entity type, type of entity, broker|brokerage or a carrier, a broker or a carrier, broker or carrier,
      carrier or broker|brokerage, a carrier or a broker, motor carrier broker or freight forwarder, brokering`,
    check: "operating_authority",
    text: (carrier) =>
      `Operation filed: ${operationOf(carrier)}. ${detailOf(carrier, "operating_authority")}`,
    brief: operationOf,
  },
  dockets: {
    name: "Docket numbers",
    words: "all docket numbers, dockets, mc number|no, docket|mx|ff number",
    text: (carrier) =>
      inCensus(carrier, docketsOf(carrier)) + " A docket's status is not operating authority.",
    brief: docketsOf,
  },
  rating: {
    name: "Safety rating",
    words: "rating, safety rating|fitness, compliance review",
    guesses: {
      rated: { said: "Rated", yes: ["ok", "bad"], words: "rated, unrated" },
      conditional: {
        said: "Rated Conditional",
        yes: [],
        words: "conditional, conditionally rated, rated conditional",
      },
      satisfactory: {
        said: "Rated Satisfactory",
        yes: ["ok"],
        words: "satisfactory, satisfactorily rated, rated satisfactory|sat",
      },
      unsatisfactory: {
        said: "Rated Unsatisfactory",
        yes: ["bad"],
        words: "unsatisfactory, unsat, rated unsatisfactory|unsat, unfit",
      },
    },
    check: "safety_rating",
    brief: ({ safety_rating }) => safety_rating,
    es: {
      words:
        "calificacion|clasificacion, calificacion|clasificacion de seguridad, calificacion satisfactoria",
      text: (carrier) =>
        `${enCenso(carrier)}, la calificación de seguridad es ${
          CALIFICACION[carrier.safety_rating]
        }.`,
    },
  },
  oos: {
    name: "Out-of-service rates",
    words:
      `oos, oos percentage|stats, out of service rate|percentage|percent|stats, national average,
      driver|vehicle|hazmat oos, driver|vehicle|hazmat out of service, driver|vehicle|hazmat oos percentage,
      driver|vehicle|hazmat out of service percentage,
      trucks|vehicles|drivers get|are|were put|placed out of service`,
    guesses: {
      above: {
        said: "Above the national average",
        yes: ["bad"],
        words:
          "above|below average, above the average, above the national average, compare with|to the national average",
      },
    },
    check: "oos_rates",
    brief: ({ inspections_24m: seen }) =>
      seen === null ? UNSEEN : `vehicle ${rate(seen.vehicle)}, driver ${rate(seen.driver)}`,
  },
  inspections: {
    name: "Inspections",
    words:
      "inspection, inspected, roadside, roadside inspection, date of last inspection, inspection summary|record|results",
    check: "oos_rates",
    text: inspected,
    brief: ({ inspections_24m: seen }) => seen === null ? UNSEEN : `${seen.total} in 24 months`,
  },
  violations: {
    name: "Violations",
    words: "violation, citation",
    check: "oos_rates",
    text: inspected,
    brief: ({ inspections_24m: seen }) =>
      seen === null ? UNSEEN : `${seen.violations} in 24 months`,
  },
  ucr: {
    name: "UCR fee",
    words: "ucr, unified carrier registration, ucr tier, bracket",
    check: "ucr",
    brief: fleetOf,
    es: { words: "ucr" },
  },
  fleet: {
    name: "Power units and drivers",
    words: `how many trucks|tractors|vehicles|units|drivers|rigs|power, how many power units,
      number of trucks|tractors|vehicles|units|drivers, more|fewer trucks|tractors|vehicles|units|drivers, fleet,
      fleet size, size of the|their fleet, how big|large, bigger, larger, smaller, truck|driver count,
      drivers|trucks and trucks|drivers|power units, power units, power units and drivers, report its trucks,
      what|which trucks|drivers`,
    brief: fleetOf,
  },
  location: {
    name: "Location",
    words:
      `based, located, location, headquartered, headquarters, hq, domiciled, what|which state|city,
      where is|are|does|from, home base, principal place of business, run out of`,
    brief: locationOf,
  },
  operation: {
    name: "Interstate or intrastate operation",
    words:
      `interstate, intrastate, carrier operation, type of operation, operation type, cross|across state lines,
      run across state lines`,
    brief: operationOf,
  },
} as const satisfies Record<string, TopicRow>;

/** What can be asked about one carrier. */
export type Topic = keyof typeof TABLE;

/** The row of each topic, in the order of every answer. */
export const TOPICS: Readonly<Record<Topic, TopicRow>> = TABLE;

/** All topics, in that order. */
export const TOPIC_KEYS = Object.keys(TABLE) as Topic[];

const UNSEEN = "no roadside inspections in 24 months";

/** What is known about a topic, after yes or no to what the question guesses. */
export function topicText(carrier: Carrier, topic: Topic, guesses: ReadonlySet<string>): string {
  const { check, text, brief, guesses: known = {} } = TOPICS[topic];
  const state = check === undefined ? "info" : checkOf(carrier, check).state;
  const verdicts = Object.entries(known).flatMap(([guess, { said, yes }]) => {
    const decided = guesses.has(`${topic}=${guess}`) && (state === "ok" || state === "bad");
    return decided ? [`${said}? ${yes.includes(state) ? "Yes" : "No"}.`] : [];
  });
  const fact = text?.(carrier) ??
    (check === undefined ? inCensus(carrier, brief!(carrier)) : detailOf(carrier, check));
  return [...verdicts, fact].join(" ");
}

function checkOf({ checks }: Carrier, id: CheckId): Check {
  return checks.find((check) => check.id === id)!;
}

function detailOf(carrier: Carrier, id: CheckId): string {
  return inert(checkOf(carrier, id).detail, 2000);
}

function inCensus({ snapshot }: Carrier, fact: string): string {
  return `In the FMCSA census of ${day(snapshot.data_date)}: ${fact}.`;
}

function filingOf({ mcs150: { state, last_filed, next_due } }: Carrier): string {
  const filed = last_filed === null ? "no filing date" : `filed ${day(last_filed)}`;
  return `${state}, ${filed}, date ${day(next_due)}`;
}

function docketsOf({ dockets }: Carrier): string {
  const flags: Readonly<Record<string, string>> = { A: "listed active", I: "listed inactive" };
  return dockets.map(({ prefix, number, status }) =>
    `${prefix} ${number} (${flags[status ?? ""] ?? "no status"})`
  ).join(", ") || "no docket listed";
}

function locationOf(carrier: Carrier): string {
  const place = placeOf(carrier);
  return place === "" ? "location not reported" : quoted(place);
}

function operationOf({ operation }: Carrier): string {
  return operation === "Not reported" ? "operation not reported" : operation;
}

function fleetOf(carrier: Carrier): string {
  const [units, drivers] = (["power_units", "drivers"] as const).map((member) => {
    const noun = member.slice(0, -1).replace("_", " ");
    return carrier.not_reported.includes(member)
      ? `${noun}s not reported`
      : plural(carrier[member], noun);
  });
  return `${units} and ${drivers}`;
}

function checksOf({ checks }: Carrier): string {
  const groups = [
    ["review", "bad warn"],
    ["no issue found by", "ok"],
    ["not enough data on", "info"],
  ] as const;
  return groups.flatMap(([said, states]) => {
    const labels = checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
    return labels.length === 0 ? [] : `${said} ${listed(labels)}`;
  }).join("; ");
}

function inspected(carrier: Carrier): string {
  const { inspections_24m: seen } = carrier;
  if (seen === null) return detailOf(carrier, "oos_rates");
  return `FMCSA's inspection file has ${plural(seen.total, "roadside inspection")} with ` +
    `${plural(seen.violations, "violation")} from ${day(seen.from)} to ${
      day(seen.to)
    }, the last inspection on ` +
    `${day(seen.last_inspection)}. Which violations they were is not served here; see SMS.`;
}

function rate({ rate_pct, inspections }: InspectionRate): string {
  return rate_pct === null ? "not inspected" : `${rate_pct.toFixed(1)}% of ${inspections}`;
}

const CALIFICACION: Readonly<Record<Carrier["safety_rating"], string>> = {
  Satisfactory: "satisfactoria (Satisfactory)",
  Conditional: "condicional (Conditional)",
  Unsatisfactory: "insatisfactoria (Unsatisfactory)",
  "Not rated": "ninguna: no ha sido evaluada, lo que no es bueno ni malo",
};

function estado(carrier: Carrier): string {
  const states = { ok: "activo", bad: "inactivo", warn: "pendiente", info: "no indicado" };
  return states[checkOf(carrier, "usdot_status").state];
}

function enCenso({ snapshot }: Carrier): string {
  return `Según el censo de FMCSA del ${day(snapshot.data_date)}`;
}

function vence(carrier: Carrier): string {
  const { last_filed: filed, next_due, state } = carrier.mcs150;
  const passed = state === "overdue" ? ", que ya pasó" : "";
  const last = filed === null
    ? "no consta cuándo se presentó el último"
    : `el último se presentó el ${day(filed)}`;
  return `La fecha del MCS-150 es el ${day(next_due)}${passed}. ${enCenso(carrier)}, ${last}.`;
}

const MATCHED = {
  match: "Match: this is what it filed",
  close: "Close, but not the same as it filed",
  different: "Different from what it filed",
  unknown: "Unknown: not all of it can be compared",
} as const;

/** How a name and a place given compare with what a carrier filed. */
export function matchText({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(({ field, given, filed, result }) => {
    const onFile = filed.map((text) => quoted(text)).join(" / ") || "nothing";
    return `${field} ${quoted(given)}, on file ${onFile} (${result})`;
  });
  return `${MATCHED[result]} for USDOT ${dot}: ${
    each.join("; ")
  }. A match does not prove identity.`;
}

/** A carrier that a search found. */
export type Found = z.infer<typeof SearchResult>;

/** A carrier as an option to choose. */
export function optionOf({ name, city, state, dot, active }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${quoted(name)}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}, ${
    active ? "active" : "not active"
  })`;
}

/** A carrier by its name and number. */
export function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}
