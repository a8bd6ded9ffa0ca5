import type { Json, JsonObject } from "@oven/contract";
import type { ExecutorSpec, ToolManifest } from "@oven/contract/formats/chains.ts";
import type { Definition, Guard, State, TransitionObject } from "@oven/contract/workflow";
import {
  ITEMS_AT_ONCE,
  loopOf,
  MAX_CORRECTIONS,
  MAX_TOOL_ITERATIONS,
  RUN_TIMEOUT_MS,
  TOOL_TIMEOUT_MS,
} from "./chain-limits.ts";
import { itemKeepState, itemPrepareState, itemState, keepState, mainState, prepareState } from "./chain-states.ts";
import { toJsonSchema } from "./output-schema.ts";

/** Reads the whole of an output that went on by reference. */
export const READ_TOOL = "read_output";

export interface CompiledExecutor extends ExecutorSpec {
  /** As models are asked: an alias, or `provider:model`. */
  resolvedModel: string;
}

export interface ChainSource {
  uuid: string;
  threadId: string;
  executors: CompiledExecutor[];
  manifest: ToolManifest;
}

const assign = (path: string, value: Json) => ({ type: "assign" as const, params: { path, value } });
const count = (path: string) => ({ type: "assign" as const, params: { path, add: 1 } });
const is = (key: string, operator: "==" | ">", value: Json): Guard => ({
  type: "condition",
  params: { key, operator, value },
});
/** Each executor talks to its model anew. */
const FORGET = assign("$.messages", []);
/** What has succeeded stays, and the run says that it is a part. */
const FAIL: TransitionObject[] = [{ target: "partial", guard: is("$.succeeded", ">", 0) }, { target: "failed" }];
/** A tool that never came back ends its executor; what a tool refuses is its model's to deal with. */
const TIMED_OUT =
  'ctx.lastStep.toolResults.exists(result, has(result.error) && (result.error.contains("did not finish within") || result.error.contains("took longer than")))';

/** A checked chain as a definition of ours: of each executor its prompt is made, its agent asked, and its output kept. */
export function compileChain(source: ChainSource): Definition {
  const { uuid, executors } = source;
  const states: Record<string, State> = {};
  for (const place of executors.keys()) Object.assign(states, executorStates(source, place));
  states.done = { type: "final", output: "$.previous_output" };
  states.partial = { type: "final", outcome: "partial_success", output: "$.previous_output" };
  states.failed = { type: "final", outcome: "failed" };
  return {
    id: `chain_${uuid.replaceAll("-", "_")}`,
    initial: prepareState(0),
    payloadSchema: { type: "object", properties: { thread_id: { type: "string" } } },
    context: {
      workflow_id: uuid,
      run_id: null,
      user_id: null,
      thread_id: null,
      outputs: {},
      previous_output: null,
      current_executor_index: 0,
      succeeded: 0,
      turn: 1,
      own: null,
      skip: [],
    },
    maxToolIterations: MAX_TOOL_ITERATIONS,
    // What is answered is JSON for the next executor; nobody reads along.
    streamingEnabled: false,
    maxSteps: 100_000,
    timeoutMs: RUN_TIMEOUT_MS,
    states,
    meta: {
      source: {
        format: "executor-chain",
        workflow: uuid,
        executors: executors.map(
          ({ executor_id, name, model, loop }): JsonObject => ({ executor_id, name, model, loop: loop && { ...loop } }),
        ),
      },
    },
  };
}

function executorStates(source: ChainSource, place: number): Record<string, State> {
  const { executors, uuid, threadId, manifest } = source;
  const executor = executors[place];
  if (executor === undefined) throw new Error(`there is no executor ${place}`);
  const [prepare, main, keep] = [prepareState(place), mainState(place), keepState(place)];
  const next = place + 1 < executors.length ? prepareState(place + 1) : "done";
  const loop = loopOf(executor);
  const begun = [
    assign("$.current_executor_index", place),
    ...["run_id", "user_id", "thread_id"].map((key) => assign(`$.${key}`, `$.${prepare}_output.run.${key}`)),
  ];
  const used = manifest.tools.filter(({ name }) => executor.tools.includes(name));
  return {
    [prepare]: {
      label: `Prompt: ${executor.name}`,
      invoke: {
        src: "chain.prepare",
        input: {
          ...promptInput(executor, place),
          skip: "$.skip",
          turn: "$.turn",
          own: "$.own",
          run: { run_id: "$.run_id", thread_id: `$.trigger.thread_id | default(${JSON.stringify(threadId)})` },
          manifest: { $literal: used.map(({ name, args }): JsonObject => ({ name, args })) },
          workflow: uuid,
        },
        onDone: [
          {
            target: next,
            guard: is(`$.${prepare}_output.skipped`, "==", true),
            actions: begun,
          },
          { target: main, actions: begun },
        ],
        onError: FAIL,
      },
    },
    [main]:
      loop?.type === "for_each"
        ? itemsState(executor, place, loop.max_items)
        : agentState(executor, place, prepare, main),
    [keep]: {
      label: `Keep: ${executor.name}`,
      invoke: {
        src: "chain.keep",
        input: {
          place,
          executor_id: executor.executor_id,
          ...(loop?.type === "for_each"
            ? { items: `$.${main}_output | full`, total: `$.${prepare}_output.total` }
            : { result: `$.${main}_output | full`, tools: "$.toolResults | default([])" }),
          ...(loop?.type === "repeat_until" ? { loop: { $literal: { ...loop } }, turn: "$.turn" } : {}),
          run_id: "$.run_id",
          thread_id: "$.thread_id",
        },
        onDone: [
          ...(loop?.type === "repeat_until"
            ? [
                {
                  target: prepare,
                  guard: is(`$.${keep}_output.again`, "==", true),
                  actions: [count("$.turn"), assign("$.own", `$.${keep}_output.output`), FORGET],
                },
              ]
            : []),
          {
            target: next,
            actions: [
              assign(`$.outputs[${JSON.stringify(executor.executor_id)}]`, `$.${keep}_output.output`),
              assign("$.previous_output", `$.${keep}_output.output`),
              count("$.succeeded"),
              assign("$.turn", 1),
              assign("$.own", null),
              FORGET,
            ],
          },
        ],
        onError: FAIL,
      },
    },
  };
}

function promptInput(executor: ExecutorSpec, place: number): JsonObject {
  const { executor_id, system_prompt, iteration_hint, tools, loop } = executor;
  return {
    place,
    executor: { $literal: { executor_id, system_prompt, iteration_hint, tools, loop: loop && { ...loop } } },
    outputs: "$.outputs",
    previous: "$.previous_output",
  };
}

function agentState(executor: CompiledExecutor, place: number, prepare: string, id: string): State {
  const reads = place === 0 ? [] : [READ_TOOL];
  const tools = [...executor.tools, ...reads];
  return {
    label: executor.name,
    meta: { source: { executor: executor.executor_id, index: place } },
    invoke: {
      src: "agent.toolLoop",
      input: {
        model: executor.resolvedModel,
        system: `$.${prepare}_output.system`,
        prompt: `$.${prepare}_output.prompt`,
        outputSchema: { $literal: toJsonSchema(executor.output_schema) },
        maxCorrections: MAX_CORRECTIONS,
        tools,
        toolLimits: [{ tool: "*", timeoutMs: TOOL_TIMEOUT_MS, maxAttempts: 1 }],
        // The reading tool is there only while there is something to be read.
        ...(place === 0 ? {} : { prepareStep: `$.${prepare}_output.steps` }),
        ...(tools.length === 0 ? {} : { stopWhen: { type: "cel", expression: TIMED_OUT } }),
      },
      onDone: id === mainState(place) ? keepState(place) : itemKeepState(place),
      ...(id === mainState(place) ? { onError: FAIL } : {}),
    },
  };
}

function itemsState(executor: CompiledExecutor, place: number, maxItems: number): State {
  const [prepare, main, keep] = [itemPrepareState(place), itemState(place), itemKeepState(place)];
  return {
    label: executor.name,
    meta: { source: { executor: executor.executor_id, index: place } },
    loop: {
      type: "forEach",
      collection: `$.${prepareState(place)}_output.items`,
      maxIterations: maxItems,
      concurrency: ITEMS_AT_ONCE,
      continueOnError: true,
      timeoutMs: RUN_TIMEOUT_MS,
      bodyInitial: prepare,
      bodyStates: {
        [prepare]: {
          label: `Prompt: ${executor.name}`,
          invoke: {
            src: "chain.prepare",
            input: { ...promptInput(executor, place), item: "$.item", index: "$.index" },
            onDone: main,
          },
        },
        [main]: agentState(executor, place, prepare, main),
        [keep]: {
          label: `Keep: ${executor.name}`,
          invoke: {
            src: "chain.keep",
            input: {
              place,
              executor_id: executor.executor_id,
              result: `$.${main}_output | full`,
              tools: "$.toolResults | default([])",
              inline: true,
            },
            onDone: `${keep}_done`,
          },
        },
        [`${keep}_done`]: { type: "final", output: `$.${keep}_output.output` },
      },
      onDone: keepState(place),
      onError: FAIL,
    },
  };
}
