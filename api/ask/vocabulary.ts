/**
 * The phrases that questions are made of, by what they mean: those of the topics, those of what is declined, and
 * parts of speech.
 *
 * In a list of phrases `a|b` is either word, and a singular stands for its plural too. The longest phrase that fits
 * wins. A mark is a topic, a topic with the guess that is asked (`status=active`), `no:` with what is declined, or
 * a part of speech.
 *
 * @module
 */

import { DECLINES } from "./declines.ts";
import { TOPICS } from "./topics.ts";

/** `hard` words open a question or end a name, `soft` words may stand beside one, `join` words connect its parts. */
const SPEECH: Readonly<Record<string, string>> = {
  lookup: `look|pull up, pull, run, run a check, check on|out, retrieve, fetch, carrier lookup,
    which|what company|carrier is|has, name of, include`,
  holds:
    `match|matches, match the name, name match, correspond, same as|company|carrier, the same firm as, belong, hold,
    held, holder, really, confirm, verify that`,
  named: "named, called, name, legal name",
  find: "find, search, searching, look|looking for, list, show, return carriers",
  compare:
    `compare, comparison, comparing, compared, versus, vs, difference, better, worse, than, which one|is|of,
    more than one, compair, same outfit, the same outfit`,
  many:
    "carriers, companies, trucking companies|firms|carriers, truckers, firms, operators, owner operators, businesses",
  all: `all|which carriers|companies, biggest|largest|smallest|best carrier|company|companies|fleet,
    biggest|largest|smallest|best trucking company|companies`,
  count: `how many carriers|companies, how many active carriers|companies, how many motor carriers,
    total number of usdot|dot numbers, number of carriers, how many usdot|dot numbers`,
  data: "data, dataset, database, census, snapshot, your data, the data|census, your database",
  fresh:
    `how current|fresh|recent is, updated, refresh, date of, as of what date, how up to date, data date|source,
    come from, how old`,
  how_to:
    `how|where do i|we, how|where to, how can i|we, where can i, help me, apply for, reactivate, renew,
    can you register|file|send`,
  when: "when, whens, since when, date, what date",
  file: "file, filed, filing, submit, submitted, update, reported",
  consequence:
    `what happens|if, penalty|penalties, consequence, if i|they|we miss|forget, if i dont|not, if i do not,
    fail|failing|failure to, not filing|updating, shut off, miss it, be deactivated for, deactivated for, fine you`,
  fee: "fee, cost, price, how much, owe, charge, dues",
  pay: "pay, pays, paid, paied, payed, paying, payment, paid for",
  registered: "registered, register, registration, registered for ucr, ucr registration",
  broker:
    "broker, freight broker, forwarder, freight forwarder, brokerage, leasing company|companies",
  vehicle: "truck, tractor, vehicles, units, drivers, trailers, semi, rig",
  dot: "dot, usdot, us dot",
  mc: "mc, docket",
  follow: "what|how about, and what about, same for, also, as well, then, now",
  them:
    `it, its, their, they, them, theirs, he, his, him, that|this|same carrier|company|one, the carrier|company,
    those, these, this`,
  join: "and, or, of, in, the, at, from, near, for, a, an, on, to, with, by, de, la, el, y, out",
  hard:
    `is, are, am, was, were, isnt, arent, wasnt, do, does, did, doesnt, didnt, has, have, had, hasnt, can, could,
    should, would, will, what, whats, what is|are|was, which, whose, where, wheres, why, how, how many, i, im, my, me, we,
    our, us, you, your, u, please, pls, plz, hello, hi, hey, thanks, thank, need, want, know, tell, give, get, gimme,
    return, provide, calculate, compute, determine, whether, if, between, that, say, says, there, not, right,
    does the|a, is the, convert, resolve, given, query, check whether, ask, rate con`,
  soft:
    `as, still, ever, more, fewer, currently, today, just, only, yet, already, so, ok, but, be, been, being, about,
    use, last, past, latest, recent, own, operate, runs, running, work, any, some, fmcsa, going, good, much, many, long,
    total, year, month, this|registration year, next, number, no, carrier, company, firm, mc_number, motor, freight,
    actually, city, state, zip, history, available, commercial, operating, does it, registered as, subject to, estimated,
    lst, teh, ther, percent, percentages, rate, type, s`,
};

/** Parts of speech in Spanish, accents removed. */
const SPANISH_SPEECH: Readonly<Record<string, string>> = {
  fee: "cuanto cuesta|es|cuestan|vale|sale, tarifa, precio, costo, cuota, cuanto pago",
  pay: "pago, pagado, pagar, pague",
  vehicle: "camion|camiones, vehiculo, unidades",
  dot: "dot, usdot",
  mc: "mc",
  follow: "y, y el|la, tambien",
  them: "su, sus, ellos, esa, ese",
  join: "de, del, la, el, los, las, en, para, o, a, con, sobre, por, un, una",
  hard:
    `que, cual, cuando, cuanto|cuantos, cuanta|cuantas, donde, quien, como, es, esta, tiene, tengo, necesito, saber,
    si, puedo, puede, debo, dime, hola, ayuda, gracias, favor, por favor, mi, no, ya, pasa, hacer, me, se, decir`,
  soft: "numero, empresa, compania, transportista, sigue, actualizar, presentar, presento",
  "no:spanish":
    `seguro, aseguranza, cuantos camiones|choferes|conductores, inspecciones, confiar, es confiable,
    confiable, telefono, correo, direccion, donde esta, accidentes, choques, compara, comparar, violaciones, que pasa si,
    autoridad, conductor|conductores, chofer|choferes, fuera de servicio`,
};

/** A phrase: the choices for each of its words. */
export interface Phrase {
  mark: string;
  words: string[][];
}

/** The phrases of each language by first word. */
export const PHRASES = {
  en: index([
    ...Object.entries(TOPICS).flatMap(([topic, { words = "", guesses = {} }]) => [
      [topic, words] as const,
      ...Object.entries(guesses).map(([guess, { words }]) => [`${topic}=${guess}`, words] as const),
    ]),
    ...Object.entries(SPEECH),
    ...Object.entries(DECLINES).map((entry) => {
      const [topic, { words = "" }] = entry as [string, { words?: string }];
      return [`no:${topic}`, words] as const;
    }),
  ]),
  es: index([
    ...Object.entries(TOPICS).map(([topic, { es }]) => [topic, es?.words ?? ""] as const),
    ...Object.entries(SPANISH_SPEECH),
  ]),
};

function index(table: readonly (readonly [mark: string, phrases: string])[]) {
  const byWord = new Map<string, Phrase[]>();
  for (const [mark, phrases] of table) {
    for (const phrase of phrases.split(/,\s+/).filter((one) => one !== "")) {
      const words = phrase.split(/\s+/).map((word) => word.split("|"));
      for (const first of words[0]!) {
        byWord.set(first, [...byWord.get(first) ?? [], { mark, words }]);
      }
    }
  }
  return byWord as ReadonlyMap<string, readonly Phrase[]>;
}

/** Topic words that are recognized with one slip. */
export const REPAIRED: readonly string[] =
  ("status active inactive authority authorized rating satisfactory conditional " +
    "unsatisfactory inspection inspections violations overdue biennial deadline located interstate " +
    "intrastate compare search safety fleet number where lookup check").split(" ");

/** Words that only a question in Spanish has. */
export const SPANISH_WORD =
  /(?<![a-z])(?:esta|activ[oa]|inactiv[oa]|vence|cuando|cuant[oa]s?|cuesta|camion|camiones|vehiculos|calificacion|clasificacion|seguridad|empresa|compania|transportista|buscar?|informacion|quien|dime|seguro|tiene|hola|ayuda|gracias|cual|numero|tarifa|precio|donde|pued[oe]s?|telefono|accidentes|compara|pago|presento|necesito|que|estado|datos|fecha|para|el)(?![a-z])/;

/** Words that only a question in English has. */
export const ENGLISH_WORD =
  /(?<![a-z])(?:is|are|was|what|when|where|who|how|does|did|has|the|for|of|my|and|active|rating|check|compare|find|in|with)(?![a-z])/;

/** Words of company names; a text with one of them is taken for a name. */
export const FIRM_WORD =
  /^(?:llc|inc|incorporated|corp|corporation|ltd|limited|lp|llp|trucking|transports?|transportation|logistics|express|hauling|freight|lines|carriers|enterprises|cartage|services|brothers|bros|sons|construction|farms|moving|towing|delivery)$/;
