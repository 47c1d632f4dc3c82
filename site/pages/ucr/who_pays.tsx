/**
 * Who pays the UCR fee, for which vehicles, when and where.
 *
 * @module
 */

import { UCR, UCR_PLAN } from "../../../api/rules/official_sources.ts";
import { UCR_LAW } from "../../../api/rules/ucr_check.ts";
import { Outside } from "../../parts/outside.tsx";

/** The rules in words. */
export function WhoPays() {
  return (
    <>
      <h2>Who pays</h2>
      <ul>
        <li>Interstate and international for-hire carriers, exempt ones too.</li>
        <li>Private property carriers, freight forwarders and brokers.</li>
        <li>Companies that lease vehicles without drivers.</li>
        <li>Canadian and Mexican ones that operate here.</li>
      </ul>
      <p>
        Brokers, leasing companies and freight forwarders without vehicles pay the smallest fee,
        whatever fleet is filed; one that is also a motor carrier pays by its vehicles. Purely
        intrastate carriers owe no federal UCR fee; their state may differ. The law is{" "}
        <a href={UCR_LAW.url}>{UCR_LAW.citation}</a>.
      </p>
      <h2>Which vehicles count</h2>
      <p>A vehicle counts when it is self-propelled and one of these is true:</p>
      <ul>
        <li>It weighs, or is rated for, 10,001 lb or more.</li>
        <li>It is built for more than 10 passengers, the driver included.</li>
        <li>It carries hazardous materials that need a placard.</li>
      </ul>
      <p>
        Trailers don't count. Count the vehicles of the last MCS-150, or those owned or operated in
        the 12 months to June 30 before the registration year. Motor carriers and motor private
        carriers may leave out vehicles used only in intrastate transportation of property, waste or
        recyclable material (49 U.S.C. 14504a(f)(3)).
      </p>
      <h2>When and where</h2>
      <p>
        Registration opens on October 1 of the year before, is due before January 1 and is enforced
        from then on. Register at <Outside place={UCR} text="ucr.gov" />; dates and rules are at
        {" "}
        <Outside place={UCR_PLAN} text="plan.ucr.gov" />. Whether a carrier has registered is in no
        public file.
      </p>
    </>
  );
}
