/**
 * The MCS-150 deadline that an address asks for.
 *
 * @module
 */

import { ServiceError } from "../../../api/operations/errors.ts";
import { mcs150DueDate } from "../../../api/operations/mcs150_due_date.ts";
import { type Mcs150Standing, mcs150Standing } from "../../../api/rules/mcs150.ts";
import type { Mcs150 } from "../../../api/rules/schemas.ts";
import { messageOf } from "../../../pipeline/message_of.ts";
import { bareNumber } from "../../list/number_cell.ts";
import { lookUp } from "../../look_up.ts";
import type { Visit } from "../../page.ts";

/** A deadline worked out. */
export interface Answer extends Mcs150 {
  /** Where the date last filed stands, when one was given. */
  standing: Mcs150Standing | null;
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
    return { answer: { ...schedule, standing: null }, problems: {} };
  }
  if (filed > today) {
    return { problems: { filed: "Enter a date that is not in the future" } };
  }
  try {
    const standing = mcs150Standing({ dot: Number(schedule.dot), filed }, today);
    return { answer: { ...schedule, standing }, problems: {} };
  } catch (error) {
    if (error instanceof SyntaxError) return { problems: { filed: messageOf(error) } };
    throw error;
  }
}
