import { pageTest } from "./page_visits.ts";

pageTest(
  "a carrier's page starts with the worst finding in words, and never approves a carrier",
  "few",
  [
    {
      visits: ["/carriers/90100"],
      has: [
        '<h1 data-seen="90100"><bdi>INSPECTED CARRIER</bdi></h1>',
        "USDOT 90100",
        "AKRON, OH",
        "Data of Oct 3, 2026 (2 days old)",
        "MCS-150 overdue since Oct 31, 2024 (and 1 more)Review: Rated Conditional",
        "Next: Your company? File the update now",
        "Source: Company Census File, Oct 3, 2026; 49 CFR 390.19T(b)",
        "MC 186800: listed inactive",
        '<div class="actions"><a class="button" href="https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&amp;query_type=queryCarrierSnapshot&amp;query_param=USDOT&amp;query_string=90100"',
        '<a class="button quiet" href="/carriers/90100/record">',
        '<a class="button quiet" href="/mcs150.ics?dot=90100">',
      ],
      hasNot: ["approved", "compliant", "clean"],
    },
  ],
);

pageTest("rates are drawn from 0 to 100% with a tick at the average, and stated in words", "few", [
  {
    visits: ["/carriers/90100"],
    has: [
      "Vehicle out of service6 of 40 · 15.0%",
      '<svg class="" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label="Vehicle: 15.0%, national average 22.26%"><rect class="track" y="4" width="1000" height="16"></rect><rect y="4" width="150" height="16"></rect><rect class="tick" x="220.6"',
      "0 of 3 · 0.0% · too few to compare",
      "hazmat: none inspected",
    ],
    hasNot: ['<svg class="above"'],
  },
  // Only a rate above the average has the color of a finding.
  {
    visits: ["/carriers/90105"],
    has: [
      '<svg class="above" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label="Vehicle: 76.9%',
      "Vehicle 76.9% vs 22.26%, driver 0.0% vs 6.67% national average",
    ],
  },
]);

pageTest("inspections are shown by month, state and level, and individually", "few", [
  {
    visits: ["/carriers/90104"],
    has: [
      '<svg class="months" viewBox="0 0 500 108" role="img" aria-label="Inspections by month, most in Aug 2025: 1. The table is below."',
      "By stateStateInspectionsOut of serviceOH11PA10",
      "By levelLevelInspectionsOut of serviceI11III10",
      "By monthMonthInspectionsOut of serviceOct 1 - 3, 202600Sep 202611",
      "Sep 13, 2026OHI2 (1)––Aug 29, 2025PAIII–1–",
    ],
  },
]);

pageTest(
  "differences between the two files are shown with counts, dates and possible reasons",
  "few",
  [
    {
      visits: ["/carriers/90104"],
      has: [
        '<h2 id="differences">',
        "Inspected under other names1 inspection",
        "<b>OTHER</b> TRUCKING1Sep 13, 2026Sep 13, 2026",
        "Possible reasons",
      ],
      hasNot: ["fraud", "chameleon", "suspicious"],
    },
  ],
);

pageTest("the verdict has the color of its worst check, and never a positive one", "few", [
  {
    visits: ["/carriers/90101"],
    has: ['class="notice verdict bad"'],
  },
  {
    visits: ["/carriers/90102"],
    has: ['class="notice verdict warn"'],
  },
  {
    visits: ["/carriers/90103"],
    has: ['class="notice verdict info"'],
  },
]);

pageTest("a carrier's page says what is inactive, pending, not inspected and blank", "few", [
  // Regression: the equipment line said "0 drivers".
  {
    visits: ["/carriers/4"],
    has: [
      '<h2 id="verdict" class="state bad">Inactive</h2>',
      "The census lists this USDOT number as inactive and doesn't say why.",
      "No roadside inspections in 24 months: out-of-service rates can't be calculated.",
      "Blank in the census: legal name, city, state, where it operates, power units, drivers.",
      "<dt>Fleet<dd><bdi>Not reported",
      "<dt>Registered as<dd><bdi>Not reported",
      "<dt>Power units<dd><bdi>Not reported",
      "Equipment and driversPower units not reported · drivers not reported",
    ],
  },
  {
    visits: ["/carriers/5"],
    has: [
      "Registration pending",
      "The application for this USDOT number is not decided.",
      "<dt>Power units<dd><bdi>0<",
    ],
  },
]);

pageTest(
  "a carrier's page lists changes newest first, without values of contact details",
  "sample",
  [
    {
      visits: ["/carriers/90010775"],
      status: 200,
      has: [
        "Changes Tracked since Sep 29, 2026 · 3 changes",
        'Between Oct 2 and Oct 3, 2026City "SPRINGFIELD" → "JOPLIN"',
        'Between Oct 1 and Oct 2, 2026Legal name "FORMER NAME HAULING LLC (SYNTHETIC SAMPLE)" → "NAME AND PHONE CHANGED',
        "Phone number changed",
        "We don't list old contact details.",
        "Possible reasons: Companies rename themselves, incorporate, or correct a spelling. Companies move,",
        'href="#changes">Legal name changed in the last 30 days',
        '<form action="/carriers/90010775">',
        'name="as_of" type="date" min="2026-09-29" max="2026-10-03"',
        "Any date since Sep 29, 2026",
      ],
      hasNot: ["555-0100"],
    },
    {
      visits: ["/carriers/90010776"],
      has: [
        "Between Oct 1 and Oct 2, 2026Dockets MC 9710776 active → MC 9710776 inactive",
        "Between Sep 30 and Oct 1, 2026Status active → inactive",
      ],
    },
    {
      visits: ["/carriers/90010777"],
      has: ["Between Sep 30 and Oct 1, 2026Entered the census"],
    },
    {
      visits: ["/carriers/90010779"],
      has: [
        "Between Sep 30 and Oct 1, 2026Power units 10 → 24Drivers 11 → 26MCS-150 filing date Sep 12, 2024 → Sep 30, 2026",
      ],
    },
    {
      visits: ["/carriers/286764"],
      has: ["Changes Tracked since Sep 29, 2026 · no changes"],
      hasNot: ["contact details"],
    },
    {
      visits: ["/carriers/90010775?as_of=2026-10-01"],
      status: 200,
      has: [
        "As of Oct 1, 2026: the record of that day, not today's.",
        "FORMER NAME HAULING LLC",
        "(417) 555-0100",
        'value="2026-10-01"',
      ],
      hasNot: ["JOPLIN"],
    },
    {
      visits: ["/carriers/90010778"],
      status: 404,
      has: [
        "USDOT 90010778 is no longer in the census",
        "last seen on Oct 2, 2026",
        'href="/carriers/90010778?as_of=2026-10-02"',
      ],
    },
  ],
);

pageTest("a vetting record is a page to print, with links to its files", "few", [
  {
    visits: ["/carriers/90100/record"],
    status: 200,
    headers: { "cache-control": "no-store" },
    has: [
      "<title>vetting-record-usdot-90100-2026-10-05 ·",
      "2026-10-05T16:00:00Z (Oct 5, 2026, 12:00 PM EDT)",
      "https://carriers.example/carriers/90100",
      "MCS-150 overdue since Oct 31, 2024 (and 1 more)",
      "Reviewed by",
      'href="/carriers/90100/record.txt">Save as text',
      'href="/carriers/90100/record.json">JSON with proof',
    ],
  },
  {
    visits: ["/carriers/90100/record.json"],
    headers: {
      "content-disposition": 'attachment; filename="vetting-record-usdot-90100-2026-10-05.json"',
      "cache-control": "no-store",
    },
  },
  {
    visits: ["/carriers/7/record.txt"],
    status: 404,
  },
]);

pageTest("a vetting record's text has the verdict first, six sources, and the lookup", "few", [
  {
    visits: ["/carriers/90100/record.txt"],
    headers: {
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="vetting-record-usdot-90100-2026-10-05.txt"',
    },
    has: [
      "Vetting record: INSPECTED CARRIER, USDOT 90100 Verdict: MCS-150 overdue since Oct 31, 2024 (and 1 more). - Problem: MCS-150 overdue since Oct 31, 2024. - Review: Rated Conditional.",
      "Looked up: 2026-10-05T16:00:00Z (Oct 5, 2026, 12:00 PM EDT) Page: https://carriers.example/carriers/90100 Data: FMCSA data: census of Oct 3, 2026 (2 days old), inspections through Oct 3, 2026. Snapshot: a SHA-256:",
      "Legal name: INSPECTED CARRIER Doing business as: None on file Physical address: AKRON, OH",
      "Dockets: MC 186800 (listed inactive)",
      "1. USDOT number: OK",
      "2. MCS-150 update: Problem",
      "4. Safety rating: Review",
      "Source: Company Census File of Oct 3, 2026; 49 CFR 390.19T(b); https://",
      "Source: Vehicle Inspection File of Oct 3, 2026",
    ],
  },
]);

pageTest(
  "a carrier's structured data is an Organization with its numbers, and only filed values",
  "few",
  [
    {
      visits: ["/carriers/6"],
      has: [
        'property="og:image" content="https://carriers.example/assets/preview.',
        'name="twitter:card" content="summary_large_image"',
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","@id":"https://carriers.example/carriers/6","url":"https://carriers.example/carriers/6","name":"AKRON","legalName":"AKRON","identifier":[{"@type":"PropertyValue","propertyID":"USDOT","value":"6"},{"@type":"PropertyValue","propertyID":"FF","value":"77"}]}</script>',
      ],
    },
  ],
);

pageTest(
  "two fields of the form that disagree about hazardous materials are shown with a note",
  "few",
  [
    {
      visits: ["/carriers/17"],
      has: ["HazmatNo, though filed as Intrastate Hazmat"],
    },
    {
      visits: ["/carriers/18"],
      has: ["HazmatNo"],
      hasNot: ["though filed as"],
    },
  ],
);
