import { type Json, type JsonObject, JsonObjectSchema, JsonSchema } from "@oven/contract";
import type { NodeResult, NodeSignal } from "@oven/contract/node";
import { type NodeContext, type Release, type ToolAnswer, ToolInputNeeded, ToolPending } from "@oven/module-registry";
import { z } from "zod";

interface Asking {
  /** The arguments of the call: a person sees them, and they are sent again with the answer. */
  arguments?: Json;
  /** The review that released the call: the answered call needs it again. */
  release?: Release | undefined;
  assignees?: string[];
  dueAt?: string | null;
}

/**
 * A call of a tool that may ask a person something: then the node waits with the tool's form in the inbox. One whose work goes on elsewhere
 * waits for the instant at which to look again. Without arguments the call is one that was waited for.
 */
export async function orAskPerson(asking: Asking, call: () => Promise<NodeResult>): Promise<NodeResult> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ToolPending)
      return { type: "wait", for: "timer", request: { dueAt: error.lookAt.toISOString() } };
    if (!(error instanceof ToolInputNeeded)) throw error;
    const { title, schema, about } = error;
    const { release } = asking;
    return {
      type: "wait",
      for: "input",
      request: {
        title,
        proposal: defaultsOf(schema),
        schema,
        context: {
          ...about,
          ...(asking.arguments === undefined ? {} : { arguments: asking.arguments }),
          ...(release === undefined ? {} : { release: { ...release } }),
        },
        tool: null,
        assignees: error.assignees ?? asking.assignees ?? [],
        actions: ["submit", "decline"],
        dueAt: asking.dueAt ?? null,
      },
    };
  }
}

/** Undefined: the signal is no answer to a question of a tool. */
export function findAnswer(signal: NodeSignal): ToolAnswer | undefined {
  if (signal.type !== "decision" || signal.review === undefined) return undefined;
  const { action, data, review } = signal;
  return action === "submit" || action === "decline" ? { id: review.id, action, data } : undefined;
}

const AskedSchema = z.looseObject({
  arguments: JsonSchema,
  release: z.strictObject({ id: z.int(), digest: z.string() }).optional(),
});

/**
 * The call that asked what a person has answered, as it was made then: an approval may have edited it. Undefined: what was
 * answered does not say, as where the call was waited for: then it goes on by itself.
 */
export async function readAsked(
  { principal, services }: Pick<NodeContext, "principal" | "services">,
  answer: ToolAnswer,
): Promise<{ arguments: Json; release?: Release | undefined } | undefined> {
  const { context } = await services.workflowPlatform.reviews.get(principal, answer.id);
  return AskedSchema.safeParse(context).data;
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
