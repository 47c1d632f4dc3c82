/**
 * Where the service describes itself: every discovery document, to be mounted in the app.
 *
 * @module
 */

import type { Mount } from "../http/route.ts";
import { type Document, mountOf } from "./document.ts";
import { openApi } from "./openapi.ts";

/** What the documents are made from beside the code of this room. */
export interface DiscoveryOptions {
  /** Address of the service, without a final slash. */
  baseUrl: string;
}

/** Paths of the documents. */
export function discoveryMounts(options: DiscoveryOptions): Mount[] {
  return documents(options).map(mountOf);
}

/** Every document. */
export function documents({ baseUrl }: DiscoveryOptions): Document[] {
  return [{
    path: "/openapi.json",
    type: "application/json; charset=utf-8",
    text: () => JSON.stringify(openApi(baseUrl)),
  }];
}
