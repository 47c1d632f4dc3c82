import { pageTest } from "./page_visits.ts";

pageTest("/mcs150 shows dates, time left and the rule for a number, however it is written", "few", [
  {
    visits: [
      "/mcs150?dot=286764",
      "/mcs150?dot=USDOT%20286764",
      "/mcs150?dot=00286764",
      "/mcs150?dot=%20286764.0%20",
    ],
    status: 200,
    has: [
      '<h2 id="result">USDOT 286764: due by Apr 30, 2028<',
      "573 days",
      "Previous dueApr 30, 2026",
      "the last digit 4 means April",
      'class="here"><th>4<td>',
    ],
    hasNot: ['class="notice'],
  },
]);

pageTest(
  "/mcs150 says what a filing date means for the deadline, and the calendar has a future date",
  "few",
  [
    {
      visits: ["/mcs150?dot=286764&filed=2026-01-23"],
      status: 200,
      has: [
        'class="notice ok">Last filed Jan 23, 2026: the next update is due',
        "due by Apr 30, 2028</h2>",
      ],
    },
    {
      visits: ["/mcs150?dot=286764&filed=2024-01-01"],
      has: [
        'class="notice bad">If nothing',
        "Apr 30, 2026 is 158 days overdue",
        "due by Apr 30, 2028</h2>",
      ],
    },
    {
      visits: ["/mcs150?dot=286764&filed=2024-08-01"],
      has: [
        'class="notice info">Aug 1, 2024 is more than 12 months before the update due by Apr 30, 2026',
        "due by Apr 30, 2028</h2>",
      ],
    },
    {
      visits: ["/mcs150?dot=286760&filed=2025-01-01"],
      has: [
        'class="notice warn">Last filed Jan 1, 2025: the next update is due',
        "due by Oct 31, 2026</h2>",
      ],
    },
  ],
);

pageTest("/mcs150 explains errors beside the field, and keeps what was typed", "few", [
  {
    visits: ["/mcs150?dot=12%22%3E%3Cb&filed=2026-01-01"],
    status: 400,
    headers: { "cache-control": "no-store" },
    has: [
      'value="12&quot;&gt;&lt;b" inputmode="numeric" required="" autocomplete="off" maxlength="40" aria-describedby="dot-error" aria-invalid="true"',
      'id="dot-error">Enter a USDOT number of 1 to 8 digits',
      'name="filed" value="2026-01-01"',
    ],
  },
  {
    visits: [
      "/mcs150?dot=286764&filed=2027-01-01",
      "/mcs150?dot=286764&filed=2026-02-30",
      "/mcs150?dot=286764&filed=yesterday",
    ],
    status: 400,
    has: ['id="filed-error">Enter'],
  },
  {
    visits: ["/mcs150?dot="],
    status: 400,
  },
  // 186800 is another company's USDOT number.
  {
    visits: ["/mcs150?dot=MC-186800"],
    has: ["This is an MC number"],
  },
  {
    visits: ["/mcs150"],
    status: 200,
  },
  {
    visits: ["/mcs150.ics?dot=x"],
    status: 400,
    headers: { "content-type": "text/html; charset=utf-8" },
    has: ["Enter a USDOT number of 1 to 8 digits"],
  },
]);

pageTest(
  "/ucr shows bracket and fee, marks them in the table, and never says whether a carrier has paid",
  "few",
  [
    {
      visits: ["/ucr?vehicles=4&year=2026"],
      status: 200,
      has: [
        '<h2 id="result">$138 for 2026<',
        'class="here"><th>2<td>3 to 5<td class="right"><strong>$138</strong><td class="right">$167<',
        '<option value="2026" selected',
        "No public file shows whether a carrier has registered",
      ],
      hasNot: ["npaid", "has paid", "not paid"],
    },
    {
      visits: [
        "/ucr?vehicles=1001",
        "/ucr?vehicles=1,001",
        "/ucr?vehicles=%201,001%20",
        "/ucr?vehicles=%EF%BC%91001",
      ],
      has: ["$54,165 for 2027"],
    },
    {
      visits: ["/ucr"],
      status: 200,
      has: ["$44,836"],
      hasNot: ['class="here"'],
    },
  ],
);

pageTest("/ucr explains errors beside the field, and keeps what was typed", "few", [
  {
    visits: ["/ucr?vehicles=4.5&year=2026"],
    status: 400,
    has: [
      'name="vehicles" value="4.5" inputmode="numeric" required="" autocomplete="off" maxlength="20" aria-describedby="vehicles-error" aria-invalid="true"',
      'id="vehicles-error">Enter a whole number of vehicles',
    ],
  },
  {
    visits: [
      "/ucr?vehicles=",
      "/ucr?vehicles=-1",
      "/ucr?vehicles=1,01",
      "/ucr?vehicles=1,0001",
      "/ucr?vehicles=four",
      "/ucr?vehicles=1e3",
      "/ucr?vehicles=9999999999999999",
    ],
    status: 400,
    hasNot: ["Cannot parse"],
  },
  {
    visits: ["/ucr?vehicles=4&year=1999"],
    has: ['id="year-error">Choose 2027 or 2026', 'name="vehicles" value="4"'],
  },
]);
