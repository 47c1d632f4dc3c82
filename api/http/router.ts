/**
 * Which route answers a request, by its path and method.
 *
 * @module
 */

interface Routed {
  /** With `{name}` for each parameter. */
  path: string;
  /** GET includes HEAD. All of them, OPTIONS too, when there is no list. */
  methods?: readonly string[];
}

export interface RouteMatch<R> {
  /** The route, or another one of the path when `isAllowed` is false. */
  route: R;
  /** Whether the path has the method. */
  isAllowed: boolean;
  params: Readonly<Record<string, string>>;
  /** The methods of the path, except OPTIONS. */
  methods: readonly string[];
}

interface Path<R> {
  pattern: RegExp;
  names: string[];
  routes: R[];
  methods: string[];
}

/** Finds routes. A path without parameters goes before one with them. */
export class Router<R extends Routed> {
  readonly #exact = new Map<string, Path<R>>();
  readonly #patterns = new Map<string, Path<R>>();

  constructor(routes: readonly R[]) {
    for (const route of routes) this.#add(route);
  }

  /** The route of a path, null when there is none. */
  find(path: string, method: string): RouteMatch<R> | null {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return matchOf(exact, method, []);
    for (const found of this.#patterns.values()) {
      const values = found.pattern.exec(path);
      if (values !== null) return matchOf(found, method, values);
    }
    return null;
  }

  #add(route: R): void {
    const { path, methods = [] } = route;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const paths = names.length === 0 ? this.#exact : this.#patterns;
    const parts = path.split(/\{\w+\}/).map(RegExp.escape);
    const pattern = new RegExp(`^${parts.join("([^/]+)")}$`);
    const known = paths.get(path) ?? { pattern, names, routes: [], methods: [] };
    known.routes.push(route);
    known.methods.push(...methods.flatMap((name) => name === "GET" ? [name, "HEAD"] : [name]));
    paths.set(path, known);
  }
}

const NO_PARAMS = {};

function matchOf<R extends Routed>(
  { routes, names, methods }: Path<R>,
  method: string,
  values: readonly string[],
): RouteMatch<R> {
  const wanted = method === "HEAD" ? "GET" : method;
  const route = routes.find(({ methods }) => methods?.includes(wanted) ?? true);
  const params = names.length === 0
    ? NO_PARAMS
    : Object.fromEntries(names.map((name, i) => [name, decoded(values[i + 1]!)]));
  return { route: route ?? routes[0]!, isAllowed: route !== undefined, params, methods };
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
