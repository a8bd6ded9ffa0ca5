import type { Json, JsonObject, Principal } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { Traffic } from "@oven/contract/run";
import type { z } from "zod";
import type { NodeContext } from "./define-node.ts";
import type { ServiceMap } from "./services.ts";

/** The place in a run that calls a tool. */
export interface ToolRun {
  executionId: number;
  /** The run at the top of its family. */
  rootExecutionId: number;
  nodeId: string;
  visit: number;
  /** The tool call's id. */
  item: string | null;
  /** `agent-workflow:7` or `workflow:7`. */
  workflow?: string;
  /** Id of the agent that the run belongs to. */
  agent?: string;
  /** Of a run whose model traffic is recorded or replayed. */
  recording?: Traffic;
}

/** The place of a node that calls a tool or a route: what it does there counts as the node's own. */
export function toToolRun({
  node,
  settings,
  agent,
  options,
}: Pick<NodeContext, "node" | "settings" | "agent" | "options">): ToolRun {
  const { executionId, rootExecutionId, kind, nodeId, visit, item } = node;
  const { recording } = options ?? {};
  return {
    ...{ executionId, rootExecutionId, nodeId, visit, item, workflow: `${kind}:${settings.workflowId}` },
    ...(agent === null ? {} : { agent: String(agent.id) }),
    ...(recording === undefined ? {} : { recording }),
  };
}

/** What a person answered to a tool that asked: `submit` with the form's values, or `decline`. */
export interface ToolAnswer {
  /** Of the review that asked, so that an answer counts once. */
  id: number;
  action: "submit" | "decline";
  data: Json;
}

interface ToolQuestion {
  title: string;
  schema: JsonObject;
  about: JsonObject;
  assignees?: string[];
}

/**
 * Thrown by a tool that cannot go on without a person's answer. In a run it becomes a form in the inbox, and when it is answered
 * the same call is made once more, with `answer`.
 */
export class ToolInputNeeded extends Error {
  readonly title: string;
  /** JSON Schema of the form. */
  readonly schema: JsonObject;
  /** What the person should know. */
  readonly about: JsonObject;
  /** Who alone can answer; absent: those whom the step asks. */
  readonly assignees: string[] | undefined;

  constructor({ title, schema, about, assignees }: ToolQuestion) {
    super(title);
    this.name = "ToolInputNeeded";
    this.title = title;
    this.schema = schema;
    this.about = about;
    this.assignees = assignees;
  }
}

/**
 * Thrown by a tool whose work goes on elsewhere. In a run the step waits until `lookAt`, without a worker and across restarts; then the tool
 * is asked to go on with the call (`ToolSource.resume`).
 */
export class ToolPending extends Error {
  readonly lookAt: Date;

  /** @param what what is waited for */
  constructor(what: string, lookAt: Date) {
    super(what);
    this.name = "ToolPending";
    this.lookAt = lookAt;
  }
}

export interface ToolContext<Input = unknown> {
  input: Input;
  principal: Principal;
  signal: AbortSignal;
  /** The same for every attempt of this very call; pass it on to whatever has an effect. */
  idempotencyKey: string;
  services: ServiceMap;
  /** Absent outside of runs. */
  run?: ToolRun;
}

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** `orders.get`: namespace, then verb. */
  id: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  effect: Effect;
  /** Whether a person must approve each call, or each on whose arguments a condition holds (CEL over `args`), whichever way it comes in. */
  needsApproval?: boolean | { when: string };
  /** Permission the caller must hold. */
  permission: string;
  /** As at a route. */
  delegates?: true;
  timeoutMs?: number;
  /** What policies on graphs name it by: `money`, `outbound`; `outside-content` for what strangers may have written. */
  tags?: readonly string[];
  run(context: ToolContext<z.output<Input>>): Promise<Json>;
}

/** Describes a tool once: what models, MCP clients and people see, and the code that runs it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: ToolDefinition<Input, Output>,
): ToolDefinition {
  return tool as unknown as ToolDefinition; // cast: callers parse the arguments with tool.input before run
}
