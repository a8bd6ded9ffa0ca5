import { readFileSync } from "node:fs";
import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { NodeSignal } from "@oven/contract/node";
import { EngineHarness } from "../engine-harness.ts";
import type { ScriptedNode } from "../scripted-nodes.ts";

const DEFINITIONS = new URL("./definitions/", import.meta.url);

/** A step that people or other services do: it is done when its event comes. */
const waitForEvent: ScriptedNode = {
  isWait: true,
  run: ({ input }) => ({
    type: "wait",
    for: "event",
    request: { event: String((input as JsonObject).event), correlation: null, dueAt: null }, // cast: inputs are objects
  }),
  resume: (_call, signal) => {
    if (signal.type !== "event") throw new Error(`ended by ${signal.type}`);
    return { type: "done", output: { event: signal.event, payload: signal.payload } };
  },
};
/** A step that is done at once. */
const log: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) }; // cast: as above
/** Calls the workflow itself, whatever its name. */
const callWorkflow: ScriptedNode = {
  isWait: true,
  run: ({ input }) => ({
    type: "wait",
    for: "child",
    request: {
      ...{ kind: "workflow", workflowId: 1, workflowVersion: 1, part: null, dueAt: null },
      input: (input as { input: JsonObject }).input, // cast: as the definition has it
    },
  }),
  resume: (_call, signal: NodeSignal) => {
    if (signal.type !== "child") throw new Error(`ended by ${signal.type}`);
    if (signal.status !== "completed") throw new OvenError("CHILD_FAILED", signal.error?.message ?? signal.status);
    return { type: "done", output: { output: signal.output } };
  },
};

function readPattern(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, DEFINITIONS), "utf8"));
}

/** A run of a pattern's definition, driven step by step. */
export class PatternRun {
  readonly #harness: EngineHarness;
  readonly #id: number;

  private constructor(harness: EngineHarness, id: number) {
    this.#harness = harness;
    this.#id = id;
  }

  /** Starts it and works until it rests. @param name of the definition's file, without its ending */
  static async start(name: string, input: JsonObject = {}): Promise<PatternRun> {
    const nodes = { "core.waitForEvent": waitForEvent, "core.log": log, "core.callWorkflow": callWorkflow };
    const harness = new EngineHarness(readPattern(name), nodes);
    return new PatternRun(harness, await harness.execute(input));
  }

  /** The run and those inside it, in the order in which they began. */
  get #family() {
    return [...this.#harness.store.runs.values()];
  }

  /** Steps at work, by the states that they stand in, sorted; those of instances, too. */
  get open(): string[] {
    const rows = this.#family.flatMap((run) => run.rows);
    const open = rows.filter(
      ({ status, nodeId }) => (status === "running" || status === "paused") && this.started(nodeId) > 0,
    );
    return open.map(({ nodeId }) => nodeId).sort();
  }

  /** How often a state's step was started, in the run and its instances. */
  started(stateId: string): number {
    return this.#harness.nodes.calls.filter((call) => call.startsWith(`run ${stateId}#`)).length;
  }

  /** Steps in the order in which they were started. */
  get order(): string[] {
    return this.#harness.nodes.calls
      .filter((call) => call.startsWith("run "))
      .map((call) => call.slice("run ".length).split("#")[0] ?? "");
  }

  get status(): string {
    return this.#harness.columns(this.#id).status;
  }

  get outcome(): string | null {
    return this.#harness.columns(this.#id).outcome ?? null;
  }

  get output(): Json {
    return this.#harness.columns(this.#id).output ?? null;
  }

  /** Statuses of the instances, in the order in which they began. */
  get instances(): string[] {
    return this.#family.filter(({ parent }) => parent !== null).map(({ status }) => status);
  }

  /** Statuses of a state's steps. */
  statuses(stateId: string): string[] {
    return this.#family.flatMap(({ rows }) => rows.filter((row) => row.nodeId === stateId).map(({ status }) => status));
  }

  /** Sends an event to the run; one that nothing waits for is not an error. */
  async send(event: string, payload: Json = null): Promise<void> {
    await this.#harness.send(this.#id, event, payload);
  }

  /** Sends an event to an instance, from 0. */
  async sendTo(instance: number, event: string): Promise<void> {
    const child = this.#family.filter(({ parent }) => parent !== null)[instance];
    if (child === undefined) throw new Error(`There is no instance ${instance}`);
    await this.#harness.send(child.id, event);
    await this.#harness.advance(this.#id);
  }

  async elapse(milliseconds: number): Promise<void> {
    await this.#harness.elapse(milliseconds);
  }
}
