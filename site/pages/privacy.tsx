/**
 * `/privacy`: what is stored about visitors, and for how long.
 *
 * @module
 */

import { COUNTED_MS, LIFE_MS as UNCONFIRMED_MS } from "../../api/alerts/records.ts";
import { hours } from "../../api/discovery/limits.ts";
import { RESULTS_MS } from "../../api/operations/jobs.ts";
import { KEEP_MS } from "../../api/state/idempotency.ts";
import { QUOTA, storedMs } from "../../api/state/rate_limit.ts";
import { Table } from "../components/blocks.tsx";
import type { PageRoute } from "./route.ts";

const SECONDS = QUOTA.windowMs / 1000;
const CLEANED_MINUTES = storedMs(QUOTA.windowMs) / 60_000;

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
          else. A single lookup is not stored.
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
              "sign up for email alerts",
              "your email address and the USDOT numbers you chose; the times of your sign-ups, under a keyed hash of your network address",
              `until you unsubscribe, with the link in every email; ${
                hours(UNCONFIRMED_MS)
              } if you do not confirm; times ${hours(COUNTED_MS)}`,
            ],
          ]}
        />
        <p>
          Anyone who knows the id of a job can read its results while they are kept: the id is a
          random number that cannot be guessed. Email addresses are used for alerts only, never
          shown to anyone, and never part of a page's address.
        </p>
        <h2 id="log">The log</h2>
        <p>
          The service writes a line for each request: when, which kind of page or call, how it went,
          what kind of program asked. It has no network address, no number that was looked up, no
          question and no email address; visitors are distinguished by a hash whose key is discarded
          when the service restarts. Faults are written down with an id of the request. The host of
          this address may also keep a network log.
        </p>
        <h2 id="carriers">What is shown of carriers</h2>
        <p>
          Everything shown of a carrier comes from FMCSA's public files. Street addresses, telephone
          numbers and names of officers are in those files and are left out: a carrier has a name, a
          city and a state here. A sole proprietor may use their own name. To change it, change the
          record: <a href="/about#corrections">corrections</a>.
        </p>
      </>
    ),
  }),
};
