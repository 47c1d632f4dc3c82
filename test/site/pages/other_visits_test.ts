import { pageTest } from "./page_visits.ts";

pageTest(
  "/your-company says what people see first and where to correct it with FMCSA, also without a carrier",
  "few",
  [
    {
      visits: ["/your-company?dot=146793"],
      status: 200,
      has: [
        "SECOND INC, USDOT 146793",
        "<b>Inactive",
        "https://dataqs.fmcsa.dot.gov/",
        "https://www.ucr.gov/",
        "query_string=146793",
        '/mcs150?dot=146793"',
        '<meta name="robots" content="noindex">',
      ],
    },
    {
      visits: ["/your-company?dot=99", "/your-company?dot=x", "/your-company"],
      status: 200,
      has: ["updated MCS-150"],
      hasNot: ["<b>"],
    },
    {
      visits: ["/carriers/146793"],
      has: ['href="/your-company?dot=146793">Is this your company?'],
    },
  ],
);

pageTest("an unknown URL gets a page whose search box has the likely query", "few", [
  {
    visits: ["/no/such/page"],
    status: 404,
    has: ["<h1>Not found</h1>", 'role="search"'],
  },
  {
    visits: ["/general-transport"],
    status: 404,
    has: ['type="search" value="general transport"'],
  },
]);

pageTest("about, privacy and pricing say what we know, what we store and what is free", "few", [
  {
    visits: ["/about"],
    has: [
      "Oct 3, 2026",
      "Oct 4, 2024 to Oct 3, 2026",
      "not endorsed by",
      "Source: Company Census File",
      "Source: Vehicle Inspection File",
      'href="https://safer.fmcsa.dot.gov/',
      'href="https://dataqs.fmcsa.dot.gov/',
      'href="https://www.ucr.gov/',
    ],
  },
  {
    visits: ["/privacy"],
    has: ["60 seconds", "1 hour", "24 hours", "unsubscribe"],
  },
  {
    visits: ["/pricing"],
    status: 200,
  },
]);

pageTest("the home page shows the data date, and its structured data names the search", "few", [
  {
    visits: ["/"],
    status: 200,
    headers: { "snapshot-id": "a" },
    has: [
      "census of Oct 3, 2026",
      '"@type":"WebSite"',
      '"urlTemplate":"https://carriers.example/search?q={search_term_string}"',
      'property="og:image" content="https://carriers.example/assets/preview.',
    ],
  },
]);

pageTest(
  "an operation's page has the members of its answer, and marks those that only some items have",
  "few",
  [
    {
      visits: ["/developers/batchCarriers"],
      has: [
        "<code>results[].ok</code>",
        "<code>results[].carrier</code><td>Carrier, optional<td>A carrier with its compliance checks",
      ],
    },
  ],
);

pageTest("without a mail server alerts are off, and a reminder is a calendar file", "few", [
  {
    visits: ["/alerts"],
    has: ["Email alerts are off"],
    hasNot: ['<form method="post"'],
  },
  {
    visits: ["/carriers/295017"],
    has: ['href="/mcs150.ics?dot=295017"'],
    hasNot: ['href="/alerts?dot'],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "295017", "kind": "status" },
    }],
    status: 503,
  },
  {
    visits: ["/alerts/confirm/never-made"],
    status: 404,
    has: ["This link has expired"],
  },
]);

pageTest("/status works without the report, says so, and is not cached", "few", [
  {
    visits: ["/status"],
    status: 200,
    headers: { "cache-control": "no-store" },
    has: [
      "report of this build can't be read",
      "The pointer to this snapshot does not name its files.",
    ],
  },
  {
    visits: ["/status/nothing"],
    status: 503,
  },
]);
