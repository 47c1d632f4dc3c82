/** The workflows as text, step by step: enough YAML for ours. */

const FOLDER = new URL("../.github/workflows/", import.meta.url);

/** A step of a job. */
export interface Step {
  job: string;
  /** Its lines, with their indentation. */
  text: string;
  /** The command, with folded lines joined. */
  run?: string;
}

/** A workflow file. */
interface Workflow {
  name: string;
  text: string;
  steps: Step[];
}

/** Reads all of them. */
export async function readWorkflows(): Promise<Workflow[]> {
  const entries = await Array.fromAsync(Deno.readDir(FOLDER));
  return await Promise.all(
    entries.map(({ name }) => name).filter((name) => name.endsWith(".yml")).sort().map(
      async (name) => {
        const text = await Deno.readTextFile(new URL(name, FOLDER));
        return { name, text, steps: stepsOf(text) };
      },
    ),
  );
}

function stepsOf(text: string): Step[] {
  const jobs = text.slice(text.indexOf("\njobs:\n") + 7).split(/^(?= {2}[a-z_]+:$)/m);
  return jobs.flatMap((body) => {
    const job = /^ {2}([a-z_]+):/.exec(body)?.[1] ?? "";
    return body.split(/^(?= {6}- )/m).slice(1).map((text) => {
      const run = runOf(text);
      return { job, text, ...(run === undefined ? {} : { run }) };
    });
  });
}

function runOf(step: string): string | undefined {
  const [, style, first = ""] = /^ {6}(?:- | {2})run: (\||>-)?(.*)$/m.exec(step) ?? [];
  if (style === undefined) return first === "" ? undefined : first;
  const at = step.search(/run: (?:\||>-)\n/);
  const lines = step.slice(step.indexOf("\n", at) + 1).split("\n");
  const end = lines.findIndex((line) => line !== "" && !line.startsWith(" ".repeat(10)));
  const body = lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(10));
  return style === "|" ? body.join("\n") : body.join(" ").trim();
}
