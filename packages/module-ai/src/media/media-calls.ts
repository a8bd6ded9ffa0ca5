import type { Json } from "@oven/contract";
import type { ModelAnswer, UsageRow } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import { type Candidate, resolveChain } from "../aliases/resolve-model.ts";
import type { Recordings } from "../answers/recordings.ts";
import type { Guardrails } from "../guardrails/guardrails.ts";
import { askChain, type Turn } from "../model/ask-chain.ts";
import { callBounded } from "../model/call-bounded.ts";
import type { Made } from "../prices/prices.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import type { Meter } from "../usage/meter.ts";
import type { ModelCaller } from "../usage/record-usage.ts";

/** What is asked for in words and answered in bytes. */
export interface MediaRequest {
  /** An alias or `providerId:modelId`. */
  model: string;
  prompt: string;
  /** Bounds the call of each model, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Ids of budgets that somebody has released for this call. */
  releasedBudgets?: readonly number[];
  caller: ModelCaller;
}

export interface MediaAnswer<Content>
  extends Pick<ModelAnswer, "model" | "costMicros" | "usage" | "warnings" | "fallbacks" | "source"> {
  content: Content;
}

/** What tells images and videos apart. */
export interface Medium<Request extends MediaRequest, Content> {
  operation: UsageRow["operation"];
  /** Where the request names none. */
  timeoutMs: number;
  /** @throws OvenError INVALID_REQUEST */
  check(request: Request): void;
  /** What the content depends on beside model and prompt. */
  settings(request: Request): Record<string, Json | undefined>;
  /** What will be made, and the tokens that it needs at most. */
  bounds(request: Request): { made: Made; tokens: number };
  /** @throws OvenError MODEL_UNKNOWN, IMAGE_OPTION_UNSUPPORTED: before anything is sent */
  prepare(
    request: Request,
    candidate: Candidate,
    timeoutMs: number,
  ): (signal: AbortSignal) => Promise<{ content: Content; usage: TokenUsage; made: Made; warnings: string[] }>;
  toJson(content: Content): Json;
  fromJson(kept: Json): Content;
}

interface MediaCallsParts {
  db: Database;
  providers: ProviderDirectory;
  meter: Meter;
  guardrails: Guardrails;
  recordings: Recordings;
}

/** Images and videos, with all that is around calls for text but the cache. */
export class MediaCalls {
  readonly #parts: MediaCallsParts;

  constructor(parts: MediaCallsParts) {
    this.#parts = parts;
  }

  /** @throws OvenError GUARDRAIL_BLOCKED, RECORDING_MISSING, and what checking, resolving and calling throw */
  async generate<Request extends MediaRequest, Content>(
    medium: Medium<Request, Content>,
    given: Request,
  ): Promise<MediaAnswer<Content>> {
    const { guardrails, recordings } = this.#parts;
    medium.check(given);
    const { model, caller, signal, releasedBudgets } = given;
    const guards = await guardrails.of(caller.tenantId);
    const guarded = await guards.input({
      model,
      messages: [{ role: "user", content: given.prompt }],
      caller,
      ...(signal === undefined ? {} : { signal }),
      ...(releasedBudgets === undefined ? {} : { releasedBudgets }),
    });
    const [message] = guarded.request.messages;
    const request = { ...given, prompt: typeof message?.content === "string" ? message.content : given.prompt };
    const { operation } = medium;
    const asked = { operation, model, prompt: request.prompt, ...medium.settings(request) };
    const codec = {
      toJson: ({ content, ...answer }: MediaAnswer<Content>) => ({ ...answer, content: medium.toJson(content) }),
      fromJson: ({ content, ...answer }: MediaAnswer<Json>) => ({ ...answer, content: medium.fromJson(content) }),
    };
    const answer = await recordings.through({ caller, operation, asked }, () => this.#ask(medium, request), codec);
    return { ...answer, warnings: [...guarded.warnings, ...answer.warnings] };
  }

  async #ask<Request extends MediaRequest, Content>(
    medium: Medium<Request, Content>,
    request: Request,
  ): Promise<MediaAnswer<Content>> {
    const { db, providers } = this.#parts;
    const chain = await resolveChain(db, providers, request.model, request.caller.tenantId);
    const { value, fallbacks } = await askChain({ chain, ask: (turn: Turn) => this.#askOne(turn, medium, request) });
    return { ...value, ...fallbacks };
  }

  async #askOne<Request extends MediaRequest, Content>(
    turn: Turn,
    medium: Medium<Request, Content>,
    request: Request,
  ): Promise<MediaAnswer<Content>> {
    const { resolved, provider } = turn.candidate;
    const { prompt, caller, signal, timeoutMs = medium.timeoutMs, releasedBudgets = [] } = request;
    const call = medium.prepare(request, turn.candidate, timeoutMs);
    const { made, tokens } = medium.bounds(request);
    const { operation } = medium;
    const { value, costMicros } = await this.#parts.meter.run(
      {
        ...{ model: resolved, provider, caller, operation, timeoutMs, releasedBudgets, signal },
        fallbackFrom: turn.fallbackFrom,
        expected: { input: Math.ceil(prompt.length / 4), output: 0 },
        most: () => ({ input: Buffer.byteLength(prompt), output: tokens, guessed: false }),
        made,
        mayWait: turn.last,
      },
      async (progress) => {
        const { keyHint } = provider;
        const { made, ...answer } = await callBounded(call, { resolved, keyHint, timeoutMs, signal, progress });
        return { value: answer, usage: answer.usage, made };
      },
    );
    return { ...value, costMicros, model: resolved };
  }
}
