/**
 * Spanish: the phrases of the five intents that are answered, and the answers.
 *
 * @module
 */

import { formatForPeople } from "../rules/calendar.ts";
import type { Carrier, UcrFee } from "../rules/schemas.ts";
import type { PhraseTable, Topic } from "./vocabulary.ts";

/** The topics that are answered in Spanish, beside the UCR fee of a fleet. */
export const SPANISH_TOPICS: readonly Topic[] = ["overview", "status", "due", "rating"];

/** The phrases of a question in Spanish, accents removed. */
export const SPANISH: PhraseTable = [
  ["status", "estado, estatus"],
  ["status=active", "activo, activa, vigente, sigue activo|activa, esta activo|activa"],
  ["status=inactive", "inactivo, inactiva, no esta activo|activa"],
  [
    "due",
    "vence, vencimiento, fecha limite, proxima actualizacion, plazo, cuando tengo que, cuando debo",
  ],
  ["mcs150", "mcs150, actualizacion bienal, bienal, actualizacion"],
  [
    "rating",
    "calificacion, calificacion|clasificacion de seguridad, clasificacion, calificacion satisfactoria",
  ],
  [
    "overview",
    "buscar, busca, busque, informacion, informacion sobre|de, datos, datos de, dime sobre, quien es, verificar, verifica, revisar, revisa, consulta, consultar",
  ],
  ["ucr", "ucr"],
  ["fee", "cuanto cuesta|es|cuestan|vale, tarifa, precio, costo, cuota"],
  ["pay", "pago, pagado, pagar, pague"],
  ["vehicle", "camion, camiones, vehiculos, vehiculo, unidades"],
  ["dot", "dot, usdot"],
  ["mc", "mc"],
  ["follow", "y, y el|la, tambien"],
  ["them", "su, sus, ellos, esa, ese"],
  ["join", "de, del, la, el, los, las, en, para, y, o, a, con, sobre, por, un, una"],
  [
    "hard",
    "que, cual, cuando, cuanto, cuantos, cuantas, donde, quien, como, es, esta, tiene, tengo, necesito, saber, si, puedo, puede, puedes, debo, dime, hola, ayuda, gracias, favor, por favor, mi, no, ya, pasa, hacer",
  ],
  [
    "soft",
    "numero, empresa, compania, transportista, tarifa, sigue, actualizar, presentar, presento",
  ],
  [
    "no:spanish",
    "seguro, aseguranza, cuantos camiones, cuantas inspecciones, inspecciones, confiar, confiable, telefono, correo, direccion, donde esta, accidentes, choques, compara, comparar, violaciones, que pasa si, autoridad, conductores, conductor, fuera de servicio",
  ],
];

/** Words that only a question in Spanish has. */
export const SPANISH_WORD =
  /(?:^|[^a-z])(?:esta|activo|activa|inactivo|vence|cuando|cuanto|cuesta|cuantos|cuantas|camion|camiones|vehiculos|calificacion|clasificacion|seguridad|empresa|compania|transportista|buscar|busca|informacion|quien|dime|seguro|tiene|hola|ayuda|gracias|cual|numero|tarifa|precio|donde|puedo|puedes|telefono|accidentes|compara|pago|presento|necesito|que|estado|datos|fecha|para|el)(?=$|[^a-z])/i;

/** Words that only a question in English has. */
export const ENGLISH_WORD =
  /(?:^|[^a-z])(?:is|are|was|what|when|where|who|how|does|did|has|the|for|of|my|and|active|rating|check|compare|find|in|with)(?=$|[^a-z])/i;

/** What is said when a question in Spanish cannot be answered. */
export const SPANISH_DECLINE =
  "Lo siento: en español solo respondo si un número USDOT está activo, cuándo vence el MCS-150, la " +
  "calificación de seguridad, la tarifa UCR de una flota y los datos básicos de una empresa. Para lo " +
  "demás, pregunte en inglés";

/** What is asked back in Spanish. */
export const SPANISH_ASKS: Readonly<Record<string, string>> = {
  carrier: "¿De qué empresa se trata? Dé el número USDOT, el número MC o el nombre.",
  name: "¿Cuál de estas empresas es?",
  vehicles: "¿Cuántos vehículos comerciales tiene la flota, sin contar remolques?",
  question: `${SPANISH_DECLINE}. Por ejemplo: «¿Está activo el DOT 286764?»`,
};

const STATUS = { ok: "activo", bad: "inactivo", warn: "pendiente", info: "no indicado" } as const;
const RATINGS: Readonly<Record<Carrier["safety_rating"], string>> = {
  Satisfactory: "satisfactoria (Satisfactory)",
  Conditional: "condicional (Conditional)",
  Unsatisfactory: "insatisfactoria (Unsatisfactory)",
  "Not rated": "ninguna: no ha sido evaluada, lo que no es bueno ni malo",
};

/** One sentence on a topic of {@link SPANISH_TOPICS}. */
export function inSpanish(carrier: Carrier, topic: Topic): string {
  const census = `Según el censo de FMCSA del ${formatForPeople(carrier.snapshot.data_date)}`;
  const status = STATUS[carrier.checks.find(({ id }) => id === "usdot_status")!.state];
  const { last_filed, next_due, state } = carrier.mcs150;
  switch (topic) {
    case "status":
      return `${census}, el número USDOT está ${status}.`;
    case "due":
      return `La fecha del MCS-150 es el ${formatForPeople(next_due)}${
        state === "overdue" ? ", que ya pasó" : ""
      }. ${census}, ${
        last_filed === null
          ? "no consta cuándo se presentó el último"
          : `el último se presentó el ${formatForPeople(last_filed)}`
      }.`;
    case "rating":
      return `${census}, la calificación de seguridad es ${RATINGS[carrier.safety_rating]}.`;
    default:
      return `${census}, el número USDOT está ${status}; calificación de seguridad: ${
        RATINGS[carrier.safety_rating]
      }. ${carrier.issues} de las seis comprobaciones requieren atención.`;
  }
}

/** The fee of a fleet. */
export function feeInSpanish({ vehicles, year, fee_usd, bracket }: UcrFee): string {
  return `La tarifa UCR de ${year} para ${vehicles} ${
    vehicles === 1 ? "vehículo" : "vehículos"
  } es de $${fee_usd.toLocaleString("en-US")} (grupo ${bracket}). Los remolques no cuentan.`;
}
