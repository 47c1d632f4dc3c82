import { pageTest } from "./page_visits.ts";

pageTest(
  "a name leads to a table that distinguishes namesakes, in pages of 25, with the query in the heading",
  "sample",
  [
    {
      visits: ["/search?q=general+transport+akron"],
      status: 200,
      has: [
        "1 match for “general transport akron”",
        '<a href="/carriers/286764"><bdi><mark>GENERAL</mark> <mark>TRANSPORT</mark> INC</bdi></a>',
        "<bdi><mark>AKRON</mark>, OH</bdi>",
        '<td class="right">85<td>Active',
      ],
    },
    {
      visits: ["/search?q=inactive+plain+freight"],
      has: ["2 matches for", '<span class="state bad">Not active</span>'],
    },
    {
      visits: ["/search?q=shared+docket"],
      has: ["3 matches for", "Partial matches"],
    },
    {
      visits: ["/search?q=transport"],
      has: ["Top 25 matches for “transport”", 'href="/search?q=transport&amp;page=2">25 more'],
      hasNot: ["Partial matches"],
    },
    {
      visits: ["/search?q=transport&page=2"],
      has: ["Matches 26 to 50 for “transport”", 'href="/search?q=transport">Previous 25'],
    },
  ],
);

pageTest(
  "the last word may be incomplete, and misspelled or joined words are highlighted too",
  "sample",
  [
    {
      visits: ["/search?q=genral+trans"],
      has: ["<mark>GENERAL</mark> <mark>TRANSPORT</mark> INC"],
    },
    {
      visits: ["/search?q=akron+ohio"],
      has: ["<bdi><mark>AKRON</mark>, <mark>OH</mark></bdi>"],
    },
  ],
);

pageTest("results are filtered by state and status, and sorted, by the URL alone", "sample", [
  {
    visits: ["/search?q=transport&state=oh&status=&sort=&page=1"],
    status: 200,
    has: ['href="/carriers/286764"', '<option value="OH" selected'],
    hasNot: ["WATERLOO, IA"],
  },
  {
    visits: ["/search?q=transport&state=IA"],
    has: ['href="/carriers/1896"'],
    hasNot: ['href="/carriers/286764"'],
  },
  {
    visits: ["/search?q=docket&status=inactive"],
    has: ['href="/carriers/90010016"'],
    hasNot: ['href="/carriers/90010017"'],
  },
  {
    visits: ["/search?q=docket&status=inactive&state=OH"],
    status: 200,
    has: [
      "No matches with these filters for “docket”",
      'href="/search?q=docket">Show all matches',
      '<option value="inactive" selected',
    ],
  },
  {
    visits: ["/search?q=transport&sort=units"],
    has: ['<tbody><tr><td class="pick"><label><input type="checkbox" name="dot" value="90002904"'],
  },
  {
    visits: ["/search?q=transport&sort=name&page=2"],
    has: ['href="/search?q=transport&amp;sort=name">Previous 25'],
  },
  {
    visits: ["/search?q=transport&state=Ohio"],
    status: 400,
    has: ["Choose a state from the list."],
  },
  {
    visits: ["/search?q=transport&status=maybe"],
    status: 400,
    has: ["Choose a status from the list."],
  },
  {
    visits: ["/search?q=transport&page=9", "/search?q=transport&page=x"],
    status: 400,
    has: ["Cannot show this page: give a number from 1 to 8."],
  },
]);

pageTest("when no carrier has all the words, the page says which the first one lacks", "sample", [
  {
    visits: ["/search?q=zzqqxy+transport"],
    status: 200,
    has: [
      "No carrier matches all of “zzqqxy transport”",
      'the first carrier listed has no "zzqqxy" in its names or location',
    ],
  },
]);

pageTest("a search without results suggests what to try", "sample", [
  {
    visits: ["/search?q=zzzzqqqq"],
    has: [
      "No carrier matches “zzzzqqqq”",
      "The carrier may be newer than our data",
      "Check the spelling",
      "Use fewer words",
      "SAFER Company Snapshot",
    ],
  },
]);

pageTest("a phone number gets its own answer, and stays in the box", "sample", [
  {
    visits: ["/search?q=(330)+555-0123"],
    status: 400,
    has: [
      "<h1>That looks like a phone number</h1>",
      'type="search" value="(330) 555-0123"',
      "find the carrier by name, then compare the numbers",
    ],
  },
]);

pageTest("an invalid query is explained beside the search box, which keeps it", "sample", [
  {
    visits: ["/search?q=a"],
    status: 400,
    has: [
      'type="search" value="a"',
      'aria-invalid="true" aria-describedby="q-error"',
      '<p id="q-error" class="state bad">',
      "Enter a USDOT or MC number, or at least 2 letters of a name.",
    ],
  },
  {
    visits: ["/search?q=+"],
    status: 400,
    has: ["at least 2 letters of a name"],
  },
  {
    visits: [
      "/search?q=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ],
    status: 400,
    has: ["at most 200 characters"],
  },
  {
    visits: ["/search?q=a+b+c+d+e+f+g+h+i+j+k+l+m"],
    status: 400,
    has: ["at most 12 words"],
  },
  {
    visits: ["/search?q=a1&q=b2"],
    status: 400,
  },
  {
    visits: ["/search"],
    status: 200,
  },
]);
