import type { JsonObject, Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { McpToolDefinition } from "@oven/contract/mcp";
import type { ServiceMap } from "@oven/module-registry";
import { toResult } from "@oven/module-workflows";
import { toAnnotations } from "./tool-annotations.ts";

/** Many clients know letters, digits, `_` and `-` only. */
function toMcpName(id: string): string {
  return id.replaceAll(".", "_").slice(0, 64);
}

/**
 * A tool of the platform with the schemas that its module declares. An answer that is no object stands under `result`: the
 * protocol's structured content is an object.
 */
export function toBoundTool({
  id,
  title,
  description,
  inputSchema,
  outputSchema,
  effect,
}: ToolInfo): McpToolDefinition {
  return {
    name: toMcpName(id),
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    outputSchema: isObjectSchema(outputSchema) ? outputSchema : wrapped(outputSchema),
    annotations: toAnnotations(effect),
    source: { kind: "tool", id },
  };
}

/** Those that a person must approve are reached through the workflow only, where somebody does. */
export function isCallable({ needsApproval }: ToolInfo): boolean {
  return !needsApproval;
}

/** All that a caller must hold. */
export function permissionsOf(info: ToolInfo | undefined): string[] {
  if (info === undefined) return [];
  return info.permissions ?? (info.permission === null ? [] : [info.permission]);
}

export interface BoundCall {
  principal: Principal;
  signal: AbortSignal;
  idempotencyKey: string;
}

/** Calls it with the client's own permissions. @throws OvenError as the tool does */
export async function callBoundTool(
  tools: ServiceMap["tools"],
  { id, outputSchema }: ToolInfo,
  input: JsonObject,
  call: BoundCall,
): Promise<ReturnType<typeof toResult>> {
  const answer = await tools.call(id, input, call);
  return toResult(isObjectSchema(outputSchema) ? (answer as JsonObject) : { result: answer }); // cast: what its schema says
}

function isObjectSchema({ type }: JsonObject): boolean {
  return type === "object";
}

/** Definitions stay at the root, where references look for them. */
function wrapped({ $defs, ...schema }: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { result: schema },
    required: ["result"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}
