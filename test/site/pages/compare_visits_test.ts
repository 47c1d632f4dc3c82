import { pageTest } from "./page_visits.ts";

pageTest(
  "/compare takes numbers as people write them, and shows every holder of a shared MC number",
  "few",
  [
    {
      visits: [
        "/compare?dot=295017&dot=146793",
        "/compare?dot=USDOT+295017,+146793",
        "/compare?dot=295017,+0295017,+146793,+99",
      ],
      status: 200,
      headers: { "snapshot-id": "a" },
      has: [
        "<h1>Compare 2 carriers</h1>",
        'scope="col"><a href="/carriers/295017"><bdi>FIRST LLC</bdi></a>',
        'scope="col"><a href="/carriers/146793"><bdi>SECOND INC</bdi></a>',
        '<th scope="row">USDOT number<td><span class="state ok">OK</span><small>Active</small><td><span class="state bad">Problem</span><small>Inactive',
        '<th scope="row">Operation<td><bdi>Interstate</bdi><td><bdi>Intrastate Non-Hazmat',
        '<tr class="same"><th scope="row">Power units<td><bdi>4</bdi><td><bdi>4</bdi>',
        '<th scope="row">Inspections, 24 months<td><bdi>None</bdi>',
        '<th scope="row">Drivers out of service<td><bdi>Not inspected',
        '<th scope="row">Dockets<td><bdi>MC 143229 (listed active)</bdi><td><bdi>None on file',
        "query_string=146793",
      ],
    },
    {
      visits: ["/compare?dot=295017,146793,1", "/compare?dot=MC+143229,+1"],
      has: ["<h1>Compare 3 carriers</h1>"],
    },
    {
      visits: ["/compare?dot=295017+146793+666+1"],
      has: ["<h1>Compare 4 carriers</h1>"],
    },
    {
      visits: ["/compare?dot=mc-143229"],
      has: [
        "<h1>Compare 2 carriers</h1>",
        'scope="col"><a href="/carriers/666"><bdi>&lt;b&gt;THIRD&lt;/b&gt;',
      ],
    },
    {
      visits: ["/compare?dot=MC+143229&dot=99"],
      has: ["MC 143229 is shared by 2 carriers. USDOT 99 is not in FMCSA's census of Oct 3, 2026"],
    },
  ],
);

pageTest(
  "/compare shows the carriers that it finds, and what is wrong with the other numbers",
  "few",
  [
    {
      visits: ["/compare?dot=295017,+99"],
      status: 200,
      has: [
        "<h1>Compare <bdi>FIRST LLC</bdi> with another</h1>",
        "USDOT 99 is not in FMCSA's census of Oct 3, 2026.",
        'value="295017, 99"',
        'scope="col"><a href="/carriers/295017"><bdi>FIRST LLC</bdi></a>',
      ],
    },
    {
      visits: ["/compare?dot=295017&dot=295017"],
      status: 200,
      has: [
        "USDOT 295017 is entered more than once.",
        'scope="col"><a href="/carriers/295017"><bdi>FIRST LLC</bdi></a>',
      ],
    },
    {
      visits: ["/compare?dot=295017,MC+295017,146793"],
      has: ["<h1>Compare 2 carriers</h1>", "MC 295017 is USDOT 295017, already listed"],
    },
    {
      visits: ["/compare?dot=acme,+295017,146793"],
      has: ["<h1>Compare 2 carriers</h1>", "Couldn't find one number in “acme”."],
    },
    {
      visits: ["/compare?dot=295017,146793,99"],
      has: ["USDOT 99 is not in FMCSA's census of Oct 3, 2026. Showing the others."],
    },
    {
      visits: ["/compare?dot=MC+77,+295017"],
      has: ["No carrier lists MC 77."],
    },
    {
      visits: ["/compare?dot=1,+2,+3,+666,+295017,+146793,+90100"],
      has: [
        "<h1>Compare 4 carriers</h1>",
        "You can compare up to 4 carriers: these are the first.",
      ],
    },
    {
      visits: ["/compare?dot=295017"],
      status: 200,
      has: ['value="295017" required="" autocomplete="off" maxlength="200" size="44" autofocus=""'],
    },
  ],
);

pageTest(
  "/compare explains beside the field when it finds no carrier, and keeps the input",
  "few",
  [
    {
      visits: ["/compare?dot=acme,+99"],
      status: 400,
      has: [
        'id="dot" name="dot" value="acme, 99" required="" autocomplete="off" maxlength="200" size="44" autofocus="" aria-describedby="dot-error dot-hint" aria-invalid="true"',
        "Couldn't find one number in “acme”. USDOT 99 is not in FMCSA's census of Oct 3, 2026.",
      ],
    },
    {
      visits: ["/compare?dot=,"],
      status: 400,
      has: ["Enter 2 to 4 USDOT or MC numbers"],
    },
    {
      visits: ["/compare"],
      status: 200,
    },
  ],
);
