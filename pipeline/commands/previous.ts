/**
 * The snapshot before, as an argument.
 *
 * @module
 */

import { messageOf } from "../message_of.ts";
import { note } from "../out.ts";
import { backOff, sleep } from "../regulator/retry.ts";
import { openSource } from "../snapshot/open_source.ts";
import type { Source } from "../snapshot/source.ts";

const TRIES = 4;

/** Opens the root of the snapshot before; an address that fails is asked again, a few times. */
export function openPrevious(location: string): Source {
  const source = openSource(location);
  if (!/^https?:/i.test(location)) return source;
  return {
    name: source.name,
    async get(path, signal) {
      for (let failures = 1;; failures++) {
        try {
          return await source.get(path, signal);
        } catch (error) {
          if (failures === TRIES) throw error;
          note(`${messageOf(error)}; asked again`);
          await sleep(backOff(failures, Math.random()), signal);
        }
      }
    },
  };
}
