/**
 * Example calls: what a call returns from the current snapshot, and the form that runs one.
 *
 * @module
 */

import { exampleTarget } from "../../../api/discovery/examples.ts";
import type { ParameterObject } from "../../../api/discovery/openapi.ts";
import { readParameters } from "../../../api/http/parameters.ts";
import { carriersCsv } from "../../../api/operations/carriers_csv.ts";
import { changeIndex } from "../../../api/operations/changes.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import type { Operation } from "../../../api/operations/operation.ts";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { exampleMc, exampleRecord } from "../../../pipeline/snapshot/example.ts";
import { Field } from "../../components/blocks.tsx";
import { currentSnapshot, lookUp, type PageRoute, redirect, type Visit } from "../route.ts";

/** Operations that can be called with a URL alone, without a body. */
const CALLABLE: readonly Pick<Operation, "id" | "path">[] = [
  ...OPERATIONS,
  carriersCsv,
  changeIndex,
];

type Values = Readonly<Record<string, string>>;

/** Whether the form can run an operation. */
export function isCallable(id: string): boolean {
  return CALLABLE.some((operation) => operation.id === id);
}

/** The path and query of a call; undefined when a part of the path is missing. */
function targetOf({ path }: { path: string }, values: Values): string | undefined {
  const query = new URLSearchParams();
  let target = path;
  for (const [name, value] of Object.entries(values)) {
    if (value === "") continue;
    if (target.includes(`{${name}}`)) {
      target = target.replace(`{${name}}`, () => encodeURIComponent(value));
    } else query.append(name, value);
  }
  if (/\{\w+\}/.test(target)) return undefined;
  return query.size === 0 ? target : `${target}?${query.toString().replaceAll("%2C", ",")}`;
}

/** The parameters of an operation's example. */
function exampleValues(id: string, path: string): Values {
  const url = new URL(exampleTarget(id), "http://localhost");
  const pattern = path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return {
    ...new RegExp(`^${pattern}$`).exec(url.pathname)?.groups,
    ...Object.fromEntries(url.searchParams),
  };
}

export interface ExampleRun {
  values: Values;
  /** The path and query. */
  target: string;
  /** What the call returns now. Absent for an operation that the page does not run. */
  answer?: unknown;
  /** Whether the data could not be read. */
  isOutage?: boolean;
}

/** Returns an operation's example for a carrier that the snapshot has, with its current answer. */
export async function runExample(
  id: string,
  path: string,
  visit: Visit,
): Promise<ExampleRun> {
  const usual = exampleValues(id, path);
  const values = { ...usual, ...await presentValues(visit, usual) };
  const target = targetOf({ path }, values)!;
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) return { values, target };
  try {
    const input = readParameters(operation, {
      url: `http://localhost${target}`,
      path: values,
    });
    return { values, target, answer: (await lookUp(visit, operation, input)).answer };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.status >= 500
      ? { values, target, isOutage: true }
      : { values, target, answer: error.body() };
  }
}

/** Returns values to replace those of an example if the snapshot lacks its carrier. */
async function presentValues({ site: { reader } }: Visit, usual: Values): Promise<Values> {
  const snapshot = await currentSnapshot(reader);
  const found = snapshot && await exampleRecord(snapshot).catch(() => null);
  if (!found || Object.values(usual).some((value) => value.includes(String(found.dot)))) return {};
  const { dot, legal_name = "", city = "" } = found;
  const mc = exampleMc(found);
  const present: Values = {
    dot: String(dot),
    dots: String(dot),
    q: `${legal_name} ${city}`.trim().toLowerCase(),
    name: legal_name,
    city,
    ...mc !== undefined && { mc: String(mc), docket: `MC-${mc}` },
  };
  return Object.fromEntries(Object.entries(present).filter(([name]) => name in usual));
}

/** A list with more than `MOST_ITEMS` items is cut to the first `FIRST_ITEMS`. */
const MOST_ITEMS = 8;
const FIRST_ITEMS = 2;

/** Returns an answer as indented JSON. Long lists are cut, and end with how many items are missing. */
export function shownAnswer(answer: unknown): string {
  const cut = (_: string, value: unknown): unknown =>
    Array.isArray(value) && value.length > MOST_ITEMS && typeof value[0] === "object"
      ? [...value.slice(0, FIRST_ITEMS), `and ${value.length - FIRST_ITEMS} more`]
      : value;
  return JSON.stringify(answer, cut, 2);
}

interface CallFormProps {
  operation: { id: string; path: string };
  parameters: readonly ParameterObject[];
  values: Values;
}

/** The form that runs a call. Without scripts, submitting it opens the answer. */
export function CallForm({ operation: { id, path }, parameters, values }: CallFormProps) {
  return (
    <form action={`/developers/${id}/run`} class="card call" data-path={path}>
      {parameters.map(({ name, required }) => (
        <Field
          id={`run-${name}`}
          name={name}
          label={<code>{name}</code>}
          value={values[name] ?? ""}
          input={{ required, autocomplete: "off", spellcheck: false }}
        />
      ))}
      <p class="actions">
        <button type="submit">Run</button>
      </p>
    </form>
  );
}

/** Handles the form when it is submitted without scripts: redirects to the answer. */
export const callRoute: PageRoute = {
  path: "/developers/{operation}/run",
  answer({ params, url }) {
    const operation = CALLABLE.find(({ id }) => id === params.operation);
    if (operation === undefined) throw new ServiceError("not_found", "There is no such operation");
    const values = Object.fromEntries(url.searchParams);
    return redirect(targetOf(operation, values) ?? `/developers/${operation.id}`);
  },
};
