import type { Call } from "./call.ts";
import { followRun, type RunEvent } from "./events.ts";
import type {
  ExecuteBody,
  ExecutionOutput,
  ExecutionSummary,
  JsonObject,
  SendEventBody,
} from "./generated/operations.ts";
import type { CallOptions, Http } from "./http.ts";

/** Input and output of agent workflows by short name; `oven types` writes them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by `oven types`
export interface AgentWorkflowTypes {}

/** Input and output of workflows by short name; `oven types` writes them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by `oven types`
export interface WorkflowTypes {}

type Named<Types, Name, Key extends "input" | "output", Else> = Name extends keyof Types
  ? Types[Name] extends { [K in Key]: infer Value }
    ? Value
    : Else
  : Else;
type InputOf<Types, Name> = Named<Types, Name, "input", JsonObject>;
type OutputOf<Types, Name> = Named<Types, Name, "output", unknown>;

/** Short name or id of a workflow. */
type Id<Types> = (keyof Types & string) | (string & {}) | number;

/** A run as it stands, with the type of its output. */
export type Run<Output = unknown> = Omit<ExecutionSummary, "output"> & { output: Output };
/** A run with its context and steps. */
export type RunDetail<Output = unknown> = Omit<ExecutionOutput, "output"> & { output: Output };

export interface StartOptions extends CallOptions, Pick<ExecuteBody, "priority" | "options"> {
  /** For how many seconds the server waits for the end of the run or a pause before it answers; default 0, most 60. */
  wait?: number;
}

/** The workflows of one kind, and their runs. */
export interface WorkflowCalls<Types> {
  /** Starts a run. Sent twice, it starts one: with `idempotencyKey`, else with a key made for this call. */
  start<Name extends Id<Types>>(
    workflow: Name,
    input: InputOf<Types, Name>,
    options?: StartOptions,
  ): Promise<Run<OutputOf<Types, Name>>>;
  /** Starts a run and waits until it has ended or waits for a person. */
  run<Name extends Id<Types>>(
    workflow: Name,
    input: InputOf<Types, Name>,
    options?: Omit<StartOptions, "wait">,
  ): Promise<RunDetail<OutputOf<Types, Name>>>;
  get(run: number, options?: CallOptions): Promise<RunDetail>;
  /** Waits until the run has ended or waits for a person. */
  wait(run: number, options?: CallOptions): Promise<RunDetail>;
  /** The log of a run until it ends, each entry once; a connection that breaks is opened again where it broke. */
  events(run: number, options?: { from?: "now"; signal?: AbortSignal }): AsyncGenerator<RunEvent>;
  /** Sends an event to a run: to its `on` handlers and to steps that wait for it. Sent twice, it comes once, as `start` does. */
  sendEvent(run: number, event: SendEventBody, options?: CallOptions): Promise<Run>;
  cancel(run: number, options?: CallOptions & { reason?: string }): Promise<RunDetail>;
}

const SETTLED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled", "paused"]);
/** After which a run may have ended or may wait. */
const TURNS: ReadonlySet<string> = new Set(["end", "execution.paused"]);

export function createWorkflowCalls<Types>(
  http: Http,
  call: Call,
  kind: "agent-workflows" | "workflows",
): WorkflowCalls<Types> {
  // The two kinds have the same routes under two names, and the same types.
  const name = kind as "agent-workflows"; // cast: as said above
  const runs = kind === "workflows" ? "workflow-executions" : "agent-workflow-executions";
  const ofRun = runs as "agent-workflow-executions"; // cast: as said above
  const get = (id: number, options: CallOptions = {}) => call(`GET /${ofRun}/{id}`, { path: { id }, ...options });
  const events = (id: number, options: { from?: "now"; signal?: AbortSignal } = {}) =>
    followRun(http, `${runs}/${id}/events`, options);
  const wait = async (id: number, options: CallOptions = {}) => {
    for (;;) {
      const run = await get(id, options);
      if (SETTLED.has(run.status)) return run;
      const { signal } = options;
      for await (const { event } of events(id, signal === undefined ? {} : { signal })) if (TURNS.has(event)) break;
    }
  };
  const start = (workflow: string | number, input: unknown, given: StartOptions = {}) => {
    const { wait: seconds, priority, options, idempotencyKey = crypto.randomUUID(), signal } = given;
    return call(`POST /${name}/{id}/execute`, {
      path: { id: workflow },
      ...(seconds === undefined ? {} : { query: { wait: seconds } }),
      body: {
        input: input as JsonObject, // cast: an input is an object
        ...(priority === undefined ? {} : { priority }),
        ...(options === undefined ? {} : { options }),
      },
      idempotencyKey,
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return {
    get,
    wait,
    events,
    start: start as WorkflowCalls<Types>["start"], // cast: the output has the type that `oven types` wrote
    run: (async (workflow: string | number, input: unknown, options: StartOptions = {}) => {
      const { id } = await start(workflow, input, options);
      return wait(id, options.signal === undefined ? {} : { signal: options.signal });
    }) as WorkflowCalls<Types>["run"], // cast: as above
    sendEvent: (id, event, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      call(`POST /${ofRun}/{id}/events`, { path: { id }, body: event, idempotencyKey, ...options }),
    cancel: (id, { reason, ...options } = {}) =>
      call(`POST /${ofRun}/{id}/cancel`, {
        path: { id },
        body: reason === undefined ? {} : { reason },
        ...options,
      }),
  };
}
