/**
 * Where the service answers questions.
 *
 * @module
 */

import type { Mount } from "../http/route.ts";
import { ask, type AskHttpDeps } from "./http.ts";

/** `/ask`, to be mounted in the app. */
export function askMount(deps: AskHttpDeps): Mount {
  return { path: "/ask", methods: ["GET", "POST"], fetch: (request) => ask(request, deps) };
}
