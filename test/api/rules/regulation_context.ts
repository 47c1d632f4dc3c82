/**
 * A context whose census and inspection files have dates of their own.
 *
 * @module
 */
import type { CarrierContext } from "../../../api/rules/carrier.ts";

/** Days of a context, `YYYY-MM-DD`. */
export interface ContextDays {
  today: string;
  census: string;
  inspections: string;
  notice?: string | undefined;
}

/** The context; the window is the 24 months ending on the inspection file's date. */
export function contextOfDays({ today, census, inspections, notice }: ContextDays): CarrierContext {
  const to = Temporal.PlainDate.from(inspections);
  const from = to.subtract({ months: 24 }).add({ days: 1 }).toString();
  return {
    today,
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "20261121-test",
      manifest: {
        data_date: census,
        inspections_date: inspections,
        window: { from, to: inspections },
        ...(notice === undefined ? {} : { notice }),
      },
    },
  };
}

/** `Oct 3, 2026`. */
export function written(day: string): string {
  return Temporal.PlainDate.from(day)
    .toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric" });
}
