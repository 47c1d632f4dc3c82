/**
 * Where the service answers other agents.
 *
 * @module
 */

import type { Mount } from "../http/route.ts";
import { a2a, type A2aDeps } from "./http.ts";

/** `/a2a`, to be mounted in the app. */
export function a2aMount(deps: A2aDeps): Mount {
  return { path: "/a2a", methods: ["POST"], fetch: (request) => a2a(request, deps) };
}
