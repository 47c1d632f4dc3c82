/**
 * Answers in Spanish, to the five intents that are answered in it.
 *
 * @module
 */

import { counted } from "../../pipeline/text.ts";
import { formatForPeople } from "../rules/calendar.ts";
import type { Carrier, UcrFee } from "../rules/schemas.ts";
import type { Topic } from "./vocabulary.ts";

/** The topics that are answered in Spanish, beside the UCR fee of a fleet. */
export const SPANISH_TOPICS: readonly Topic[] = ["overview", "status", "due", "rating"];

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
  } es de $${counted(fee_usd)} (grupo ${bracket}). Los remolques no cuentan.`;
}
