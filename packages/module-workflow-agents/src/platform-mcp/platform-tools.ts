import { isOvenError, type Json, type JsonObject, OvenError, type Principal } from "@oven/contract";
import { fromZod } from "@oven/module-registry";
import { toJsonSchema } from "@oven/module-workflows";
import { evalDatasetTools } from "./eval-dataset-tools.ts";
import { evalTools } from "./eval-tools.ts";
import { lookUpTools } from "./look-up-tools.ts";
import type { PlatformCall, PlatformTool } from "./platform-tool.ts";
import { resourceTools } from "./resource-tools.ts";
import { reviewTools } from "./review-tools.ts";
import { runTools } from "./run-tools.ts";
import { toShortSchema } from "./short-schema.ts";
import { stepTools } from "./step-tools.ts";
import { trialTools } from "./trial-tools.ts";
import { triggerTools } from "./trigger-tools.ts";
import { workflowTools } from "./workflow-tools.ts";

/** The tools of the platform's own MCP server that are words for tools of the catalogue. */
export const platformTools: readonly PlatformTool[] = [
  ...lookUpTools,
  ...resourceTools,
  ...workflowTools,
  ...stepTools,
  ...trialTools,
  ...evalDatasetTools,
  ...evalTools,
  ...runTools,
  ...reviewTools,
  ...triggerTools,
];

/** Calls a tool of the catalogue. @throws OvenError as the tool does */
export type AskCatalogue = (id: string, args: JsonObject) => Promise<Json>;

/** Where a call of a platform tool comes from, and how it reaches the catalogue. */
export interface PlatformCaller {
  principal: Principal;
  publicUrl: string;
  ask: AskCatalogue;
}

const schemas = new WeakMap<PlatformTool, { inputSchema: JsonObject; outputSchema: JsonObject }>();

/** What clients and models are shown of a tool: short schemas. */
export function shownSchemas(tool: PlatformTool): { inputSchema: JsonObject; outputSchema: JsonObject } {
  const shown = schemas.get(tool) ?? {
    inputSchema: tool.shownInput?.() ?? toShortSchema(toJsonSchema(tool.input, "input")),
    outputSchema: toShortSchema(toJsonSchema(tool.output, "output")),
  };
  schemas.set(tool, shown);
  return shown;
}

/**
 * Calls a platform tool.
 * @throws OvenError TOOL_INPUT_INVALID with the place and what the tool takes, and what the tools throw that it calls
 */
export async function callPlatformTool(
  tool: PlatformTool,
  given: JsonObject,
  { principal, publicUrl, ask }: PlatformCaller,
): Promise<JsonObject> {
  const answer = await tool.run({ ...toCalls(ask), input: parseInput(tool, given), principal, publicUrl });
  return answer as JsonObject; // cast: what its output schema says is JSON
}

/** @throws OvenError TOOL_INPUT_INVALID with the place and what the tool takes */
function parseInput({ name, input }: PlatformTool, given: JsonObject): Record<string, unknown> {
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  const { message, path, details } = fromZod(parsed.error, "$");
  throw new OvenError("TOOL_INPUT_INVALID", `The arguments of ${name} do not fit: ${message}`, {
    fix: `It takes ${Object.keys(input.shape).join(", ")}.`,
    ...(path === undefined ? {} : { path }),
    ...(details === undefined ? {} : { details }),
  });
}

function toCalls(ask: AskCatalogue): Pick<PlatformCall<unknown>, "call" | "find"> {
  return {
    call: async (id, args, answer) => answer.parse(await ask(id, args)),
    find: async (id, args, answer) => {
      try {
        return answer.parse(await ask(id, args));
      } catch (error) {
        if (isOvenError(error) && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) return undefined;
        throw error;
      }
    },
  };
}
