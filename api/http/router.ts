/**
 * Which route answers a request, by its path and method.
 *
 * @module
 */

interface Routed {
  /** With `{name}` for each parameter. */
  path: string;
  /** GET includes HEAD. If absent, all methods, including OPTIONS. */
  methods?: readonly string[];
}

export interface RouteMatch<R> {
  /** The route, or another route of the same path when `isAllowed` is false. */
  route: R;
  isAllowed: boolean;
  params: Readonly<Record<string, string>>;
  /** The methods of the path, except OPTIONS. */
  methods: readonly string[];
}

interface Path<R> {
  /** With a named group for each parameter. */
  pattern: RegExp;
  /** By method; `*` is any other. */
  routes: Map<string, R>;
  first: R;
  methods: string[];
}

/** Finds routes. A path without parameters takes precedence over one with them. */
export class Router<R extends Routed> {
  readonly #exact = new Map<string, Path<R>>();
  readonly #patterns = new Map<string, Path<R>>();

  constructor(routes: readonly R[]) {
    for (const route of routes) this.#add(route);
  }

  find(path: string, method: string): RouteMatch<R> | null {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return matchOf(exact, method, NO_PARAMS);
    for (const found of this.#patterns.values()) {
      const params = found.pattern.exec(path)?.groups;
      if (params === undefined) continue;
      if (path.includes("%")) {
        for (const [name, value] of Object.entries(params)) params[name] = decoded(value);
      }
      return matchOf(found, method, params);
    }
    return null;
  }

  #add(route: R): void {
    const { path, methods = ["*"] } = route;
    const parts = path.split(/(\{\w+\})/).map((part) =>
      part.startsWith("{") ? `(?<${part.slice(1, -1)}>[^/]+)` : RegExp.escape(part)
    );
    const paths = parts.length === 1 ? this.#exact : this.#patterns;
    const pattern = new RegExp(`^${parts.join("")}$`);
    const known: Path<R> = paths.get(path) ??
      { pattern, routes: new Map(), first: route, methods: [] };
    for (const name of methods.flatMap((name) => name === "GET" ? [name, "HEAD"] : [name])) {
      if (!known.routes.has(name)) known.routes.set(name, route);
      if (name !== "*") known.methods.push(name);
    }
    paths.set(path, known);
  }
}

const NO_PARAMS = {};

function matchOf<R>(
  { routes, first, methods }: Path<R>,
  method: string,
  params: Readonly<Record<string, string>>,
): RouteMatch<R> {
  const route = routes.get(method) ?? routes.get("*");
  return { route: route ?? first, isAllowed: route !== undefined, params, methods };
}

/** A segment of a path with its escapes decoded, or as is when they are malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
