import type { JsonObject } from "@oven/contract";
import type { Message, ModelAnswer, ToolCall, ToolInfo } from "@oven/contract/ai";
import { z } from "zod";

/** Ends the conversation. */
const END_TOOL = "end";
/** Says who goes on. */
const ROUTE_TOOL = "set_next";
/** `next` of an answer that ends. */
const END = "END";
/** `next` of an answer that asks for tools which a tool executor runs. */
const TOOL_EXECUTOR = "tool_executor";

/** Inputs of the model node by which the model says how the workflow goes on. */
export const controlInput = {
  routes: z
    .array(z.string().min(1))
    .max(200)
    .optional()
    .describe("What the model may name as the next step; `next` has what it named"),
  controlTools: z
    .array(z.enum([END_TOOL]))
    .optional()
    .describe("`end`: the model can end the conversation; `next` is then END"),
};

interface Controlled {
  routes?: string[] | undefined;
  controlTools?: string[] | undefined;
}

/** What the model is offered to decide with; a tool executor never runs these. */
export function controlTools({ routes = [], controlTools: ids = [] }: Controlled): ToolInfo[] {
  const tools: ToolInfo[] = [];
  if (routes.length > 0) {
    tools.push(
      toTool(ROUTE_TOOL, "Next step", `Says who goes on after you: ${routes.join(", ")}.`, {
        type: "object",
        properties: { next: { type: "string", enum: routes } },
        required: ["next"],
        additionalProperties: false,
      }),
    );
  }
  if (ids.includes(END_TOOL)) {
    tools.push(
      toTool(END_TOOL, "End", "Ends the conversation.", {
        type: "object",
        properties: {},
        additionalProperties: false,
      }),
    );
  }
  return tools;
}

/** What the system prompt says about them. */
export function controlNote({ routes = [], controlTools: ids = [] }: Controlled): string | undefined {
  const notes = [];
  if (routes.length > 0)
    notes.push(`To hand over, set \`next\` by calling the tool ${ROUTE_TOOL} with one of: ${routes.join(", ")}.`);
  if (ids.includes(END_TOOL))
    notes.push(`When nothing is left to do in this conversation, answer and call the tool ${END_TOOL}.`);
  return notes.length === 0 ? undefined : notes.join("\n");
}

export interface Controls {
  /** Those that are left for a tool executor. */
  toolCalls: ToolCall[];
  next?: string;
  /** The results that the control calls get, so that the conversation is whole. */
  results: Message[];
}

/** What an answer decides. While other tools are asked for, nothing is: they run, and the model is asked again. */
export function readControls(input: Controlled, { toolCalls }: ModelAnswer): Controls {
  const offered = new Set(controlTools(input).map(({ id }) => id));
  if (offered.size === 0) return { toolCalls, results: [] };
  const controls = toolCalls.filter(({ tool }) => offered.has(tool));
  const others = toolCalls.filter(({ tool }) => !offered.has(tool));
  if (others.length > 0) {
    const told = "Not yet: the other calls run first. Decide again once you have their results.";
    return { toolCalls: others, next: TOOL_EXECUTOR, results: toResults(controls, () => told) };
  }
  const last = controls.at(-1);
  if (last === undefined) return { toolCalls: [], results: [] };
  const next = last.tool === END_TOOL ? END : nextOf(last);
  const told = (call: ToolCall) => (call === last ? `next is ${next}` : "A later call decided.");
  return { toolCalls: [], next, results: toResults(controls, told) };
}

/** As the model wrote it: whether there is such a way is for the workflow to say. */
function nextOf({ arguments: given }: ToolCall): string {
  const parsed = z.looseObject({ next: z.string() }).safeParse(given);
  return parsed.success ? parsed.data.next : "";
}

function toResults(calls: readonly ToolCall[], told: (call: ToolCall) => string): Message[] {
  if (calls.length === 0) return [];
  const content = calls.map((call) => ({
    type: "tool-result" as const,
    toolCallId: call.toolCallId,
    toolName: call.tool,
    output: { type: "text" as const, value: told(call) },
  }));
  return [{ role: "tool", content }];
}

function toTool(id: string, title: string, description: string, inputSchema: JsonObject): ToolInfo {
  return {
    ...{ id, title, description, inputSchema, outputSchema: {} },
    ...{ effect: "pure", needsApproval: false, permission: null, source: "tool" },
  };
}
