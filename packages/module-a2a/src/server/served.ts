import type { AgentCard } from "@a2a-js/sdk";
import type { JsonObject } from "@oven/contract";
import type { MessageContent } from "./message-input.ts";
import type { TaskOwner, TaskRow } from "./task-rows.ts";

/** A workflow or an agent at an address of its own. */
export interface Served {
  owner: TaskOwner;
  card: AgentCard;
  /** JSON Schema of what a data part may hold. */
  dataSchema: JsonObject | undefined;
  starter: TaskStarter;
}

/** What the first message of a task starts. */
export interface TaskStarter {
  permission: string;
  /** @throws OvenError INVALID_INPUT */
  toInput(content: MessageContent): JsonObject;
  /** @returns the run; the same task is never two runs. @throws OvenError */
  start(task: TaskRow, input: JsonObject): Promise<number>;
}
