/**
 * Which handler answers a request, by its path and method.
 *
 * @module
 */

export interface RouteMatch<H> {
  /** The pattern of the path, e.g. `/api/v1/carriers/{dot}`. */
  path: string;
  /** Null when the path has no such method. */
  handler: H | null;
  params: Readonly<Record<string, string>>;
  /** The methods of the path, as `Allow` lists them. */
  allow: string;
}

interface Route<H> {
  path: string;
  pattern: RegExp;
  names: string[];
  handlers: Map<string, H>;
  allow: string;
}

/** Handlers by path and method. A path without parameters goes before one with them. */
export class Router<H> {
  readonly #exact = new Map<string, Route<H>>();
  readonly #patterns: Route<H>[] = [];

  /**
   * Adds a handler. GET answers HEAD too.
   *
   * @param path With `{name}` for each parameter.
   * @param methods Undefined for all of them, OPTIONS too.
   */
  add(path: string, methods: readonly string[] | undefined, handler: H): void {
    const route = this.#routeOf(path);
    for (const method of methods ?? ["*"]) route.handlers.set(method, handler);
    const names = [...route.handlers.keys()]
      .flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
    route.allow = [...names, "OPTIONS"].join(", ");
  }

  /** The route of a path, null when there is none. */
  find(path: string, method: string): RouteMatch<H> | null {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return matchOf(exact, method, []);
    for (const route of this.#patterns) {
      const values = route.pattern.exec(path);
      if (values !== null) return matchOf(route, method, values);
    }
    return null;
  }

  #routeOf(path: string): Route<H> {
    const all = [...this.#exact.values(), ...this.#patterns];
    const known = all.find((route) => route.path === path);
    if (known !== undefined) return known;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const parts = path.split(/\{\w+\}/).map(RegExp.escape);
    const pattern = new RegExp(`^${parts.join("([^/]+)")}$`);
    const route = { path, pattern, names, handlers: new Map<string, H>(), allow: "" };
    if (names.length === 0) this.#exact.set(path, route);
    else this.#patterns.push(route);
    return route;
  }
}

const NO_PARAMS = {};

function matchOf<H>(route: Route<H>, method: string, values: readonly string[]): RouteMatch<H> {
  const { path, names, handlers, allow } = route;
  const handler = handlers.get(method === "HEAD" ? "GET" : method) ?? handlers.get("*") ?? null;
  const params = names.length === 0
    ? NO_PARAMS
    : Object.fromEntries(names.map((name, i) => [name, decoded(values[i + 1]!)]));
  return { path, handler, params, allow };
}

/** A segment of a path with its escapes decoded, or as is when they are malformed. */
function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
