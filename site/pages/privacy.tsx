/**
 * `/privacy`: what is kept of whom, and for how long.
 *
 * @module
 */

import { COUNTED_MS, LIFE_MS as UNCONFIRMED_MS } from "../../api/alerts/records.ts";
import { hours } from "../../api/discovery/limits.ts";
import { KEEP_MS } from "../../api/state/idempotency.ts";
import { RESULTS_MS } from "../../api/operations/jobs.ts";
import { QUOTA, storedMs } from "../../api/state/rate_limit.ts";
import type { PageRoute } from "./route.ts";
import { Table } from "../components/blocks.tsx";

const SECONDS = QUOTA.windowMs / 1000;
const CLEANED_MINUTES = storedMs(QUOTA.windowMs) / 60_000;

/** The page. */
export const privacyRoute: PageRoute = {
  path: "/privacy",
  listed: true,
  answer: () => ({
    title: "Privacy",
    description: "What this service keeps of its visitors, for how long, and what it never keeps.",
    shared: true,
    body: (
      <>
        <h1>Privacy</h1>
        <p class="lede">
          There is no account, no cookie and no tracker, and no page loads anything from anyone
          else. A single look-up is not stored.
        </p>
        <h2 id="kept">What is kept</h2>
        <Table
          caption="What is kept, and for how long"
          heads={["When you", "is kept", "for"]}
          rows={[
            [
              "ask for anything",
              "the times of your requests, under a keyed hash of your network address, to count them",
              `${SECONDS} seconds; cleared away within ${CLEANED_MINUTES} minutes`,
            ],
            [
              "have a list checked",
              "the numbers, on the site also your names and places of the carriers, under a random id",
              hours(RESULTS_MS),
            ],
            [
              "send a list with an Idempotency-Key",
              "a hash of the numbers, under a keyed hash of your network address and the key",
              hours(KEEP_MS),
            ],
            [
              "sign up for e-mail alerts",
              "your e-mail address and the USDOT numbers you chose; the times of your sign-ups, under a keyed hash of your network address",
              `until you unsubscribe, with the link in every mail; ${
                hours(UNCONFIRMED_MS)
              } if you do not confirm; times ${hours(COUNTED_MS)}`,
            ],
          ]}
        />
        <p>
          Whoever knows the id of a background list can read its results while they are kept: the id
          is a random number that cannot be guessed. E-mail addresses are used for alerts only, are
          shown to nobody and stand in no address of a page.
        </p>
        <h2 id="log">The log</h2>
        <p>
          The service writes a line for each request: when, which kind of page or call, how it went,
          what kind of program asked. It has no network address, no number that was looked up, no
          question and no e-mail address; visitors are told apart by a hash whose key is thrown away
          when the service restarts. Faults are written down with an id of the request. Whoever
          hosts this address may keep a log of the network beside it.
        </p>
        <h2 id="carriers">What is shown of carriers</h2>
        <p>
          Everything shown of a carrier comes from the regulator's public files. Street addresses,
          telephone numbers and names of officers are in those files and are not taken over: a
          carrier has a name, a city and a state here. A carrier that is one person may bear that
          person's name. To have it changed, change the record:{" "}
          <a href="/about#corrections">corrections</a>.
        </p>
      </>
    ),
  }),
};
