import { type Json, type JsonObject, JsonObjectSchema, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { Effect } from "@oven/contract/node";
import { permissionsOf, type ToolCallOptions, type ToolService, type ToolSource } from "@oven/module-agent-core";
import type { AuditTrail } from "@oven/module-registry";
import {
  type AskCatalogue,
  callPlatformTool,
  type PlatformTool,
  platformTools,
  shownSchemas,
  withStateFormat,
} from "@oven/module-workflow-agents";
import { z } from "zod";
import { type Desk, type DeskCaller, readDraft } from "../desks/desk.ts";
import type { DeskRows } from "../desks/desk-rows.ts";
import { askPerson, askPersonTool } from "./ask-person.ts";
import { bindArguments, isBound, rebaseEdits } from "./bound-arguments.ts";
import { checkDraftTool } from "./check-draft.ts";
import { recordCall } from "./record-call.ts";
import { BOUND_TOOLS, READING_TOOLS, TOOL_NAMESPACE, WITHHELD } from "./tool-list.ts";

export interface BuilderToolDeps {
  tools: ToolService;
  /** The audit log, where there is one. */
  trail(): AuditTrail | undefined;
  rows: DeskRows;
  publicUrl: string;
  /** How the calls of a run reach the catalogue, where not as they are. */
  deskOf(caller: DeskCaller, desk: Desk): Promise<Desk>;
}

const ORDER: readonly Effect[] = ["pure", "idempotent", "at-least-once", "at-most-once"];
const NAMES: ReadonlySet<string> = new Set([...READING_TOOLS, ...BOUND_TOOLS]);
const offered: readonly PlatformTool[] = [...platformTools.filter(({ name }) => NAMES.has(name)), checkDraftTool];

/**
 * The tools of the builder: those of the platform's MCP server that read, and those that change and try out a draft, bound to the one workflow
 * that the run is about. None publishes, starts a real run, decides a review or changes rights.
 */
export function createBuilderTools(deps: BuilderToolDeps): ToolSource {
  const { tools } = deps;
  let listed: readonly ToolInfo[] | undefined;
  return {
    list: () => {
      listed ??= [...offered.map((tool) => toInfo(tool, tools)), askPersonTool].toSorted((one, other) =>
        one.id < other.id ? -1 : 1,
      );
      return listed;
    },
    call: (id, args, options) => call(id.slice(TOOL_NAMESPACE.length + 1), args, options, deps),
  };
}

async function call(name: string, args: JsonObject, options: ToolCallOptions, deps: BuilderToolDeps): Promise<Json> {
  const { principal, run } = options;
  const row = await deps.rows.get(principal, run?.executionId);
  if (name === "ask_person") return askPerson(args, options, { row, rows: deps.rows });
  const tool = offered.find((one) => one.name === name);
  if (tool === undefined || run === undefined) throw new Error(`there is no tool ${name} of the builder`);
  const ask = catalogueOf(deps.tools, options);
  const desk = await deps.deskOf({ principal, run, ask }, { row, ask });
  const work = () => callAt(desk, tool, args, { principal, deps });
  const { executionId, workflowId } = row;
  return isBound(name) ? recordCall(deps.trail(), { name, principal, args, executionId, workflowId }, work) : work();
}

/** Calls a tool for what the run works on, and keeps what the run has seen and written of it. */
async function callAt(
  desk: Desk,
  tool: PlatformTool,
  args: JsonObject,
  { principal, deps: { rows, publicUrl } }: { principal: Principal; deps: BuilderToolDeps },
): Promise<Json> {
  const { name } = tool;
  const { executionId, workflowId } = desk.row;
  const bound = bindArguments(name, args, desk.row);
  const given = name === "change_steps" ? await rebaseEdits(bound, desk) : bound;
  const takes = Object.hasOwn(tool.input.shape, "workflow_id") && !isChoice(name, args);
  const { workflow_id: _own, ...others } = given;
  const answer = await callPlatformTool(tool, takes ? given : others, { principal, publicUrl, ask: desk.ask });
  if (name === "check_draft") await rows.setCases(executionId, checkDraftTool.casesOf(args));
  const sees = (name === "read_steps" || name === "get_agent_workflow") && given.workflow_id === workflowId;
  if (name === "change_steps" || sees) {
    const { definition, revision } = await readDraft(desk.ask, workflowId);
    if (sees) await rows.see(executionId, revision, definition);
    else await rows.write(executionId, revision, definition);
  }
  return answer;
}

/** Tools that take a workflow or something else, of which the model has given something else, or none: then all are meant. */
function isChoice(name: string, args: JsonObject): boolean {
  if (name === "validate_definition") return args.definition !== undefined;
  return name === "list_runs" && args.workflow_id === null;
}

/** Each call of the catalogue within one call of a tool has a key of its own, the same on each attempt. */
function catalogueOf(tools: ToolService, { principal, signal, idempotencyKey, run }: ToolCallOptions): AskCatalogue {
  let count = 0;
  return async (id, args) => {
    count += 1;
    const key = `${idempotencyKey}:${count}`;
    return tools.call(id, args, { principal, signal, idempotencyKey: key, ...(run === undefined ? {} : { run }) });
  };
}

function toInfo(tool: PlatformTool, tools: ToolService): ToolInfo {
  const called = tool.calls.map((id) => tools.get(id));
  const strongest = Math.max(...called.map((info) => ORDER.indexOf(info?.effect ?? "pure")));
  const permissions = [...new Set(called.flatMap((info) => (info === undefined ? [] : permissionsOf(info))))];
  return {
    ...{ id: `${TOOL_NAMESPACE}.${tool.name}`, title: tool.title, description: tool.description },
    ...{ inputSchema: toShownInput(tool), outputSchema: shownSchemas(tool).outputSchema },
    effect: ORDER[strongest] ?? "pure",
    needsApproval: false,
    permission: permissions[0] ?? null,
    ...(permissions.length > 1 ? { permissions } : {}),
    ...(called.some((info) => info?.delegates === true) ? { delegates: true as const } : {}),
    source: "tool",
  };
}

/** The workflow may be left out, and what the builder may not set is not shown. */
function toShownInput(tool: PlatformTool): JsonObject {
  const shown =
    tool.name === "change_steps" ? withStateFormat(tool.input) : structuredClone(shownSchemas(tool).inputSchema);
  const { properties, required } = z
    .object({ properties: JsonObjectSchema.default({}), required: z.array(z.string()).default([]) })
    .parse(shown);
  const hidden = new Set(WITHHELD[tool.name] ?? []);
  return {
    ...shown,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !hidden.has(key))),
    required: required.filter((key) => key !== "workflow_id" && !hidden.has(key)),
  };
}
