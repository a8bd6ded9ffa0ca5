import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { ToolCallOptions } from "@oven/module-agent-core";
import { ToolInputNeeded } from "@oven/module-registry";
import { z } from "zod";
import type { DeskRow, DeskRows } from "../desks/desk-rows.ts";
import { TOOL_NAMESPACE } from "./tool-list.ts";

const QuestionSchema = z.strictObject({
  question: z.string().trim().min(1).max(500).describe("One question, in the words of the person"),
  options: z
    .array(z.string().min(1).max(200))
    .min(2)
    .max(6)
    .optional()
    .describe("Answers to choose from, if there are few"),
});

const { $schema: _draft, ...inputSchema } = z.toJSONSchema(QuestionSchema, { io: "input" });

export const askPersonTool: ToolInfo = {
  id: `${TOOL_NAMESPACE}.ask_person`,
  title: "Ask the person",
  description:
    "Asks the person whom you work for, and waits for the answer. At most three questions in a run: ask only what changes what you build, and before you build it.",
  inputSchema: inputSchema as JsonObject, // cast: a JSON Schema is JSON
  outputSchema: { type: "object", properties: { answer: { type: ["string", "null"] }, note: { type: "string" } } },
  effect: "idempotent",
  needsApproval: false,
  permission: "agent-workflows.update",
  source: "tool",
  asksCaller: true,
};

/**
 * Asks the person who talks to the builder; what they answer is the answer of the call.
 * @throws ToolInputNeeded until they have answered, OvenError TOOL_INPUT_INVALID
 */
export async function askPerson(
  args: JsonObject,
  { answer, idempotencyKey, principal }: ToolCallOptions,
  { row, rows }: { row: DeskRow; rows: DeskRows },
): Promise<Json> {
  const given = QuestionSchema.safeParse(args);
  if (!given.success)
    throw new OvenError(
      "TOOL_INPUT_INVALID",
      `The arguments of ask_person do not fit: ${given.error.issues[0]?.message}`,
      {
        fix: "It takes question and options.",
      },
    );
  if (answer?.action === "submit") return { answer: toText(answer.data) };
  if (answer !== undefined)
    return { answer: null, note: "The person did not answer. Decide yourself, and say what you have assumed." };
  const { question, options } = given.data;
  if (!(await rows.ask(row, idempotencyKey)))
    return { answer: null, note: "You have asked three questions. Decide yourself, and say what you have assumed." };
  throw new ToolInputNeeded({
    title: question,
    schema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", ...(options === undefined ? {} : { enum: options }) } },
      required: ["answer"],
    },
    about: { question },
    ...(principal.userId === null ? {} : { assignees: [`user:${principal.userId}`] }),
  });
}

function toText(data: Json): string {
  const { answer } = z.object({ answer: z.string().default("") }).parse(data ?? {});
  return answer;
}
