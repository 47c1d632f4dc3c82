/**
 * Where visitors can read the snapshots themselves.
 *
 * @module
 */

/** The address of the snapshots without a final slash, when it is one that others can read too. */
export function publicAddress(snapshotUrl: string | undefined): string | undefined {
  return snapshotUrl !== undefined && /^https?:/i.test(snapshotUrl)
    ? snapshotUrl.replace(/\/+$/, "")
    : undefined;
}
