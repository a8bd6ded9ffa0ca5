import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { CreateEventWiring, EventWiring } from "@oven/contract/trigger";
import { type Definition, DefinitionSchema } from "@oven/contract/workflow";

const STEP = "act";

type Action = Pick<CreateEventWiring, "action" | "input">;

/** The workflow of a wiring: one step, and its answer. */
export function toDefinition({ action, input }: Action): JsonObject {
  const definition: Definition = {
    initial: STEP,
    states: {
      [STEP]: { label: action, invoke: { src: action, input, onDone: "done" } },
      done: { type: "final", output: `$.${STEP}_output` },
    },
  };
  return definition as unknown as JsonObject; // cast: a definition is JSON
}

/** No action when somebody drew something else in its place. */
export function readDefinition(json: JsonObject): Pick<EventWiring, "action" | "input"> {
  const definition = DefinitionSchema.safeParse(json);
  const invoke = definition.success ? definition.data.states[STEP]?.invoke : undefined;
  return { action: invoke?.src ?? null, input: invoke?.input ?? {} };
}

interface Problem {
  path: string;
  message: string;
  fix?: string;
}

/** What is wrong with the workflow, as something that is wrong with the wiring. */
export function toWiringError(error: unknown): unknown {
  if (!(error instanceof OvenError) || error.code !== "INVALID_DEFINITION") return error;
  const problems: Json | undefined = error.details?.problems;
  // cast: an error of a definition lists its problems
  const [first] = Array.isArray(problems) ? (problems as unknown as Problem[]) : [];
  if (first === undefined) return error;
  const path = first.path.replace(/^.*\.invoke\.input/, "$.input").replace(/^.*\.invoke(\.src)?$/, "$.action");
  return new OvenError("INVALID_TRIGGER", first.message, {
    status: 400,
    path,
    ...(first.fix === undefined ? {} : { fix: first.fix }),
    cause: error,
  });
}
