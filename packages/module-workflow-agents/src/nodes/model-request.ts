import { isOvenError } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type { BlobReference } from "@oven/contract/run";
import type { AgentConfig } from "@oven/contract/workflow";
import type { ModelRequest } from "@oven/module-ai";
import type { NodeContext } from "@oven/module-registry";
import type { z } from "zod";
import { modelConfig } from "./agent-settings.ts";
import { type controlInput, controlNote, controlTools } from "./control-tools.ts";
import { callerOfNode } from "./model-caller.ts";
import { DEFAULT_MODEL, type modelInput, type StepSchema } from "./model-input.ts";
import { offeredTools } from "./offered-tools.ts";
import { stepSettings } from "./prepare-step.ts";
import { type DeclaredToolsSchema, declaredTools } from "./step-tools.ts";
import { boundToolResults, UNTRUSTED_NOTE } from "./tool-context.ts";

type ModelInput = z.output<z.ZodObject<typeof modelInput>> &
  Partial<z.output<z.ZodObject<typeof controlInput>>> & {
    step?: z.output<typeof StepSchema>;
    declaredTools?: z.output<typeof DeclaredToolsSchema> | undefined;
    callerTools?: z.output<typeof DeclaredToolsSchema> | undefined;
  };

/** A request, and which of its tools the caller runs. */
interface Asked extends ModelRequest {
  callerTools: ReadonlySet<string>;
}

/** What is asked of the model, with everything that decides it: this node, the step, the definition, the agent. */
export async function toRequest(context: NodeContext<ModelInput>, messages: readonly Message[]): Promise<Asked> {
  const { input } = context;
  const config = await modelConfig(context);
  const step = stepSettings(context);
  const offered = [...((await offeredTools(context)) ?? []), ...declaredTools(input.declaredTools, step.tools)];
  const own = new Set([...offered, ...controlTools(input)].map(({ id }) => id));
  // One that the run has got meanwhile counts, not the caller's of the same name.
  const ofCaller = declaredTools(input.callerTools, undefined).filter(({ id }) => !own.has(id));
  offered.push(...ofCaller);
  const toolChoice = step.toolChoice ?? input.toolChoice;
  const usesTools = offered.length > 0 || messages.some(({ role }) => role === "tool");
  const system = [
    input.system ?? readSystemPrompt(context) ?? config.system,
    usesTools ? UNTRUSTED_NOTE : undefined,
    controlNote(input),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
  const tools = [...offered, ...controlTools(input)];
  return {
    model: step.model ?? input.model ?? config.model ?? DEFAULT_MODEL,
    messages: boundToolResults(messages, input.maxToolContextChars),
    ...toSettings(input, config),
    ...(system === "" ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(input.outputSchema === undefined ? {} : { outputSchema: input.outputSchema }),
    ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
    readFile: (file) => readFile(context, file),
    signal: context.signal,
    caller: callerOfNode(context),
    callerTools: new Set(ofCaller.map(({ id }) => id)),
  };
}

/** Undefined: it was removed with its run's details, or is not what the conversation says. */
async function readFile(
  { services, principal }: Pick<NodeContext, "services" | "principal">,
  { $blob, sha256 }: BlobReference,
): Promise<Uint8Array | undefined> {
  try {
    const found = await services.blobs.read($blob, principal);
    return found.sha256 === sha256 ? found.data : undefined;
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

type Settings = Pick<ModelRequest, "temperature" | "topP" | "maxOutputTokens" | "seed">;

function toSettings(input: ModelInput, config: AgentConfig): Settings {
  const settings: Settings = {};
  for (const key of ["temperature", "topP", "maxOutputTokens", "seed"] as const) {
    const value = input[key] ?? config[key];
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

function readSystemPrompt(context: Pick<NodeContext, "read">): string | undefined {
  const value = context.read("$.systemPrompt");
  return typeof value === "string" ? value : undefined;
}
