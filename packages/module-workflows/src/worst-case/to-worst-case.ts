import type {
  UnboundedCause,
  UnboundedCode,
  WorstCase,
  WorstCaseAmount,
  WorstCaseSummary,
} from "@oven/contract/workflow";
import { UnboundedCodeSchema, WORST_CASE_QUANTITIES } from "@oven/contract/workflow";
import type { Amount, Cause, Totals } from "@oven/engine";

const TOOL = "tool:";

/** What the engine found, as it is shown. */
export function toWorstCase(totals: Totals): WorstCase {
  const of = (name: string): WorstCaseAmount => toAmount(totals.get(name));
  const tools = [...totals].flatMap(([name, found]) =>
    name.startsWith(TOOL) ? [[name.slice(TOOL.length), toAmount(found)] as const] : [],
  );
  const [active, waiting] = [of("active"), of("waiting")];
  return {
    modelCalls: of("modelCalls"),
    tokens: of("tokens"),
    costMicros: of("costMicros"),
    toolCalls: of("toolCalls"),
    tools: Object.fromEntries(tools),
    reviews: of("reviews"),
    durationMs: {
      most: active.most === null || waiting.most === null ? null : active.most + waiting.most,
      causes: waiting.causes,
      // Work has no largest step: what bounds it is the limit of the run.
      largest: (waiting.most ?? 0) > (active.most ?? 0) ? waiting.largest : null,
    },
  };
}

/** The short form, with why it is unbounded where it is. */
export function toSummary(worst: WorstCase): WorstCaseSummary {
  const causes = WORST_CASE_QUANTITIES.flatMap((name) => worst[name].causes.map(({ message }) => message));
  return {
    costMicros: worst.costMicros.most,
    modelCalls: worst.modelCalls.most,
    tokens: worst.tokens.most,
    toolCalls: worst.toolCalls.most,
    reviews: worst.reviews.most,
    durationMs: worst.durationMs.most,
    unbounded: [...new Set(causes)],
  };
}

function toAmount(found: Amount | undefined): WorstCaseAmount {
  if (found === undefined) return { most: 0, causes: [], largest: null };
  return Number.isFinite(found.most)
    ? { most: found.most, causes: [], largest: found.largest ?? null }
    : { most: null, causes: found.causes.map(toCause), largest: null };
}

function toCause({ state, path, code, about }: Cause): UnboundedCause {
  const known = UnboundedCodeSchema.parse(code);
  return { state, path, code: known, about, message: inWords(known, state, about ?? "") };
}

function inWords(code: UnboundedCode, state: string, about: string): string {
  switch (code) {
    case "cycle":
      return `${state} is on a cycle without a limit: draw a loop with maxIterations, or set maxSteps`;
    case "no-deadline":
      return `${state} waits without a deadline: give it one`;
    case "computed":
      return `What bounds ${state} is computed when it runs: write it out`;
    case "model-unknown":
      return `${state} asks the model ${about}, which stands for nothing now: set it up, or choose another`;
    case "model-context":
      return `How much the model ${about} of ${state} reads is not known: give its price a context length`;
    case "model-answer":
      return `How long an answer of the model ${about} of ${state} may be is not known: set maxOutputTokens`;
    case "model-price":
      return `What the model ${about} of ${state} costs is not known: give it a price`;
    case "any-calls":
      return `The model may ask ${state} for any number of tool calls in one answer: set maxCalls`;
    case "tool":
      return `What ${about} spends when ${state} calls it is not known: offer fewer tools`;
    case "tool-asks":
      return `${about} may ask people any number of questions when ${state} calls it`;
    case "callee":
      return `What ${state} runs is known only when it runs: name it`;
    case "store":
      return `What the vector store of ${state} asks models for is not known`;
  }
}
