import assert from "node:assert/strict";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { ROUTES } from "../../site/site.ts";
import { BASE_URL } from "../api/http/service.ts";
import { parse } from "./document.ts";
import { PAGE_PATHS, siteOver } from "./app.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";

/** Maximum number of pages to visit per route. */
const MAX_PAGES_PER_ROUTE = 5;

/** The pattern of the route that answers a path. */
function routeOf(path: string): string | undefined {
  return ROUTES.find((route) =>
    new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)
  )?.path;
}

Deno.test("every link on every page resolves, and every asset loads", async () => {
  const { visit } = siteOver(openSource(await builtSample()));
  const ids = new Map<string, string[]>();
  const fragments: { from: string; path: string; id: string }[] = [];
  const followed = new Set<string>();
  const visits = new Map<string, number>();
  const queue = PAGE_PATHS.map((target) => ({ from: "the routes", target }));
  for (const { from, target } of queue) {
    const route = routeOf(target.split("?")[0]!);
    const count = (visits.get(route ?? target) ?? 0) + 1;
    if (followed.has(target) || count > MAX_PAGES_PER_ROUTE) continue;
    followed.add(target);
    visits.set(route ?? target, count);
    const response = await visit(target, { headers: { Accept: "text/html" } });
    const onward = response.headers.get("location");
    if (onward !== null) {
      queue.push({ from: target, target: onward });
      continue;
    }
    const text = await response.text();
    // A page that needs an input says so when it is opened without one.
    if (from !== "the routes" || ROUTES.find(({ path }) => path === route)?.listed) {
      assert.equal(response.status, 200, `${from} links to ${target}`);
    }
    if (!/^text\/html/.test(response.headers.get("content-type") ?? "")) continue;
    const document = parse(text);
    ids.set(target, Array.from(document.querySelectorAll("[id]"), ({ id }) => id));
    for (const one of document.querySelectorAll("a[href], link[href], [src]")) {
      const link = one.getAttribute("href") ?? one.getAttribute("src")!;
      const url = new URL(link, BASE_URL + target);
      if (url.origin !== BASE_URL) {
        assert.match(url.protocol, /^(?:https|mailto|tel):$/, `${target} links to ${link}`);
        continue;
      }
      const path = url.pathname + url.search;
      if (url.hash !== "") fragments.push({ from: target, path, id: url.hash.slice(1) });
      queue.push({ from: target, target: path });
    }
  }
  for (const { from, path, id } of fragments) {
    const known = ids.get(path) ?? [id];
    assert.ok(known.includes(decodeURIComponent(id)), `${from} links to ${path}#${id}`);
  }
  const sitemap = await (await visit("/sitemap.xml")).text();
  for (const { path, listed } of ROUTES) {
    if (listed) assert.ok(sitemap.includes(`<loc>${BASE_URL}${path}</loc>`), path);
  }
});
