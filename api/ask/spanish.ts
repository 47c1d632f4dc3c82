/**
 * The answers about a carrier in Spanish: only these topics have one.
 *
 * @module
 */

import { formatForPeople as day } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { checkOf, type Topic } from "./topics.ts";

/** What is known about a topic, in Spanish. */
export const SPANISH_TEXTS: Readonly<Partial<Record<Topic, (carrier: Carrier) => string>>> = {
  overview: (carrier) =>
    `${enCenso(carrier)}, el número USDOT está ${estado(carrier)}; calificación de seguridad: ${
      CALIFICACION[carrier.safety_rating]
    }. ${carrier.issues} de las seis comprobaciones requieren atención.`,
  status: (carrier) => `${enCenso(carrier)}, el número USDOT está ${estado(carrier)}.`,
  mcs150: vence,
  rating: (carrier) =>
    `${enCenso(carrier)}, la calificación de seguridad es ${CALIFICACION[carrier.safety_rating]}.`,
};

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
