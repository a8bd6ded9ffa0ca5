import type { EmbedAnswer, ModelAnswer, ModelProvider, ResolvedModel, SimulatedScript } from "@oven/contract";
import { isOvenError, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import type { RuntimeEnvironment } from "@oven/module-registry";
import { resolveModel } from "./aliases/resolve-model.ts";
import { type EmbedRequest, embed } from "./embeddings/embed.ts";
import { createLocalProvider } from "./embeddings/local.provider.ts";
import { callModel } from "./model/call-model.ts";
import type { ModelRequest, OnText } from "./model/model-request.ts";
import type { Provider } from "./providers/model-provider.ts";
import { createOpenaiProvider } from "./providers/openai.provider.ts";
import { createSimulatedProvider } from "./simulated/simulated.provider.ts";
import { recordUsage } from "./usage/record-usage.ts";

/** What other modules may ask of models. Every call leaves one usage row, whatever becomes of it. */
export interface AiService {
  /** @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, MODEL_UNAVAILABLE */
  resolve(name: string, tenantId: number): Promise<ResolvedModel>;
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** As `generate`, with the text handed over as it arrives. */
  stream(request: ModelRequest, onText: OnText): Promise<ModelAnswer>;
  /** Vectors of texts. @throws OvenError as `generate`, and EMBEDDING_INPUT_TOO_LONG */
  embed(request: EmbedRequest): Promise<EmbedAnswer>;
  /** Makes `simulated:<name>` answer by a script. */
  registerScript(script: SimulatedScript): void;
  providers(): ModelProvider[];
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    ai: AiService;
  }
}

type Settings = Pick<RuntimeEnvironment, "openaiApiKey" | "openaiBaseUrl">;

export function createAiService(db: Database, environment: Settings): AiService {
  const simulated = createSimulatedProvider();
  const providers = new Map<string, Provider>(
    [createOpenaiProvider(environment), createLocalProvider(), simulated].map((provider) => [provider.id, provider]),
  );

  async function run(given: ModelRequest, onText?: OnText): Promise<ModelAnswer> {
    const { resolved, settings } = await resolveModel(db, providers, given.model, given.caller.tenantId);
    const provider = providers.get(resolved.providerId);
    if (provider === undefined)
      throw new OvenError("MODEL_UNKNOWN", `There is no provider ${resolved.providerId}`, { status: 422 });
    const request = { ...settings, ...given };
    const model = provider.languageModel(resolved.modelId);
    const operation = onText === undefined ? ("generate" as const) : ("stream" as const);
    const started = performance.now();
    const entry = { model: resolved, caller: given.caller, operation };
    const latencyMs = () => Math.round(performance.now() - started);
    let answer: ModelAnswer;
    try {
      answer = await callModel({ request, resolved, provider, model, ...(onText === undefined ? {} : { onText }) });
    } catch (error) {
      const aborted = given.signal?.aborted === true;
      await recordUsage(db, {
        ...entry,
        tokenUsage: { input: 0, output: 0, total: 0 },
        costMicros: 0,
        latencyMs: latencyMs(),
        status: aborted ? "aborted" : "error",
        error: isOvenError(error) ? `${error.code}: ${error.message}` : String(error),
      });
      throw error;
    }
    const { usage: tokenUsage, costMicros } = answer;
    await recordUsage(db, { ...entry, tokenUsage, costMicros, latencyMs: latencyMs(), status: "ok", error: null });
    return answer;
  }

  return {
    resolve: async (name, tenantId) => (await resolveModel(db, providers, name, tenantId)).resolved,
    generate: (request) => run(request),
    stream: (request, onText) => run(request, onText),
    embed: (request) => embed(db, providers, request),
    registerScript: (script) => simulated.registerScript(script),
    providers: () =>
      [...providers.values()].map(({ id, title, configured, simulated }) => ({ id, title, configured, simulated })),
  };
}
