import { OvenError } from "@oven/contract";
import type { ModelAnswer, ResolvedModel, UsageRow } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import { resolveChain } from "../aliases/resolve-model.ts";
import type { AnswerCache } from "../answers/answer-cache.ts";
import type { Recordings } from "../answers/recordings.ts";
import { askedOf, digestOf } from "../answers/request-digest.ts";
import type { Guardrails } from "../guardrails/guardrails.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import type { Meter } from "../usage/meter.ts";
import { recordAgain } from "../usage/record-usage.ts";
import { askChain, type Turn } from "./ask-chain.ts";
import { callModel, DEFAULT_TIMEOUT_MS } from "./call-model.ts";
import { expectedTokens, mostTokens } from "./estimate.ts";
import type { ModelRequest, TextSink } from "./model-request.ts";

const NO_TOKENS: TokenUsage = { input: 0, output: 0, total: 0 };
/** Whose answers are final, so that they may be given again. */
const FINISHED: ReadonlySet<string> = new Set(["stop", "tool-calls"]);

interface TextCallsParts {
  db: Database;
  providers: ProviderDirectory;
  meter: Meter;
  guardrails: Guardrails;
  cache: AnswerCache;
  recordings: Recordings;
}

/** What is around every call for text: guardrails, recording, the chain of models, cache, and the meter of each call. */
export class TextCalls {
  readonly #parts: TextCallsParts;

  constructor(parts: TextCallsParts) {
    this.#parts = parts;
  }

  /** @throws OvenError GUARDRAIL_BLOCKED, RECORDING_MISSING, and what resolving and calling throw */
  async guarded(given: ModelRequest, sink?: TextSink): Promise<ModelAnswer> {
    const guards = await this.#parts.guardrails.of(given.caller.tenantId);
    const { request, warnings } = await guards.input(given);
    const live = guards.holdsAnswer ? undefined : sink;
    const operation = sink === undefined ? "generate" : "stream";
    const raw = await this.unguarded(request, operation, live);
    const answer = await guards.output(raw, request);
    if (live === undefined && answer.text !== "") sink?.onText("0", answer.text);
    return warnings.length === 0 ? answer : { ...answer, warnings: [...warnings, ...answer.warnings] };
  }

  /** Without guardrails: what a guardrail asks a model is not guarded itself. */
  async unguarded(request: ModelRequest, operation: UsageRow["operation"], sink?: TextSink): Promise<ModelAnswer> {
    const { caller, recording } = request;
    const asked = askedOf(request, request.model);
    const answer = await this.#parts.recordings.through({ caller, operation, asked, recording }, () =>
      this.#ask(request, operation, sink),
    );
    if (answer.source === "recording") tell(answer, sink);
    return answer;
  }

  async #ask(given: ModelRequest, operation: UsageRow["operation"], sink?: TextSink): Promise<ModelAnswer> {
    const { db, providers } = this.#parts;
    const chain = await resolveChain(db, providers, given.model, given.caller.tenantId);
    const request = { ...chain.settings, ...given };
    const shown = new Set<string>();
    const { value, fallbacks } = await askChain({
      chain,
      ask: (turn) => this.#askOne(turn, request, operation, sink === undefined ? undefined : noting(sink, shown, turn)),
      leave() {
        if (shown.size === 0) return true;
        sink?.onDiscarded?.([...shown]);
        shown.clear();
        return sink?.onDiscarded !== undefined;
      },
    });
    return { ...value, ...fallbacks };
  }

  async #askOne(
    turn: Turn,
    request: ModelRequest,
    operation: UsageRow["operation"],
    sink?: TextSink,
  ): Promise<ModelAnswer> {
    const { cache, meter } = this.#parts;
    const { resolved, provider } = turn.candidate;
    const { caller, cacheTtlMs, signal, timeoutMs = DEFAULT_TIMEOUT_MS, releasedBudgets = [] } = request;
    const model = provider.languageModel?.(resolved.modelId);
    if (model === undefined) throw noText(resolved);
    const digest =
      cacheTtlMs === undefined ? undefined : digestOf(askedOf(request, `${resolved.providerId}:${resolved.modelId}`));
    const known = digest === undefined ? undefined : await cache.find(caller.tenantId, digest);
    if (known !== undefined) {
      const again = { ...known, model: resolved, usage: NO_TOKENS, costMicros: 0, source: "cache" as const };
      await recordAgain(this.#parts.db, again, caller, operation);
      tell(again, sink);
      return again;
    }
    const { value, costMicros } = await meter.run(
      {
        ...{ model: resolved, provider, caller, operation, timeoutMs, releasedBudgets, signal },
        fallbackFrom: turn.fallbackFrom,
        expected: expectedTokens(request),
        most: (longest) => mostTokens(request, longest),
        mayWait: turn.last,
      },
      async (progress) => {
        const stream = sink === undefined ? {} : { sink };
        const answer = await callModel({ request, resolved, provider, model, progress, ...stream });
        return { value: answer, usage: answer.usage };
      },
    );
    const answer = { ...value, costMicros };
    if (digest !== undefined && cacheTtlMs !== undefined && FINISHED.has(answer.finishReason))
      await cache.keep(caller.tenantId, digest, answer, cacheTtlMs);
    return answer;
  }
}

/** What was answered before arrives at once. */
function tell({ text }: ModelAnswer, sink: TextSink | undefined): void {
  if (text !== "") sink?.onText("0", text);
}

/** Parts of different models may have the same id. */
function noting({ onText, onDiscarded }: TextSink, shown: Set<string>, { index }: Turn): TextSink {
  const toOwn = (partId: string) => (index === 0 ? partId : `${index}.${partId}`);
  return {
    onText(partId, text) {
      shown.add(toOwn(partId));
      onText(toOwn(partId), text);
    },
    onDiscarded(partIds) {
      if (onDiscarded !== undefined) for (const partId of partIds) shown.delete(toOwn(partId));
      onDiscarded?.(partIds.map(toOwn));
    },
  };
}

function noText({ providerId, modelId }: ResolvedModel): OvenError {
  return new OvenError("MODEL_UNKNOWN", `The provider ${providerId} has no language models, so no \`${modelId}\``, {
    status: 422,
    fix: "Take a model of a provider that has them",
  });
}
