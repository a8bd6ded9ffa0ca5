import { type Json, type JsonObject, JsonObjectSchema } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { Action, State, TransitionObject } from "@oven/contract/workflow";
import { namesTool } from "@oven/module-agent-core";
import { z } from "zod";

const NameSchema = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/)
  .describe("How the model calls it");

/** A tool that a model is offered and that the workflow runs by itself. */
const DeclaredToolSchema = z.strictObject({
  name: NameSchema,
  description: z.string().min(1).max(20_000).describe("What it is for, as the model is to know it"),
  parameters: JsonObjectSchema.optional().describe("JSON Schema of its arguments; without one it takes none"),
});

export const DeclaredToolsSchema = z.array(DeclaredToolSchema).max(50);

/** Tools that are written at a loop: a call of one runs another node. */
const StepToolsSchema = z
  .array(
    z.strictObject({
      ...DeclaredToolSchema.shape,
      src: z.string().min(1).max(200).describe("The node that a call runs, such as core.http"),
      input: JsonObjectSchema.default({}).describe("Its input; `$.toolArguments` has what the model gave"),
      result: z.string().min(1).max(500).optional().describe("What of it the model is shown; else all of its output"),
    }),
  )
  .min(1)
  .max(50)
  .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, {
    message: "must have each name once",
  });
type StepTool = z.output<typeof StepToolsSchema>[number];

export const stepToolsInput = StepToolsSchema.optional().describe(
  "Tools of this step alone, each a node that a call runs: `[{name, description, parameters, src, input, result}]`",
);

/** What does not fit is refused when the definition is checked. */
export function toStepTools(value: Json | undefined): StepTool[] {
  return StepToolsSchema.safeParse(value).data ?? [];
}

/** As the model is offered them, less those that a step's filter takes away. */
export function declaredTools(
  tools: z.output<typeof DeclaredToolsSchema> = [],
  filter: readonly string[] | undefined,
): ToolInfo[] {
  return tools
    .filter(({ name }) => filter === undefined || namesTool([...filter], name))
    .map(({ name, description, parameters = { type: "object", properties: {} } }) => ({
      ...{ id: name, title: name, description, inputSchema: parameters, outputSchema: {} },
      ...{ effect: "pure", needsApproval: false, permission: null, source: "tool" },
    }));
}

interface Around {
  stateId: string;
  /** Where the loop keeps what it knows. */
  scratch: string;
  /** The `needsApproval` of the loop. */
  needsApproval: Json | undefined;
}

/**
 * How the calls of an answer begin to be run: with those of the step's own tools, one after the other.
 * @param answered calls that have their answers already, as a list of records or the path of one
 */
export function toFirstCall(scratch: string, answered: Json = []): TransitionObject {
  return {
    target: "next",
    actions: [
      set(`${scratch}.calls`, "$.toolCalls"),
      set(`${scratch}.answered`, answered),
      set(`${scratch}.position`, 0),
    ],
  };
}

/** The states that run calls of the step's own tools; then `tools` runs the others, and tells the model of all. */
export function stepToolStates(
  tools: readonly StepTool[],
  { stateId, scratch, needsApproval }: Around,
): Record<string, State> {
  const state = `ctx[${JSON.stringify(`${stateId}.scratch`)}]`;
  const go: Action = { type: "assign", params: { path: `${scratch}.position`, add: 1 } };
  const about = {
    toolCallId: `${scratch}.call.toolCallId`,
    tool: `${scratch}.call.tool`,
    arguments: `${scratch}.call.arguments`,
    durationMs: 0,
  };
  const answer = (more: JsonObject): TransitionObject => ({
    target: "next",
    actions: [{ type: "assign", params: { path: `${scratch}.answered`, append: { ...about, ...more } } }, go],
  });
  const named = tools.map((tool, index) => ({ tool, id: `tool${index + 1}` }));
  const states: Record<string, State> = {
    next: {
      always: [
        {
          target: "tools",
          guard: { type: "cel", params: { expression: `${state}.position >= size(${state}.calls)` } },
        },
        {
          target: "call",
          actions: [set(`${scratch}.call`, { $cel: `${state}.calls[int(${state}.position)]` })],
        },
      ],
    },
    call: {
      always: [
        ...named.map(({ tool, id }) => ({
          target: asksFirst(needsApproval, tool.name) ? "unapproved" : id,
          guard: {
            type: "condition" as const,
            params: { key: `${scratch}.call.tool`, operator: "==" as const, value: tool.name },
          },
          actions: [set("$.toolArguments", `${scratch}.call.arguments`)],
        })),
        { target: "next", actions: [go] },
      ],
    },
  };
  for (const { tool, id } of named)
    states[id] = {
      label: tool.name,
      invoke: {
        src: tool.src,
        input: tool.input,
        onDone: answer({ result: tool.result ?? `$["${stateId}.${id}_output"]` }),
        onError: answer({ error: `{{ $["${stateId}.${id}_error"].message }}` }),
      },
    };
  if (tools.some(({ name }) => asksFirst(needsApproval, name)))
    states.unapproved = {
      label: "Needs an approval",
      invoke: {
        src: "core.fail",
        input: {
          code: "STEP_TOOL_NEEDS_APPROVAL",
          message: `The model asked for {{ ${scratch}.call.tool }}, a tool of the step that needs an approval: no one can be asked about these`,
        },
      },
    };
  return states;
}

const set = (path: string, value: Json): Action => ({ type: "assign", params: { path, value } });

/** Whether a rule of `needsApproval` names a tool of the step: it is not run then, for people are asked about registered ones only. */
function asksFirst(needsApproval: Json | undefined, name: string): boolean {
  const rules = z.array(z.looseObject({ tool: z.string() })).safeParse(needsApproval).data ?? [];
  return rules.some(({ tool }) => namesTool([tool], name));
}
