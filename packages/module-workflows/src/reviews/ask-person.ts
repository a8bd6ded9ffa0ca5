import {
  type Json,
  type JsonObject,
  JsonObjectSchema,
  type NodeResult,
  type NodeSignal,
  OvenError,
} from "@oven/contract";
import { type ToolAnswer, ToolInputNeeded } from "@oven/module-registry";

interface Asking {
  /** Those of the call: what a person sees, and what is sent again with the answer. */
  arguments: Json;
  assignees?: string[];
  dueAt?: string | null;
}

/** A call of a tool that may ask a person something: then the node waits with the tool's form in the inbox. */
export async function orAskPerson(asking: Asking, call: () => Promise<NodeResult>): Promise<NodeResult> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ToolInputNeeded)) throw error;
    const { title, schema, about } = error;
    return {
      type: "wait",
      for: "input",
      request: {
        title,
        proposal: defaultsOf(schema),
        schema,
        context: { ...about, arguments: asking.arguments },
        tool: null,
        assignees: asking.assignees ?? [],
        actions: ["submit", "decline"],
        dueAt: asking.dueAt ?? null,
      },
    };
  }
}

/** The person's answer. @throws OvenError UNEXPECTED_SIGNAL for anything that is none */
export function toAnswer(node: string, signal: NodeSignal): ToolAnswer {
  const answer = findAnswer(signal);
  if (answer !== undefined) return answer;
  throw new OvenError("UNEXPECTED_SIGNAL", `${node} waited for an answer and got ${signal.type}`, { status: 500 });
}

/** Undefined: the signal is no answer to a question of a tool. */
export function findAnswer(signal: NodeSignal): ToolAnswer | undefined {
  if (signal.type !== "decision" || signal.review === undefined) return undefined;
  const { action, data, review } = signal;
  return action === "submit" || action === "decline" ? { id: review.id, action, data } : undefined;
}

/** What the form is filled in with at first. */
function defaultsOf(schema: JsonObject): JsonObject {
  const properties = JsonObjectSchema.safeParse(schema.properties);
  const entries = Object.entries(properties.success ? properties.data : {}).flatMap(([name, property]) => {
    const parsed = JsonObjectSchema.safeParse(property);
    return parsed.success && parsed.data.default !== undefined ? [[name, parsed.data.default] as const] : [];
  });
  return Object.fromEntries(entries);
}
