/**
 * The MCS-150 deadline that an address asks for.
 *
 * @module
 */

import { mcs150DueDate } from "../../../api/operations/mcs150_due_date.ts";
import { type Mcs150Standing, mcs150Standing } from "../../../api/rules/mcs150.ts";
import type { Mcs150 } from "../../../api/rules/schemas.ts";
import { messageOf } from "../../../pipeline/text.ts";
import { readCell } from "../../list/number.ts";
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
  const dot = readCell(url.searchParams.get("dot") ?? "");
  const filed = url.searchParams.get("filed") ?? "";
  if (dot === null || "problem" in dot) {
    return { problems: { dot: "Enter a USDOT number of 1 to 8 digits, such as 286764" } };
  }
  if (dot.kind !== null && dot.kind !== "USDOT") {
    const problem = `This is an ${dot.kind} number: enter the carrier's USDOT number`;
    return { problems: { dot: problem } };
  }
  const input = { dot: String(dot.number) };
  const schedule = (await lookUp(visit, mcs150DueDate, input)).answer;
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
