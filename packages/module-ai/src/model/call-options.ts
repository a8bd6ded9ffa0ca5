import type { JsonObject } from "@oven/contract";
import { toBorderSchema, toStrictSchema } from "@oven/engine";
import { dynamicTool, type JSONSchema7, jsonSchema, type OutputInterface, type ToolChoice, type ToolSet } from "ai";
import { readShownFiles } from "../messages/shown-files.ts";
import { toolNamesIn, toSdkMessages } from "../messages/to-sdk-messages.ts";
import { createWireNames, type WireNames } from "../messages/wire-names.ts";
import type { LanguageModelV4, Provider } from "../providers/model-provider.ts";
import { SIMULATED_PROVIDER } from "../simulated/simulated-model.ts";
import { withExactArguments } from "./exact-arguments.ts";
import type { ModelRequest, ModelTool } from "./model-request.ts";

/** A request in the words of the AI SDK. Retries are the engine's, so there are none here. */
export async function toCallOptions(
  request: ModelRequest,
  model: LanguageModelV4,
  provider: Provider,
  signal: AbortSignal,
) {
  const tools = activeTools(request);
  // Of all tools, so that a tool has the same name in every step, whatever is offered in it.
  const ids = (request.tools ?? []).map((tool) => tool.id);
  const names = createWireNames([...ids, ...toolNamesIn(request.messages)]);
  const schemas = new Map(tools.map(({ id, inputSchema }) => [names.toWire(id), inputSchema]));
  const files = await readShownFiles(request.messages, {
    files: provider.files,
    modelId: model.modelId,
    read: request.readFile,
  });
  const options = {
    model: withExactArguments(model, (name) => schemas.get(name)),
    messages: toSdkMessages(request.messages, names, files),
    allowSystemInMessages: true,
    maxRetries: 0,
    abortSignal: signal,
    ...(request.system === undefined ? {} : { instructions: request.system }),
    ...(tools.length === 0 ? {} : { tools: toTools(tools, names, provider) }),
    ...(tools.length === 0 || request.toolChoice === undefined
      ? {}
      : { toolChoice: toToolChoice(request.toolChoice, names) }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { topP: request.topP }),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.outputSchema === undefined
      ? {}
      : { output: jsonOutput(toSentSchema(request.outputSchema, provider, "answer")) }),
    ...(request.idempotencyKey === undefined ? {} : { headers: { "idempotency-key": request.idempotencyKey } }),
    providerOptions: provider.simulated
      ? { [SIMULATED_PROVIDER]: { toolIds: [...ids, ...toolNamesIn(request.messages)] } }
      : ((tools.length === 0 ? undefined : provider.toolOptions) ?? provider.requestOptions),
  };
  return { options, names };
}

function activeTools({ tools = [], activeTools: active }: ModelRequest): readonly ModelTool[] {
  if (active === undefined) return tools;
  const offered = (id: string, pattern: string) =>
    pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
  return tools.filter(({ id }) => active.some((pattern) => offered(id, pattern)));
}

/** Tools without `execute`: the SDK hands the calls back instead of running them. */
function toTools(tools: readonly ModelTool[], names: WireNames, provider: Provider): ToolSet {
  return Object.fromEntries(
    tools.map(({ id, description, inputSchema }) => {
      const strict = provider.strictTools === true ? toStrictSchema(inputSchema) : undefined;
      const sent = strict ?? toSentSchema(inputSchema, provider, "arguments");
      return [
        names.toWire(id),
        dynamicTool({
          description,
          // cast: a JSON Schema document by contract
          inputSchema: jsonSchema(sent as JSONSchema7),
          ...(strict === undefined ? {} : { strict: true }),
          execute: undefined as never,
        }),
      ];
    }),
  );
}

/** As the provider takes it; the caller checks what comes by the whole schema. */
function toSentSchema(schema: JsonObject, { schemas }: Provider, of: "arguments" | "answer"): JsonObject {
  return schemas === undefined ? schema : toBorderSchema(schema, schemas, of).schema;
}

function toToolChoice(choice: NonNullable<ModelRequest["toolChoice"]>, names: WireNames): ToolChoice<ToolSet> {
  return typeof choice === "string" ? choice : { type: "tool", toolName: names.toWire(choice.tool) };
}

/** Asks for JSON but never fails on what came: the text is kept whatever it is, and the caller may ask for a correction. */
function jsonOutput(schema: JsonObject): OutputInterface<string, string, never> {
  return {
    name: "json",
    // cast: a JSON Schema document by contract
    responseFormat: Promise.resolve({ type: "json", schema: schema as JSONSchema7 }),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async ({ text }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}
