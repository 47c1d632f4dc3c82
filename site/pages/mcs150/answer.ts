/**
 * The MCS-150 deadline that an address asks for.
 *
 * @module
 */

import { ServiceError } from "../../../api/operations/errors.ts";
import { mcs150DueDate } from "../../../api/operations/mcs150_due_date.ts";
import { mcs150State } from "../../../api/rules/mcs150.ts";
import type { CarrierMcs150, Mcs150 } from "../../../api/rules/schemas.ts";
import { messageOf } from "../../../pipeline/message_of.ts";
import { bareNumber } from "../../list/number_cell.ts";
import { lookUp } from "../../look_up.ts";
import type { Visit } from "../../page.ts";

/** A deadline worked out. */
export interface Answer extends Mcs150 {
  /** Where the date last filed stands, when one was given. */
  state: CarrierMcs150 | null;
  /** The deadline that counts and has not passed, `YYYY-MM-DD`. */
  coming: string;
}

/** The answer, or what is wrong with the fields of the form. */
export interface Answered {
  answer?: Answer;
  problems: { dot?: string; filed?: string };
}

/** Works out what the address asks for: `dot` and, when it is known, `filed`. */
export async function answerOf(visit: Visit): Promise<Answered> {
  const { url, today } = visit;
  const dot = bareNumber(url.searchParams.get("dot") ?? "");
  const filed = url.searchParams.get("filed") ?? "";
  let schedule: Mcs150;
  try {
    schedule = (await lookUp(visit, mcs150DueDate, { dot })).answer;
  } catch (error) {
    if (error instanceof ServiceError) return { problems: { dot: error.message } };
    throw error;
  }
  if (filed === "") {
    return { answer: { ...schedule, state: null, coming: schedule.next_due }, problems: {} };
  }
  if (filed > today) {
    return { problems: { filed: "Cannot use this date: it has not come yet" } };
  }
  try {
    const state = mcs150State({ dot: Number(schedule.dot), filed }, today);
    const coming = state.next_due < today ? schedule.next_due : state.next_due;
    return { answer: { ...schedule, state, coming }, problems: {} };
  } catch (error) {
    if (error instanceof SyntaxError) return { problems: { filed: messageOf(error) } };
    throw error;
  }
}
