import assert from "node:assert/strict";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  readCarriers,
  type Row,
  tempDir,
} from "./files.ts";

Deno.test("build() counts inspections that disagree with the census", async () => {
  await using dir = await tempDir();
  const seen = (id: number, dot: number, columns: Row): Row =>
    inspectionRow(id, dot, { INSP_DATE: `202609${10 + id % 20}`, ...columns });
  const names = [
    ...["ACME FREIGHT INC", "ACME FREIGHT", "Acme  Frieght, Inc.", "A C M E FREIGHT", "FAST ACME"],
    ...["OTHER LEASING LLC", "OTHER LEASING LLC", "JONES", ""],
  ];
  const long = `ROCKY MOUNTAIN ${"ALPHA BETA GAMMA ".repeat(4)}TRANSPORT LLC`;
  // Roadside names: an inspector's spelling of the filed name isn't one, and neither is a placeholder.
  const typed = [
    ["K & J TRUCKING", "TRUCKING K J", "K J TRKG", "UNKNOWN", "N/A", "T & V TRUCKING"],
    ["JOSÉ GARCÍA TRANSPORT", "J GARCIA TRANS", "M GARCIA TRANSPORT"],
    // The build keeps the first 60 bytes.
    [long, long.toLowerCase(), `${long} OF OHIO`],
    ["GENERAL TRANSPORT INC", "GENERAL TRANSPORT BROKERAGE LLC", "GENERAL TRANS"],
  ];
  const { report } = await buildFiles(dir.path, {
    census: censusCsv([
      censusRow(1, { LEGAL_NAME: "ACME FREIGHT INC", DBA_NAME: "FAST ACME" }),
      censusRow(2, { CARRIER_OPERATION: "C" }),
      censusRow(3, { HM_Ind: "" }),
      ...typed.map(([LEGAL_NAME], i) => censusRow(4 + i, { LEGAL_NAME: LEGAL_NAME! })),
    ]),
    inspections: inspectionCsv([
      ...typed.flatMap((names, i) =>
        names.map((INSP_CARRIER_NAME, k) => seen(100 + 10 * i + k, 4 + i, { INSP_CARRIER_NAME }))
      ),
      ...names.map((INSP_CARRIER_NAME, i) => seen(i + 1, 1, { INSP_CARRIER_NAME })),
      seen(11, 1, { INSP_INTERSTATE: "Y", HAZMAT_PLACARD_REQ: "Y" }),
      seen(12, 2, { INSP_INTERSTATE: "Y" }),
      seen(13, 2, { INSP_INTERSTATE: "N", HAZMAT_PLACARD_REQ: "Y" }),
      seen(14, 3, { HAZMAT_PLACARD_REQ: "Y", REPORT_STATE: "Ohio" }),
    ]),
  });
  const found = (await readCarriers(`${dir.path}/out`, [1, 2, 3])).map((carrier) => {
    const { interstate, placarded, renamed, names } = carrier!.inspections!;
    return { interstate, placarded, renamed, names };
  });
  // The window ends on Sep 24, the day of the newest inspection.
  assert.deepEqual(found, [
    {
      interstate: undefined,
      placarded: [1, 3, 3],
      renamed: [3, 8, 6],
      names: [["OTHER LEASING LLC", 2, 8, 7], ["JONES", 1, 6, 6]],
    },
    { interstate: [1, 2, 2], placarded: [1, 1, 1], renamed: undefined, names: undefined },
    { interstate: undefined, placarded: undefined, renamed: undefined, names: undefined },
  ]);
  const others = (await readCarriers(`${dir.path}/out`, [4, 5, 6, 7])).map((carrier) =>
    carrier!.inspections!.names?.map(([name]) => name)
  );
  assert.deepEqual(others, [
    ["T & V TRUCKING"],
    ["M GARCIA TRANSPORT"],
    undefined,
    ["GENERAL TRANSPORT BROKERAGE LLC"],
  ]);
  const unknown = report.inspections.problems.find(({ reason }) => reason === "unknown_code");
  assert.deepEqual(unknown?.examples, ['REPORT_STATE "Ohio"']);
});
