import { z } from "zod";

/** Why nothing bounds a quantity. Each is about a state; what else it is about is in `about`. */
export const UNBOUNDED_CODES = [
  /** States lead to each other again and again. */
  "cycle",
  /** It waits for a person or an event, and no deadline ends that. */
  "no-deadline",
  /** Only the run knows the value that would say. */
  "computed",
  /** A name that stands for no model now. */
  "model-unknown",
  /** It is not known how much the model reads. */
  "model-context",
  /** It is not known how long an answer of the model may be. */
  "model-answer",
  /** It is not known what the model costs. */
  "model-price",
  /** A model may ask for any number of tool calls in one answer. */
  "any-calls",
  /** What the tool spends is not known: it asks models, or starts runs. */
  "tool",
  /** A tool may ask people any number of questions while it is called. */
  "tool-asks",
  /** What the called workflow or agent needs is not known. */
  "callee",
  /** A vector store chooses the models that it asks. */
  "store",
] as const;
/** One of the reasons why nothing bounds a quantity. */
export const UnboundedCodeSchema = z.enum(UNBOUNDED_CODES);
export type UnboundedCode = z.infer<typeof UnboundedCodeSchema>;

/** What makes a quantity unbounded. */
export const UnboundedCauseSchema = z.strictObject({
  /** The state, `caller/inner` in a called workflow. */
  state: z.string(),
  /** Where it is in the definition: `$.states.ask`. */
  path: z.string(),
  code: UnboundedCodeSchema,
  /** What the code is about besides the state, such as a model's name. */
  about: z.string().nullable(),
  /** In words, and what to do. */
  message: z.string(),
});
export type UnboundedCause = z.infer<typeof UnboundedCauseSchema>;

/** `most` is null where the causes make it unbounded. */
export const WorstCaseAmountSchema = z.strictObject({
  most: z.number().nonnegative().nullable(),
  causes: z.array(UnboundedCauseSchema),
  /** The step that adds most to it, and how much; null where nothing bounds it, or it is nothing. */
  largest: z.strictObject({ state: z.string(), path: z.string(), most: z.number() }).nullable(),
});
export type WorstCaseAmount = z.infer<typeof WorstCaseAmountSchema>;

/** What one run of a definition needs at most, its child runs included. */
export const WorstCaseSchema = z.strictObject({
  modelCalls: WorstCaseAmountSchema,
  /** What models read and write. */
  tokens: WorstCaseAmountSchema,
  /** 10⁻⁶ USD, by the prices of the tenant. */
  costMicros: WorstCaseAmountSchema,
  toolCalls: WorstCaseAmountSchema,
  /** Calls of each tool, by its id. */
  tools: z.record(z.string(), WorstCaseAmountSchema),
  /** What people are asked. */
  reviews: WorstCaseAmountSchema,
  /** Milliseconds from start to end: work, waiting for people, events and timers, pauses between attempts. */
  durationMs: WorstCaseAmountSchema,
});
export type WorstCase = z.infer<typeof WorstCaseSchema>;

/** The quantities that policies bound. */
export const WORST_CASE_QUANTITIES = [
  "costMicros",
  "modelCalls",
  "tokens",
  "toolCalls",
  "reviews",
  "durationMs",
] as const satisfies readonly (keyof WorstCase)[];
export type WorstCaseQuantity = (typeof WORST_CASE_QUANTITIES)[number];

const most = z.number().nonnegative().nullable();

/** The short form that MCP clients are shown; null: nothing bounds it, and `unbounded` says why. */
export const WorstCaseSummarySchema = z.strictObject({
  costMicros: most,
  modelCalls: most,
  tokens: most,
  toolCalls: most,
  reviews: most,
  durationMs: most,
  unbounded: z.array(z.string()),
});
export type WorstCaseSummary = z.infer<typeof WorstCaseSummarySchema>;
