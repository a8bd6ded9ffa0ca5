import type { JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import type { Built } from "./graph/graph-parts.ts";

export interface Described {
  /** Its id. */
  product: string;
  built: Built;
  /** Where states stood, by id. */
  positions: ReadonlyMap<string, readonly [number, number] | undefined>;
  notes?: readonly JsonObject[];
  /** Whether runs begin with `message`, as those of chats and agents do. */
  isChat: boolean;
  payloadSchema?: JsonObject;
  /** What a run does before its first step. */
  entry?: readonly Action[];
  /** Variables and their first values. */
  context?: JsonObject;
}

/** Started without a conversation, a run begins one with the message. */
const TAKE_MESSAGE: JsonObject = {
  type: "assign",
  params: { path: "$.messages", append: { role: "user", content: "$.trigger.message" } },
  guard: { type: "condition", params: { key: "$.messages", operator: "empty" } },
};

function withMessage(schema: JsonObject = { type: "object" }): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const said = {
    message: { type: "string", contentMediaType: "text/plain" },
    messages: { type: "array", items: { type: "object" } },
  };
  return { ...schema, properties: { ...said, ...properties }, required: ["message", ...required] };
}

/** A definition with what the editor draws beside it. Positions hold only where nothing became nested. */
export function toDefinition({
  product,
  built,
  positions,
  notes = [],
  isChat,
  payloadSchema,
  entry = [],
  context,
}: Described): JsonObject {
  const { initial, states } = built;
  // cast: an action is JSON, only its type has optional members
  const own = entry as unknown as JsonObject[];
  const isFlat = Object.values(states).every(({ states: inner, loop }) => inner === undefined && loop === undefined);
  const placed = Object.keys(states).flatMap((id) => {
    const point = positions.get(id);
    return point === undefined ? [] : [[id, { x: Math.round(point[0]), y: Math.round(point[1]) }] as const];
  });
  return {
    initial,
    // cast: a state is JSON, only its type has optional members
    states: states as unknown as JsonObject,
    ...(isChat
      ? { payloadSchema: withMessage(payloadSchema), entry: [TAKE_MESSAGE, ...own] }
      : payloadSchema === undefined
        ? {}
        : { payloadSchema }),
    ...(!isChat && own.length > 0 ? { entry: own } : {}),
    ...(context === undefined || Object.keys(context).length === 0 ? {} : { context }),
    meta: {
      imported: { product },
      ...(isFlat && placed.length > 0 ? { positions: Object.fromEntries(placed) } : {}),
      ...(notes.length > 0 ? { notes: [...notes] } : {}),
    },
  };
}
