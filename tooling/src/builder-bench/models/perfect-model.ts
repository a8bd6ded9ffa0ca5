import type { DraftCase } from "../../../../packages/contract/src/doors/workflow.ts";
import type { Json } from "../../../../packages/contract/src/index.ts";
import type { ModelReply } from "../../../../packages/testing/src/index.ts";
import type { BenchTask } from "../task.ts";
import type { ReadRequest } from "./read-request.ts";
import { planSolution } from "./solution-plan.ts";

/** What plays the model of one conversation. */
export interface BuilderPlayer {
  answer(request: ReadRequest): ModelReply;
}

export function toCall(tool: string, args: Json): ModelReply {
  return { toolCalls: [{ name: `build_${tool}`, arguments: args }] };
}

/** Reads what there is, writes the reference in small steps, tries it with a case for each way, and ends. */
export function createPerfectModel(task: BenchTask, cases: readonly DraftCase[]): BuilderPlayer {
  const replies: ModelReply[] = [
    toCall("read_steps", {}),
    ...(task.repair === undefined
      ? [toCall("definition_guide", { topic: "examples" })]
      : [toCall("list_runs", { limit: 5 })]),
    ...planSolution(task).map((change) => toCall("change_steps", JSON.parse(JSON.stringify(change)))),
    toCall("check_draft", JSON.parse(JSON.stringify({ cases }))),
  ];
  return { answer: () => replies.shift() ?? { text: "It does what you asked for now. Publish it when you like." } };
}
