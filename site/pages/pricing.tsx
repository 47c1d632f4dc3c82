/**
 * `/pricing`: free, with the limits and what is not offered.
 *
 * @module
 */

import { INCLUDED, NOT_OFFERED, PRICING_UPDATED } from "../../api/discovery/limits.ts";
import { Limits } from "../components/blocks.tsx";
import { Day } from "../components/text.tsx";
import type { PageRoute } from "./route.ts";

export const pricingRoute: PageRoute = {
  path: "/pricing",
  listed: true,
  answer: () => ({
    title: "Pricing",
    description:
      "Free for everyone: no account, no key, no payment details. Limits, and what is not offered.",
    shared: true,
    facts: { "@type": "Offer", price: "0", priceCurrency: "USD", description: INCLUDED },
    body: (
      <>
        <h1>Pricing: free</h1>
        <p class="lede">No account, no key, no payment details, no trial that ends.</p>
        <p>
          Everyone gets the same: these pages and calculators, and for programs: {INCLUDED}.
        </p>
        <h2 id="limits">Limits</h2>
        <Limits />
        <p>
          Pages have their own, wider limit. <a href="/developers#limits">How rate limits work</a>.
        </p>
        <h2 id="not-offered">Not offered</h2>
        <ul>{NOT_OFFERED.map((one) => <li>{one}</li>)}</ul>
        <p>
          <small>
            Last changed: <Day date={PRICING_UPDATED} />. For programs:{" "}
            <a href="/pricing.md">/pricing.md</a>
          </small>
        </p>
      </>
    ),
  }),
};
