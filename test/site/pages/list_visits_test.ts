import { pageTest } from "./page_visits.ts";

pageTest(
  "a list's page says what was checked, how it was read, and what couldn't be read",
  "lists",
  [
    {
      visits: [{
        file:
          "Name;USDOT\r\nSome Carrier LLC;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\nE;0295017.0\r\n",
      }],
      status: 200,
      headers: { "x-robots-tag": "noindex" },
      has: [
        "5 checked: 1 problem, 2 to review, 1 no issues, 1 not found. 1 row needs fixing",
        "FMCSA data: census of Oct 3, 2026 (2 days old)",
        "Kept until 1:00 PM Eastern time on Oct 5, 2026, then deleted",
        "Read: your names from column 1, “Name”; USDOT numbers from column 2, “USDOT”. Row 1 was read as headings.",
        "1 duplicate",
        "Row 4: Couldn't find one number in “x<b>y”",
        '<tbody><tr><td>2<td data-by="5"><div class="state info"><bdi>No issues found; 3 of 6 checks have no data</bdi></div><td data-by="295017"><a href="/carriers/295017">USDOT 295017</a> · <a href="https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&amp;query_type=queryCarrierSnapshot&amp;query_param=USDOT&amp;query_string=295017" aria-label="SAFER, USDOT 295017">SAFER</a><td',
      ],
      hasNot: ['class="state ok"'],
    },
  ],
);

pageTest("a list's CSV file has every row in the original order, and no formulas", "lists", [
  // What the census leaves blank is blank, not 0.
  // Invisible characters are left out, as on the pages.
  {
    visits: [{
      file:
        'Name;USDOT\r\nSome Carrier LLC;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\n"SAY ""HI"" LLC";MC 143229\r\nA​C‮ME;MC 99\r\n',
      result: ".csv",
    }],
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="usdot-check-2026-10-05.csv"',
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    },
    has: [
      "row,read_as,your_name,your_place,your_text,dot,result,verdict,findings,repeats_row,other_dots,name,dba_name,street,city,state,zip,phone,status,operation,power_units,drivers,mc_number,",
      '2,USDOT 295017,Some Carrier LLC,,,295017,No issues,"No issues found; 3 of 6 checks have no data",,,,SOME CARRIER,,,AKRON,OH,,,active,Interstate,4,,,Not rated,2026-01-23,2027-07-31,ok,0,,,OK,OK,No data,No data,No data,',
      ",https://carriers.example/carriers/295017,2026-10-03,2026-10-03,2,,match,,",
      '3,USDOT 666,"\'=1+1",,,666,Review,',
      '4,,B,,,,Needs fixing,"Couldn\'t find one number in “x<b>y”",,,,,',
      '5,USDOT 4,C,,,4,Not found,"USDOT 4 isn\'t in the data",,,,,',
      '6,USDOT 146793,D,,,146793,Problem,Inactive (and 1 more),"Problem: Inactive; Review: Your name “D” differs: No word is the same as in FMCSA\'s name",',
      '7,MC 143229,"SAY ""HI"" LLC",,,146793,Problem,Inactive (and 2 more),"Problem: Inactive; Review: MC 143229 is shared by 2 USDOT numbers;',
      "8,MC 99,ACME,,,,Not found,No carrier in the data lists MC 99,",
    ],
  },
]);

pageTest("rows are filtered and sorted by the URL, without a script", "lists", [
  {
    visits: [{ pasted: "295017 666 4 146793 295017", result: "?sort=dot" }],
    has: [
      '<th scope="col" aria-sort="ascending"><a href="?sort=dot&amp;dir=desc">',
      "1Not found: USDOT 4 isn't in the dataUSDOT 4",
    ],
  },
  {
    visits: [{ pasted: "295017 666 4 146793 295017", result: "?sort=dot&show=clear" }],
    has: [
      '<th scope="col" aria-sort="ascending"><a href="?sort=dot&amp;dir=desc&amp;show=clear">',
      '<a href="?sort=dot&amp;show=clear" aria-current="true">No issues (3)',
    ],
    hasNot: ["carriers/146793"],
  },
  {
    visits: [{ pasted: "295017 666 4 146793 295017", result: "?show=problem" }],
    has: ["carriers/146793"],
    hasNot: ["carriers/295017"],
  },
  {
    visits: [{ pasted: "295017 666 4 146793 295017", result: "?sort=result" }],
    has: ['<tbody><tr><td>1<td data-by="0"><div class="state bad"><bdi>Problem: Inactive'],
  },
]);

pageTest(
  "rows that repeat a carrier name its first row, also when that has another number",
  "lists",
  [
    {
      visits: [{ pasted: "USDOT 111898\nMC 1896\nMC 99\nx\nMC 99\nUSDOT 4\nx" }],
      has: ["Duplicate of row 1MC 1896", "lists MC 99Duplicate of row 3MC 99"],
      hasNot: ["Duplicate of row 4", "Duplicate of row 2"],
    },
  ],
);

pageTest(
  "an ambiguous column leads to a question, and the list is resubmitted with the answer",
  "lists",
  [
    {
      visits: [{ file: 'Carrier,Number\r\n"Acme ""A"" <b>",1896\r\nB,4\r\n' }],
      status: 200,
      headers: { "cache-control": "no-store" },
      has: [
        '<input type="hidden" name="text" value="Carrier,Number &quot;Acme &quot;&quot;A&quot;&quot; &lt;b&gt;&quot;,1896 B,4 "',
        '<option value="" >Not used</option><option value="2:USDOT" >USDOT numbers</option><option value="2:MC" >MC numbers</option><option value="2:MX" >MX numbers</option><option value="2:FF" >FF numbers</option></select>',
        "Column 1, “Carrier”</option></select>",
        '2Acme "A" <b>1896',
      ],
    },
    // A browser sends other line breaks.
    {
      visits: [{
        pasted: 'Carrier,Number\r\n"Acme ""A"" <b>",1896\r\nB,4\r\n',
        columns: ["2:MC", "1:name"],
      }],
      has: ['<a href="/carriers/111898">USDOT 111898', 'ACMEAcme "A" <b>'],
    },
    {
      visits: [{ pasted: "Carrier,Number\nAcme,1896", columns: ["1:name"] }],
      has: ["Choose a type for at least one column"],
    },
    {
      visits: [{ pasted: "MC 1896\n295017" }],
      has: ['<label for="column-1">Numbers without a prefix'],
    },
  ],
);

pageTest("an unreadable list gets the form back with what is wrong and the input", "lists", [
  {
    visits: [{ pasted: "nobody <here>" }],
    status: 400,
    has: [
      "<h1>Check a list",
      'aria-describedby="text-error text-hint" aria-invalid="true"',
      'id="text-error">We can&#39;t find a USDOT, MC, MX or FF number in this list.',
      ">nobody &lt;here&gt;</textarea>",
    ],
  },
  {
    visits: [{ pasted: "" }],
    status: 400,
    has: ['text-error">There is no list yet'],
  },
  {
    visits: [{ file: "PK\u0003\u0004..." }],
    status: 400,
    has: ['id="file-error">We can&#39;t read this file: it is an Excel workbook'],
  },
  {
    visits: [{ file: "%PDF-1.7" }],
    status: 400,
    has: ['id="file-error">We can&#39;t read this file: it is a PDF'],
  },
  {
    visits: [{ file: "1\u0000\u0000" }],
    status: 400,
    has: ['id="file-error">We can&#39;t read this file: it is not a text file'],
  },
]);

pageTest("a sign-up with a mistake says where it is and keeps the input", "lists", [
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "nobody", "dot": "295017", "kind": "status" },
    }, {
      post: "/alerts",
      fields: { "address": "a@b.example\r\nBcc: c@d.example", "dot": "295017", "kind": "status" },
    }],
    status: 400,
    has: [
      'aria-invalid="true"',
      'id="address-error">We can&#39;t send email to this address',
      ">295017</textarea>",
    ],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "12A", "kind": "status" },
    }],
    status: 400,
    has: [
      'id="dot-error">We can&#39;t use “12A” (not a carrier&#39;s number). Enter USDOT, MC, MX or FF numbers, such as 286764',
      ">12A</textarea>",
      'name="address" value="a@b.example"',
    ],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "295020", "kind": "status" },
    }],
    status: 400,
    has: ['id="dot-error">We can&#39;t use USDOT 295020 (not in the data)', ">295020</textarea>"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "MC 99", "kind": "status" },
    }],
    status: 400,
    has: ["We can&#39;t use MC 99 (no carrier lists it)", ">MC 99</textarea>"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "MC 143229", "kind": "status" },
    }],
    status: 400,
    has: [
      "2 carriers list MC 143229. Which do you mean?",
      '<input type="checkbox" name="dot" value="146793">',
    ],
    hasNot: ["dot-error", "MC 143229</textarea>"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "MC abc 295017", "kind": "status" },
    }],
    status: 400,
    has: ["We can&#39;t use “MC abc 295017” (not a carrier&#39;s number)"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": " ", "kind": "status" },
    }],
    status: 400,
    has: ['id="dot-error">Enter USDOT, MC, MX or FF numbers'],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "295020 295017\n7", "kind": "status" },
    }],
    status: 400,
    has: [
      "We left out USDOT 295020 (not in the data), USDOT 7 (not in the data). Check the rest",
      ">295017</textarea>",
    ],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "12A, 295017\nMC 5", "kind": "status" },
    }],
    status: 400,
    has: [
      "We left out “12A” (not a carrier&#39;s number), MC 5 (no carrier lists it). Check the rest, then sign up again.",
      ">295017</textarea>",
    ],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "295017 a b c d e f", "kind": "status" },
    }],
    has: ["“e” (not a carrier&#39;s number) and more. Check the rest"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: { "address": "a@b.example", "dot": "295017\n123,456 789", "kind": "status" },
    }],
    status: 400,
    has: ["“123,456 789” (could be one number or", ">295017</textarea>"],
  },
  {
    visits: [{
      post: "/alerts",
      fields: {
        "address": "a@b.example",
        "dot":
          "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51",
        "kind": "status",
      },
    }],
    status: 400,
    has: ["Enter at most 50 numbers"],
  },
]);

pageTest("alerts can be set for the carriers of a checked list", "lists", [
  {
    visits: [{ pasted: "295017\n1896\n7\n295017" }],
    has: ['href="/alerts?dot=295017%0A1896">Watch these carriers'],
  },
]);
