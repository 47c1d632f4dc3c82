/**
 * GET /api/v1/changes: files that keep a copy of all carriers in step with the snapshots.
 *
 * @module
 */

import { z } from "zod";
import { type ChainedSnapshot, dateBefore, SYNC_DAYS } from "../../pipeline/snapshot/chain.ts";
import { CHANGES_PATH, snapshotPath, spanPath } from "../../pipeline/snapshot/paths.ts";
import { FILED_MEMBERS } from "../../pipeline/snapshot/record/filed.ts";
import type { DayChanges } from "../../pipeline/snapshot/manifest.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { Between } from "../rules/changes.ts";
import { SnapshotFacts } from "../rules/schemas.ts";
import { lookupOperation } from "./operation.ts";

const count = z.int().nonnegative();
const hash = z.string().describe("64 bits, hex: the sum of the hashes of all filed rows");

const ChangeFile = z.object({
  from: z.string().describe("Id of the snapshot to which the file is applied"),
  to: z.string().describe("Id of the snapshot that a copy then has"),
  between: Between.describe("Data dates between which the changes happened"),
  path: z.string().describe("Of the file, below `root`"),
  bytes: count,
  sha256: z.string(),
  lines: count.describe("The sum of `added`, `changed` and `removed`"),
  added: count.describe("Carriers that are new in the census, or in it again"),
  changed: count,
  removed: count.describe("Carriers that left the census"),
  carriers: count.describe("Carriers that a copy then has"),
  hash: hash.describe("Hash that a copy then has"),
  uncompared: z.array(z.string()).optional().describe(
    "Members that this service has read differently since: their new values are in the file, and are not changes to a carrier",
  ),
});

export const ChangeIndex = z.object({
  root: z.string().optional().describe(
    "Address below which the snapshots are; absent where the service reads them from a folder",
  ),
  to: z.string().describe("Id of the current snapshot"),
  oldest: z.string().describe("Id of the oldest snapshot that a copy can follow from"),
  carriers: count.describe("Carriers of the current snapshot"),
  hash: hash.optional(),
  members: z.array(z.string()).describe("Members of a row, by position"),
  files: z.array(ChangeFile).describe(
    `The oldest first, each \`from\` the \`to\` of the one before it; at most ${SYNC_DAYS}`,
  ),
  cumulative: z.array(ChangeFile).describe(
    "Files of the last 7 and 31 days, for a copy of any snapshot from `from` on; empty where there are none",
  ),
  snapshot: SnapshotFacts,
}).meta({ id: "ChangeIndex", description: "Files of changes" });

export type ChangeIndex = z.infer<typeof ChangeIndex>;

export const changeIndex = lookupOperation({
  id: "listChangeFiles",
  method: "GET",
  path: "/api/v1/changes",
  summary: "List the daily change files",
  description:
    "For programs with a copy of all carriers: one small file for each snapshot has what changed since the previous one. Keep the id of your snapshot; apply the files from there on in order, and compare the count and the hash. If no file has your id as `from` and it is not the current `to`, load the current snapshot. Or apply one file of 7 or 31 days, if your snapshot is among those it covers. FORMAT.md, section 12, describes the files; /developers has two clients.",
  input: z.object({}),
  parameters: {},
  output: ChangeIndex,
  errors: ["upstream_unavailable"],
  run: async (_, { snapshot, today }) => {
    const { id, address, manifest: { counts, sync } } = snapshot;
    const files = await listFiles(snapshot);
    return {
      ...(address !== undefined && { root: address }),
      to: id,
      oldest: files[0]?.from ?? id,
      carriers: counts.carriers,
      ...(sync && { hash: sync.hash }),
      members: [...FILED_MEMBERS],
      files,
      cumulative: await cumulativeFiles(snapshot),
      snapshot: snapshotFacts(snapshot, { today }),
    };
  },
});

/** The files of the newest snapshots, back to the first snapshot that has no file or is no longer kept. */
async function listFiles(snapshot: Snapshot): Promise<ChangeIndex["files"]> {
  const chain = await snapshot.chain();
  const kept = new Set((await snapshot.kept()).map(({ id }) => id));
  const files: ChangeIndex["files"] = [];
  for (let i = chain.length - 1; i > 0 && files.length < SYNC_DAYS; i--) {
    const { id, changes } = chain[i]!;
    if (changes === undefined || !kept.has(id)) break;
    files.push(describeFile(snapshot, chain, {
      ...changes,
      path: `${snapshotPath(id)}/${CHANGES_PATH}`,
      first: i,
      last: i,
    }));
  }
  return files.reverse();
}

/** The files of several days that the snapshot has. */
async function cumulativeFiles(snapshot: Snapshot): Promise<ChangeIndex["files"]> {
  const { id, manifest: { export: exported, sync, counts } } = snapshot;
  const chain = await snapshot.chain();
  return (exported?.changes ?? []).map(({ days, from, ...changes }) =>
    describeFile(snapshot, chain, {
      ...changes,
      hash: sync!.hash,
      carriers: counts.carriers,
      path: `${snapshotPath(id)}/${spanPath(days)}`,
      first: chain.findIndex((one) => one.id === from) + 1,
      last: chain.length - 1,
    })
  );
}

/**
 * @param file The file, with the positions in the chain of the first and last snapshot whose changes it has.
 */
function describeFile(
  { manifest: { gaps = [] } }: Snapshot,
  chain: readonly ChainedSnapshot[],
  { path, first, last, bytes, sha256, ...rest }: DayChanges & {
    path: string;
    first: number;
    last: number;
  },
): z.infer<typeof ChangeFile> {
  const [from, to] = [chain[first - 1]!, chain[last]!];
  const days = chain.slice(first, last + 1).map(({ data_date }) => data_date);
  const uncompared = new Set(
    gaps.flatMap(({ day, members }) => days.includes(day) ? members : []),
  );
  const earliest = dateBefore(days[0]!, chain.slice(0, first)) ?? from.data_date;
  return {
    from: from.id,
    to: to.id,
    between: [earliest, to.data_date],
    path,
    bytes,
    sha256,
    lines: rest.added + rest.changed + rest.removed,
    ...rest,
    ...(uncompared.size > 0 && { uncompared: [...uncompared] }),
  };
}
