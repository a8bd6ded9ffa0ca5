import type { JsonObject } from "@oven/contract";
import { DefinitionSchema } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { z } from "zod";
import { type Field, type Shape, toFields } from "../../inspector/shape.ts";

/** The format itself as JSON Schema: what has no node type is edited by the same forms. */
const DEFINITION = z.toJSONSchema(DefinitionSchema, { io: "input", unrepresentable: "any" }) as JsonObject; // cast: a JSON Schema is JSON

const HINTS: Readonly<Record<string, string>> = {
  timeoutMs: t("How long each attempt may take"),
  retry: t("How often an attempt that failed is made again, and how long after"),
  collection: t("The list: $.trigger.lines"),
  condition: t("Goes on while this holds"),
  itemVariable: t("What the item is called inside; else item"),
  indexVariable: t("What the number of the round is called; else index"),
  maxIterations: "Rounds at most",
  concurrency: t("How many rounds run side by side"),
  continueOnError: t("A round that fails does not end the loop"),
  onLimit: t("What follows when there are more rounds than allowed"),
  output: t("What it hands on"),
  outcome: t("What the end is called, such as failed"),
  entry: t("Done when the state is entered"),
  exit: t("Done when the state is left"),
  history: t("How deep it remembers where it was"),
  context: t("Variables and what they begin with"),
  maxToolIterations: "Answers of a model in a tool loop, unless the step says",
  maxSteps: "Steps of a run at most",
  maxTokens: "Tokens a run and its children may use",
  maxCostMicros: "What a run and its children may cost",
  mcp: t("How it is offered over MCP"),
};

/** They name something: a path or a template in them means nothing. */
const NAMES: ReadonlySet<string> = new Set(["id", "itemVariable", "indexVariable", "outcome"]);

function fieldsAt(...path: string[]): Field[] {
  let schema: JsonObject = DEFINITION;
  const follow = (value: unknown): JsonObject => {
    const at = typeof value === "object" && value !== null ? (value as JsonObject) : {}; // cast: an object of the JSON Schema
    if (typeof at.$ref !== "string") return at;
    const name = at.$ref.split("/").at(-1) ?? "";
    return follow((DEFINITION.$defs as JsonObject)[name]); // cast: where references point
  };
  for (const part of path)
    schema = follow(part === "*" ? schema.additionalProperties : (schema.properties as JsonObject)[part]); // cast: properties of an object schema
  return toFields({ ...schema, $defs: DEFINITION.$defs ?? {} }).map((field) => ({
    ...field,
    description: HINTS[field.name] ?? field.description,
    plain: NAMES.has(field.name),
    shape: shapeOf(field),
  }));
}

function shapeOf({ name, shape }: Field): Shape {
  if (/Schema$/.test(name)) return { kind: "schema" };
  if (name === "mcp" && shape.kind === "object") return { ...shape, fields: shape.fields.map(withMcpWords) };
  // Names that the author chooses, each with any value.
  return name === "context" ? { kind: "record", value: { kind: "free", object: false }, limits: {} } : shape;
}

function withMcpWords(field: Field): Field {
  if (field.name !== "cancelOnAbort") return field;
  return {
    ...field,
    plain: true,
    label: t("Cancel the run with the call"),
    description: t("When the client that called it cancels the call. Empty: where nothing else waits for the run"),
  };
}

function only(fields: readonly Field[], ...names: string[]): Field[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

const STATE = fieldsAt("states", "*");
const LOOP = fieldsAt("states", "*", "loop");

export const INVOKE_FIELDS = only(fieldsAt("states", "*", "invoke"), "timeoutMs", "retry", "version");
export const LOOP_FIELDS: Record<"forEach" | "while", Field[]> = {
  forEach: only(
    LOOP,
    "collection",
    "itemVariable",
    "indexVariable",
    "concurrency",
    "continueOnError",
    "maxIterations",
    "onLimit",
    "timeoutMs",
  ),
  while: only(LOOP, "condition", "indexVariable", "maxIterations", "onLimit", "timeoutMs"),
};
export const FINAL_FIELDS = only(STATE, "output", "outcome");
export const HISTORY_FIELDS = only(STATE, "history");
export const ACTION_FIELDS = only(STATE, "entry", "exit");
export const GUARD_FIELD: Field | undefined = fieldsAt("states", "*", "loop").find(({ name }) => name === "condition");
export const WORKFLOW_FIELDS = only(
  fieldsAt(),
  "id",
  "payloadSchema",
  "outputSchema",
  "context",
  "agentConfig",
  "memoryConfig",
  "maxToolIterations",
  "maxSteps",
  "timeoutMs",
  "maxTokens",
  "maxCostMicros",
  "streamingEnabled",
  "mcpExport",
  "mcp",
  "entry",
);
