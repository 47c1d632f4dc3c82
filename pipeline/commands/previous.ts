/**
 * The snapshot before: where it is, and whether there is anything new since.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import { note } from "../io.ts";
import { parsePointer, POINTER_PATH, type SourceFile } from "../snapshot/manifest.ts";
import { openSource } from "../snapshot/open_source.ts";
import { retryingSource } from "../snapshot/resilient_source.ts";
import type { Source } from "../snapshot/source.ts";

/** Opens the root of the snapshot before; an address that fails is asked again, a few times. */
export function openPrevious(location: string): Source {
  const source = openSource(location);
  if (!/^https?:/i.test(location)) return source;
  return retryingSource(source, {
    onFailure: (error) => note(`${messageOf(error)}; asked again`),
  });
}

/**
 * The id of the snapshot that is current at a root, if it was made from files of these hashes.
 *
 * @param hashes SHA-256 of each file, hex; one that is not known is no file of any snapshot.
 */
export async function madeFrom(
  root: Source,
  hashes: Record<SourceFile["role"], string | undefined>,
): Promise<string | undefined> {
  const bytes = await root.get(POINTER_PATH);
  if (bytes === null) return undefined;
  const { snapshot, sources } = parsePointer(bytes);
  const same = (["census", "inspections"] as const).every((role) =>
    sources.some((file) => file.role === role && file.sha256 === hashes[role])
  );
  return same ? snapshot : undefined;
}
