/**
 * Pages of a USDOT number that is none, or that the census does not have.
 *
 * @module
 */

import { saferOf } from "../../../api/rules/official_sources.ts";
import type { ServiceError } from "../../../api/operations/errors.ts";
import type { Page } from "../../page.ts";
import { Outside } from "../../parts/outside.tsx";
import { SearchBox } from "../../parts/search_box.tsx";
import { errorPage } from "../error.tsx";
import { MaybeMc } from "./ways_on.tsx";

/** What was asked for. */
export interface Asked {
  dot: string;
  /** An MC number of the same digits is known to be listed. */
  mc: string | undefined;
}

/** The page of a number that leads to no carrier, with the ways on. */
export function missingPage(error: ServiceError, { dot, mc }: Asked): Page {
  const page = errorPage(error, { path: `/carriers/${encodeURIComponent(dot)}` });
  const absent = error.code === "not_found";
  const title = absent ? `USDOT ${dot} is not in the census` : page.title;
  return {
    ...page,
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p class="lede">{error.message}.</p>
        {mc !== undefined && <MaybeMc mc={mc} />}
        <SearchBox query={absent ? "" : dot} />
        {absent ? <Absent dot={dot} asksMc={mc !== undefined} /> : <Malformed />}
      </>
    ),
  };
}

function Absent({ dot, asksMc }: { dot: string; asksMc: boolean }) {
  return (
    <ul>
      <li>Check the digits.</li>
      {!asksMc && (
        <li>
          It may be an MC number: <a href={`/search?q=MC+${dot}`}>look up MC {dot}</a>.
        </li>
      )}
      <li>It may be too new: numbers granted since the data date are not in the file.</li>
      <li>
        Search <Outside place={saferOf(dot)} />.
      </li>
      <li>Not being in this file does not show that the number does not exist.</li>
    </ul>
  );
}

function Malformed() {
  return (
    <p>
      A USDOT number has 1 to 8 digits and no letters, for example{" "}
      <a href="/carriers/286764">286764</a>. An MC number goes into the box with its letters: MC
      143229.
    </p>
  );
}
