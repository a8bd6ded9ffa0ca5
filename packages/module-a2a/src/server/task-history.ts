import { type Message, type Part, Role } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isObject, isOvenError, type Json, type Principal } from "@oven/contract";
import { toPending } from "@oven/contract/mcp";
import type { Review } from "@oven/contract/review";
import type { ServiceMap } from "@oven/module-registry";
import type { WorkflowFace } from "@oven/module-workflows";
import type { TaskRow } from "./task-rows.ts";
import { dataPart, messageOf, type SeenTask, textPart, toQuestion } from "./to-task.ts";

interface Deps {
  face: WorkflowFace;
  services: ServiceMap;
  publicUrl: string;
}

/**
 * What clients and the agent have said, the oldest first: what began the task, then each question that a client has answered, with the
 * answer. It is read from the run and its reviews, and goes with them.
 * @param length at most so many, the newest; undefined: none
 * @throws RequestMalformedError for a negative length
 */
export async function readHistory(
  deps: Deps,
  principal: Principal,
  { row, run }: SeenTask,
  length: number | undefined,
): Promise<Message[]> {
  if (length !== undefined && length < 0) throw new RequestMalformedError("historyLength is below 0");
  if (length === undefined || length === 0) return [];
  const { reviews } = deps.services.workflowPlatform;
  const { input } = await deps.face.runs.reader.get(principal, run.summary.id);
  const first = firstParts(row, input);
  const said =
    first.length === 0 ? [] : [messageOf(row, { messageId: row.messageId, role: Role.ROLE_USER, parts: first })];
  for (const { reviewId, messageId } of row.answered) {
    const review = await reviews.get(principal, reviewId).catch(absent);
    if (review === undefined) continue;
    said.push(toQuestion(row, toPending(review, deps.publicUrl)));
    said.push(messageOf(row, { messageId, role: Role.ROLE_USER, parts: [answerPart(review)] }));
  }
  return said.slice(-length);
}

/** Empty where the details of the run were removed. */
function firstParts({ agentId }: TaskRow, input: Json): Part[] {
  if (!isObject(input)) return [];
  if (agentId === null) return [dataPart(input)];
  const messages = Array.isArray(input.messages) ? input.messages : [];
  const asked = messages.findLast((message) => isObject(message) && message.role === "user");
  return isObject(asked) && typeof asked.content === "string" ? [textPart(asked.content)] : [];
}

/** The text where one was asked for, else the decision. */
function answerPart({ action, data, reason }: Review): Part {
  const values = isObject(data) ? Object.values(data) : [];
  const [text] = values;
  if (action === "submit" && values.length === 1 && typeof text === "string") return textPart(text);
  const hasData = action === "edit" || action === "submit";
  return dataPart({ action, ...(hasData ? { data } : {}), ...(reason === null ? {} : { reason }) });
}

/** Reviews are removed with the details of their run. @throws the error, unless it says so */
function absent(error: unknown): undefined {
  if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
  throw error;
}
