import { pageTest } from "./page_visits.ts";

pageTest("a number redirects to its carrier, however it is written", "sample", [
  {
    visits: [
      "/search?q=286764",
      "/search?q=00286764",
      "/search?q=USDOT+286764",
      "/search?q=dot%23286764",
      "/search?q=MC+186800",
      "/search?q=mc-186800",
    ],
    status: 303,
    location: "/carriers/286764",
  },
  // Not in the sample: the page says so.
  {
    visits: ["/search?q=90999999"],
    status: 303,
    location: "/carriers/90999999",
  },
  // These digits are an MC number too, of another carrier.
  {
    visits: ["/search?q=186800"],
    status: 303,
    location: "/carriers/186800?mc=186800",
  },
]);

pageTest("a number that is a carrier's USDOT and MC number redirects to it without a hint", "few", [
  {
    visits: ["/search?q=295017"],
    status: 303,
    location: "/carriers/295017",
  },
  {
    visits: ["/search?q=143229"],
    status: 303,
    location: "/carriers/143229?mc=143229",
  },
]);

pageTest("an MC number listed by several carriers offers a choice, never a guess", "sample", [
  {
    visits: ["/search?q=MC+9800004"],
    status: 200,
    has: [
      "More than one carrier lists this docket in this sample",
      'href="/carriers/90010016"',
      'href="/carriers/90010017"',
      'href="/carriers/90010018"',
    ],
  },
  {
    visits: ["/search?q=ff300005", "/mc/FF-300005"],
    status: 200,
    has: [
      "FF 300005 is shared by 2 carriers",
      'href="/compare?dot=FF+300005"',
      'href="/carriers/90000383"',
      'href="/carriers/90000384"',
    ],
  },
  {
    visits: ["/mc/FF-300051"],
    has: ["FF 300051 is shared by 7 carriers"],
    hasNot: ["Compare them"],
  },
  // A sample says that it is one: other numbers may be in FMCSA's census.
  {
    visits: ["/compare?dot=286764&dot=99"],
    has: ["USDOT 99 is not in this sample"],
  },
]);

pageTest("a docket's URL redirects to its carrier, however it is written", "sample", [
  {
    visits: ["/mc/186800", "/mc/MC-186800", "/mc/mc%20186800", "/mc/MC00186800"],
    status: 303,
    location: "/carriers/286764",
  },
  {
    visits: ["/mc/FF-300003"],
    status: 303,
    location: "/carriers/90000182",
  },
  {
    visits: ["/mc/143229"],
    status: 200,
    has: [
      "MC 143229 is shared by 4 carriers",
      "ANDERSON CARTAGE CO INC",
      'href="/carriers/381802"',
    ],
  },
]);

pageTest(
  "an unlisted docket gets a page with the number in the search box and other readings of it",
  "sample",
  [
    {
      visits: ["/mc/99999999", "/mc/MC-99999999", "/search?q=MC+99999999"],
      status: 404,
      headers: { "cache-control": "no-store" },
      has: [
        "<h1>No carrier lists MC 99999999</h1>",
        "It isn&#39;t in this sample. It may be newer than our data.",
        'type="search" value="MC 99999999"',
        'href="/carriers/99999999"',
        'href="/mc/MX-99999999"',
        'href="/mc/FF-99999999"',
        "SAFER Company Snapshot",
      ],
    },
    {
      visits: ["/mc/FF-186800"],
      status: 404,
      has: ["No carrier lists FF 186800", 'href="/mc/MC-186800"'],
    },
    {
      visits: ["/mc/12%22A", "/mc/0", "/mc/USDOT-5"],
      status: 400,
      has: ["has 1 to 8 digits"],
      hasNot: ["Cannot parse"],
    },
    {
      visits: ["/mc/12%22A"],
      has: ['type="search" value="12&quot;A"'],
    },
  ],
);

pageTest("an unknown number gets a page with what to try next", "few", [
  {
    visits: ["/carriers/186800"],
    status: 404,
    headers: { "cache-control": "no-store" },
    has: [
      "<h1>No carrier with USDOT 186800</h1>",
      "It is not in FMCSA's census of Oct 3, 2026.",
      'type="search" value="186800"',
      'href="/search?q=MC+186800"',
      "too new",
      'role="search"',
    ],
  },
]);

pageTest("an invalid number gets a page that says what is wrong and keeps the input", "few", [
  {
    visits: ["/carriers/12a"],
    status: 400,
    has: ['id="q" name="q" type="search" value="12a"'],
  },
  {
    visits: ["/carriers/%3Cscript%3E"],
    status: 400,
    has: ['id="q" name="q" type="search" value="&lt;script&gt;"'],
  },
  {
    visits: ["/carriers/123456789", "/carriers/0"],
    status: 400,
    has: ["<h1>That is not a USDOT number</h1>", "has 1 to 8 digits"],
    hasNot: ["Cannot parse"],
  },
]);

pageTest(
  "a number with leading zeros redirects to the canonical URL, and the MC hint accepts only digits",
  "few",
  [
    {
      visits: ["/carriers/00295017?mc=7"],
      status: 301,
      location: "/carriers/295017?mc=7",
    },
    {
      visits: ["/carriers/295017?mc=0077"],
      has: ["mean MC number 77?"],
    },
    {
      visits: ["/carriers/295017?mc=%3Cb%3E1", "/carriers/295017?mc=00"],
      status: 200,
      hasNot: ["mean MC number"],
    },
  ],
);
