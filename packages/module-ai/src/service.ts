import type {
  EmbedAnswer,
  ModelAnswer,
  ModelProvider,
  ProviderTest,
  ResolvedModel,
  SimulatedScript,
  TriedGuardrails,
  TryGuardrails,
} from "@oven/contract/ai";
import type { Database } from "@oven/db";
import type { EventService, OutboundService, RuntimeEnvironment } from "@oven/module-registry";
import { aliasNames } from "./aliases/aliases.ts";
import { firstCandidate, resolveChain } from "./aliases/resolve-model.ts";
import { AnswerCache } from "./answers/answer-cache.ts";
import { Recordings } from "./answers/recordings.ts";
import { Budgets } from "./budgets/budgets.ts";
import type { EmbedRequest } from "./embeddings/embed.ts";
import { EmbedCalls } from "./embeddings/embed.ts";
import { createLocalProvider } from "./embeddings/local.provider.ts";
import { type GuardedCall, Guardrails } from "./guardrails/guardrails.ts";
import { imageMedium } from "./images/image-medium.ts";
import type { ImageAnswer, ImageRequest } from "./images/image-request.ts";
import { RateLimits } from "./limits/rate-limits.ts";
import { systemTiming, type Timing } from "./limits/timing.ts";
import { MediaCalls } from "./media/media-calls.ts";
import { type ChainBounds, chainBounds } from "./model/chain-bounds.ts";
import type { ModelRequest, OnText, TextSink } from "./model/model-request.ts";
import { askForObject, type ObjectRequest } from "./model/object-call.ts";
import { TextCalls } from "./model/text-calls.ts";
import { environmentProviders } from "./providers/environment-providers.ts";
import { ProviderDirectory } from "./providers/provider-directory.ts";
import { TenantProviders } from "./providers/tenant-providers.ts";
import { testProvider } from "./providers/test-provider.ts";
import { createSimulatedProvider, type SimulatedProvider } from "./simulated/simulated.provider.ts";
import { Meter } from "./usage/meter.ts";
import { videoMedium } from "./videos/video-medium.ts";
import type { VideoAnswer, VideoRequest } from "./videos/video-request.ts";

/**
 * What other modules may ask of models. Every call goes through rate limits, budgets and guardrails, and leaves one usage row,
 * whatever becomes of it.
 */
export interface AiService {
  /** The first model of a name's chain. @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, MODEL_UNAVAILABLE */
  resolve(name: string, tenantId: number): Promise<ResolvedModel>;
  /** What one call of each model of a name's chain may read, answer and cost; none: the name stands for nothing now. */
  bounds(name: string, tenantId: number): Promise<ChainBounds>;
  generate(request: ModelRequest): Promise<ModelAnswer>;
  /** As `generate`, with the text handed over as it arrives: at once where a guardrail must see the answer first. */
  stream(request: ModelRequest, sink: OnText | TextSink): Promise<ModelAnswer>;
  /** As `generate`, until `object` fits the schema. @throws OvenError OUTPUT_SCHEMA_MISMATCH */
  object(request: ObjectRequest): Promise<ModelAnswer>;
  /** Vectors of texts. @throws OvenError as `generate`, and EMBEDDING_INPUT_TOO_LONG */
  embed(request: EmbedRequest): Promise<EmbedAnswer>;
  generateImage(request: ImageRequest): Promise<ImageAnswer>;
  /** One video; it takes minutes. @throws as `generateImage` */
  generateVideo(request: VideoRequest): Promise<VideoAnswer>;
  /** Makes `simulated:<name>` answer by a script. */
  registerScript(script: SimulatedScript): void;
  providers(tenantId: number): Promise<ModelProvider[]>;
  /** Names that stand for models. */
  aliases(tenantId: number): Promise<string[]>;
  /** What providers that are set up list, as `providerId:modelId`; one that does not answer lists none. */
  listModels(tenantId: number): Promise<string[]>;
  /** Really calls a provider. @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED */
  testProvider(tenantId: number, id: string): Promise<ProviderTest>;
  /** What guardrails would do to a text. @throws OvenError INVALID_REQUEST, and what a classifier's model throws */
  tryGuardrails(given: TryGuardrails, call: GuardedCall): Promise<TriedGuardrails>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    ai: AiService;
  }
}

export interface Providers {
  directory: ProviderDirectory;
  own: TenantProviders;
  simulated: SimulatedProvider;
}

export function createProviders(
  db: Database,
  variables: RuntimeEnvironment["variables"],
  outbound: OutboundService,
): Providers {
  const simulated = createSimulatedProvider();
  const own = new TenantProviders(db, outbound);
  return {
    directory: new ProviderDirectory([...environmentProviders(variables ?? {}), createLocalProvider(), simulated], own),
    own,
    simulated,
  };
}

interface AiParts {
  /** Where it is told that a budget is spent. */
  events: Pick<EventService, "write" | "wake">;
  db: Database;
  providers: Providers;
  timing?: Timing;
}

export function createAiService({ db, timing = systemTiming, ...parts }: AiParts): AiService {
  const { directory: providers, simulated } = parts.providers;
  const meter = new Meter(db, new RateLimits(db, timing), new Budgets(db, timing, parts.events));
  const guardrails = new Guardrails(db, (request) => texts.unguarded(request, "classify"));
  const cache = new AnswerCache(db, timing);
  const around = { db, providers, meter, guardrails, recordings: new Recordings(db) };
  const texts = new TextCalls({ ...around, cache });
  const media = new MediaCalls(around);
  const embeddings = new EmbedCalls(around);
  const generate = (request: ModelRequest) => texts.guarded(request);

  return {
    async resolve(name, tenantId) {
      const { resolved } = await firstCandidate(await resolveChain(db, providers, name, tenantId));
      return resolved;
    },
    bounds: (name, tenantId) => chainBounds(db, providers, name, tenantId),
    generate,
    stream: (request, sink) => texts.guarded(request, typeof sink === "function" ? { onText: sink } : sink),
    object: (request) => askForObject(request, generate),
    embed: (request) => embeddings.embed(request),
    async generateImage(request) {
      const { content: images, ...answer } = await media.generate(imageMedium, request);
      return { ...answer, images };
    },
    async generateVideo(request) {
      const { content: video, usage: _none, ...answer } = await media.generate(videoMedium, request);
      return { ...answer, video };
    },
    registerScript: (script) => simulated.registerScript(script),
    providers: (tenantId) => providers.list(tenantId),
    aliases: (tenantId) => aliasNames(db, tenantId),
    listModels: async (tenantId) => {
      const usable = (await providers.all(tenantId)).filter((one) => one.configured && one.languageModel !== undefined);
      const listed = await Promise.allSettled(
        usable.map(async (one) => ({ id: one.id, models: await one.listModels() })),
      );
      return listed.flatMap((answer) =>
        answer.status === "fulfilled" ? answer.value.models.map((model) => `${answer.value.id}:${model}`) : [],
      );
    },
    tryGuardrails: (given, call) => guardrails.try(given, call),
    testProvider: async (tenantId, id) => testProvider(await providers.configured(tenantId, id)),
  };
}
