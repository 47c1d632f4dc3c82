import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../api/operations/errors.ts";
import type { StoredResponse } from "../../../api/state/idempotency.ts";
import {
  answer,
  DAY,
  type Death,
  IdempotencyWorld,
  LEASE,
  MortalKv,
  request,
} from "./idempotency_world.ts";

interface Claim {
  body: string;
  run: string;
  leaseEnds: number;
  expires: number;
  answer: string | null;
}

/** What must come of requests: the run to do the work, the run whose answer is given, or an error. */
class Model {
  now = 0;
  readonly claims = new Map<string, Claim>();

  begin(id: string, body: string, run: string): string {
    const claim = this.#live(id);
    if (claim !== null && claim.body !== body) return "idempotency_key_reused";
    if (claim !== null && claim.answer !== null) return `answer of ${claim.answer}`;
    if (claim !== null && claim.leaseEnds > this.now) return "request_in_progress";
    const { now } = this;
    this.claims.set(id, { body, run, leaseEnds: now + LEASE, expires: now + DAY, answer: null });
    return "work";
  }

  finish(id: string, { run, body, ok }: { run: string; body: string; ok: boolean }): string {
    const claim = this.claims.get(id);
    if (claim?.run === run && ok) claim.answer = run;
    if (claim?.run === run && !ok) this.claims.delete(id);
    if (!ok) return "failed";
    if (claim?.run === run) return `answer of ${run}`;
    const theirs = this.#live(id);
    if (theirs !== null && theirs.body !== body) return "idempotency_key_reused";
    return theirs?.answer ? `answer of ${theirs.answer}` : "request_in_progress";
  }

  #live(id: string): Claim | null {
    const claim = this.claims.get(id);
    return claim !== undefined && claim.expires > this.now ? claim : null;
  }
}

const LONG = 100_000;
const FAILURE = new Error("no data");

/** A request at work. */
interface Run {
  id: string;
  body: string;
  name: string;
  death: Death | null;
  died: Promise<void>;
  work: PromiseWithResolvers<StoredResponse>;
  outcome: Promise<string>;
}

interface Real {
  world: IdempotencyWorld;
  runs: Run[];
  made: number;
}

class Send implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly who: { client: string; operation: string; key: string },
    readonly body: string,
    readonly death: Death | null,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const { who: { client, operation, key }, body, death } = this;
    const name = `run ${++real.made}`;
    const id = JSON.stringify(this.who);
    const kv = new MortalKv(real.world.kv, death);
    const work = Promise.withResolvers<StoredResponse>();
    const started = Promise.withResolvers<string>();
    const outcome = real.world.process(kv).run({ ...request(body), client, operation, key }, () => {
      started.resolve("work");
      return work.promise;
    }).then(({ response }) => nameOf(response), outcomeOf);
    const came = await Promise.race([started.promise, outcome, kv.died.then(() => "died")]);
    if (death?.commit === 1) {
      // Dead as soon as it claims; before, nobody knows that it was there.
      const before = structuredClone(model.claims.get(id));
      const expected = model.begin(id, body, name);
      assert.equal(came, expected === "work" ? "died" : expected);
      if (!death.after && expected === "work") {
        if (before === undefined) model.claims.delete(id);
        else model.claims.set(id, before);
      }
      return;
    }
    assert.equal(came, model.begin(id, body, name));
    if (came === "work") real.runs.push({ id, body, name, death, died: kv.died, work, outcome });
  }

  toString(): string {
    return `Send(${JSON.stringify([this.who, this.body, this.death])})`;
  }
}

class Finish implements fc.AsyncCommand<Model, Real> {
  constructor(readonly which: number, readonly ok: boolean, readonly long: boolean) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    if (real.runs.length === 0) return;
    const [run] = real.runs.splice(this.which % real.runs.length, 1);
    const { id, body, name, death, died, work, outcome } = run!;
    if (this.ok) work.resolve(answer(name, this.long ? LONG : 0));
    else work.reject(FAILURE);
    const came = await Promise.race([outcome, died.then(() => "died")]);
    // The commit that ends it comes after that of the pieces of a long answer.
    const last = this.ok && this.long ? 3 : 2;
    const effect = death === null || death.commit > last || (death.commit === last && death.after);
    if (!effect) return assert.equal(came, "died");
    const expected = model.finish(id, { run: name, body, ok: this.ok });
    // It may also die in giving up a claim that is another's by now.
    if (death === null || came !== "died") assert.equal(came, expected);
  }

  toString(): string {
    return `Finish(${this.which}, ${this.ok}, ${this.long})`;
  }
}

class Advance implements fc.AsyncCommand<Model, Real> {
  constructor(readonly ms: number) {}

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    model.now += this.ms;
    real.world.clock.advance(this.ms);
    return Promise.resolve();
  }

  toString(): string {
    return `Advance(${this.ms})`;
  }
}

/** The run an answer comes from, if it is that run's to the last byte. */
function nameOf(response: StoredResponse): string {
  const [, name] = response.headers.find(([header]) => header === "Snapshot-Id")!;
  assert.deepEqual(response, answer(name, response.body.length));
  return `answer of ${name}`;
}

function outcomeOf(error: unknown): string {
  if (error === FAILURE) return "failed";
  if (error instanceof ServiceError) return error.code;
  throw error;
}

Deno.test("requests with keys come to what the model says, through deaths, leases and days", async () => {
  const who = fc.record({
    client: fc.constantFrom("a", "b"),
    operation: fc.constantFrom("batch", "jobs"),
    key: fc.constantFrom("k", "l"),
  });
  const often = fc.constant({ client: "a", operation: "batch", key: "k" });
  const death = fc.option(
    fc.record({ commit: fc.integer({ min: 1, max: 3 }), after: fc.boolean() }),
  );
  const commands = fc.commands([
    fc.tuple(fc.oneof({ weight: 3, arbitrary: often }, who), fc.constantFrom("x", "x", "y"), death)
      .map(([who, body, death]) => new Send(who, body, death)),
    fc.tuple(fc.nat(5), fc.constantFrom(true, true, false), fc.boolean())
      .map(([which, ok, long]) => new Finish(which, ok, long)),
    fc.constantFrom(1, 1_000, LEASE - 1, LEASE, DAY - LEASE, DAY - 1, DAY)
      .map((ms) => new Advance(ms)),
  ], { maxCommands: 40 });
  await fc.assert(
    fc.asyncProperty(commands, async (commands) => {
      const setup = () => ({
        model: new Model(),
        real: { world: new IdempotencyWorld(), runs: [], made: 0 },
      });
      await fc.asyncModelRun(setup, commands);
    }),
    { numRuns: 300 },
  );
});
