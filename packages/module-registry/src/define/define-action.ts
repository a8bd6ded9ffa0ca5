import type { Json, JsonObject } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { z } from "zod";
import type { ToolContext } from "./define-tool.ts";

/** What a module lets a conversation do. It becomes a tool, instead of the bare route that it covers. */
export interface ActionDefinition<Input extends z.ZodObject = z.ZodObject> {
  /** `orders.cancel` makes the tool `{namespace}.orders.cancel`; the name of the covered operation is free for it. */
  name: string;
  title: string;
  /** For a model: when to use it, and what comes of it. */
  description: string;
  input: Input;
  /** Absent: what the covered route answers. */
  output?: z.ZodType;
  /** All that the caller must hold. What the covered route asks for is checked as well. */
  permissions: readonly [string, ...string[]];
  /** Absent: the covered route's. */
  effect?: Effect;
  /** Whether a person must approve each call. Where the covered route says so, each needs it whatever stands here. */
  needsApproval?: boolean;
  timeoutMs?: number;
  tags?: readonly string[];
  /** An operation of the same module: as a tool there is this instead. */
  covers?: string;
  /** The covered route's input (params, query and body as one object). Either this or `run`. */
  toArguments?(input: z.output<Input>): JsonObject;
  run?(context: ToolContext<z.output<Input>>): Promise<Json>;
}

/** Declares an action: what the tool shows, and the code or the route behind it. */
export function defineAction<Input extends z.ZodObject>(action: ActionDefinition<Input>): ActionDefinition {
  return action as unknown as ActionDefinition; // cast: callers parse the arguments with action.input first
}
