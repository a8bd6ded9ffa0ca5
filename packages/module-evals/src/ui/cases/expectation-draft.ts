import { type Expectation, ExpectationSchema } from "@oven/contract/eval";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";

export type ExpectationType = Expectation["type"];

/** An expectation as its form holds it: every field is there as text, whichever type is chosen. */
export interface ExpectationDraft {
  type: ExpectationType;
  path: string;
  /** JSON, or any other text for itself. */
  value: string;
  texts: string[];
  mode: "all" | "any";
  caseSensitive: boolean;
  pattern: string;
  exists: boolean;
  schema: string;
  expression: string;
  rubric: string;
  model: string;
  threshold: string;
  tool: string;
  /** JSON of an object; empty: whatever they are. */
  args: string;
  atLeast: string;
  /** Empty: as often as it likes. */
  atMost: string;
  tools: string[];
  status: string;
  outcome: string;
  error: string;
  node: string;
  measure: "tokens" | "costMicros" | "durationMs" | "steps";
  limit: string;
}

export const NEW_EXPECTATION: ExpectationDraft = {
  type: "contains",
  path: "$",
  value: "",
  texts: [""],
  mode: "all",
  caseSensitive: false,
  pattern: "",
  exists: true,
  schema: "",
  expression: "",
  rubric: "",
  model: "fast",
  threshold: "0.7",
  tool: "",
  args: "",
  atLeast: "1",
  atMost: "",
  tools: [],
  status: "completed",
  outcome: "",
  error: "",
  node: "",
  measure: "tokens",
  limit: "",
};

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export function toExpectationDraft(given: Expectation): ExpectationDraft {
  const draft = { ...NEW_EXPECTATION, type: given.type };
  switch (given.type) {
    case "exact": {
      // A text stands there without quotes, unless it would be read as something else.
      const isPlain = typeof given.value === "string" && read(given.value) === given.value;
      return { ...draft, path: given.path, value: isPlain ? String(given.value) : pretty(given.value) };
    }
    case "contains":
    case "notContains": {
      const { path, text, mode, caseSensitive } = given;
      return { ...draft, path, texts: typeof text === "string" ? [text] : text, mode, caseSensitive };
    }
    case "matches":
      return { ...draft, path: given.path, pattern: given.pattern };
    case "jsonPath":
      return { ...draft, path: given.path, exists: given.exists };
    case "schema":
      return { ...draft, path: given.path, schema: pretty(given.schema) };
    case "cel":
      return { ...draft, expression: given.expression };
    case "judge": {
      const { path, rubric, model, threshold } = given;
      return { ...draft, path, rubric, model, threshold: String(threshold) };
    }
    case "toolCalled":
      return {
        ...draft,
        tool: given.tool,
        args: given.arguments === undefined ? "" : pretty(given.arguments),
        atLeast: String(given.atLeast),
        atMost: given.atMost === undefined ? "" : String(given.atMost),
      };
    case "toolNotCalled":
      return { ...draft, tool: given.tool };
    case "toolOrder":
      return { ...draft, tools: given.tools };
    case "status":
      return { ...draft, status: given.status, outcome: given.outcome ?? "", error: given.error ?? "" };
    case "paused":
      return { ...draft, node: given.node ?? "", tool: given.tool ?? "" };
    case "atMost":
      return { ...draft, measure: given.measure, limit: String(given.value) };
  }
}

/** Null: something is missing yet, or is not what it has to be. */
export function toExpectation(draft: ExpectationDraft): Expectation | null {
  const { success, data } = ExpectationSchema.safeParse(toFields(draft));
  return success ? data : null;
}

function toFields(draft: ExpectationDraft): Record<string, unknown> {
  const { type, path, tool } = draft;
  switch (type) {
    case "exact":
      return { type, path, value: read(draft.value) };
    case "contains":
    case "notContains": {
      const { mode, caseSensitive } = draft;
      const texts = draft.texts.filter((text) => text !== "");
      return { type, path, text: texts.length === 1 ? texts[0] : texts, mode, caseSensitive };
    }
    case "matches":
      return { type, path, pattern: draft.pattern };
    case "jsonPath":
      return { type, path, exists: draft.exists };
    case "schema":
      return { type, path, schema: read(draft.schema) };
    case "cel":
      return { type, expression: draft.expression };
    case "judge":
      return { type, path, rubric: draft.rubric, model: draft.model, threshold: toNumber(draft.threshold) };
    case "toolCalled": {
      const args = draft.args.trim() === "" ? {} : { arguments: read(draft.args) };
      const atMost = draft.atMost.trim() === "" ? {} : { atMost: toNumber(draft.atMost) };
      return { type, tool, ...args, atLeast: toNumber(draft.atLeast), ...atMost };
    }
    case "toolNotCalled":
      return { type, tool };
    case "toolOrder":
      return { type, tools: draft.tools };
    case "status": {
      const { status, outcome, error } = draft;
      return { type, status, ...(outcome === "" ? {} : { outcome }), ...(error === "" ? {} : { error }) };
    }
    case "paused":
      return { type, ...(draft.node === "" ? {} : { node: draft.node }), ...(tool === "" ? {} : { tool }) };
    case "atMost":
      return { type, measure: draft.measure, value: toNumber(draft.limit) };
  }
}

/** What is no JSON is a text. */
function read(text: string): unknown {
  const typed = readTypedJson(text);
  return typed.ok ? typed.value : text;
}

/** NaN, which is refused, where nothing stands. */
function toNumber(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
