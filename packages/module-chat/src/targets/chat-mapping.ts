import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { ChatMapping } from "@oven/contract/agent";

/** A workflow as it is talked to. */
export interface WorkflowFit {
  mapping: ChatMapping | null;
  /** Why it cannot be talked to as it is, and what to do; null: it can. */
  misfit: string | null;
  /** JSON Schema of the other fields of its input. */
  parameters: JsonObject | null;
}

const MESSAGE_NAMES = ["message", "question", "query", "prompt", "text", "input"];
const HISTORY_NAMES = ["messages", "history"];
const ANSWER_NAMES = ["text", "answer", "reply", "message"];

/**
 * How a workflow is talked to, read from its schemas. What is said goes to `message`, else to a field of that meaning, else to the only
 * field for text; the conversation to `messages`, where the input has it or may have more than it names.
 * @param chosen what a person has decided otherwise
 */
export function fitWorkflow(definition: JsonObject, chosen: Partial<ChatMapping> = {}): WorkflowFit {
  const schema = asObject(definition.payloadSchema);
  const properties = asObject(schema?.properties) ?? {};
  const isStrict = schema?.additionalProperties === false;
  const message = chosen.message ?? findMessage(properties, required(schema), isStrict);
  const others = (name: string | null | undefined) =>
    without(
      schema,
      [name, chosen.messages ?? HISTORY_NAMES.find((one) => Object.hasOwn(properties, one))].filter(
        (one) => typeof one === "string",
      ),
    );
  if (message === undefined) {
    return {
      mapping: null,
      misfit: "No field of its input takes a text. Add `message`, a text, to its payload schema.",
      parameters: others(undefined),
    };
  }
  if (isStrict && !Object.hasOwn(properties, message))
    return misfit(`Its input takes no \`${message}\`. Name a field of its payload schema.`, others(message));
  if (Object.hasOwn(properties, message) && !takesText(properties[message]))
    return misfit(`\`${message}\` of its input takes no text. Name a field that does.`, others(message));
  const known = HISTORY_NAMES.find((name) => name !== message && isList(properties[name]));
  const messages = chosen.messages === undefined ? (known ?? (isStrict ? null : "messages")) : chosen.messages;
  if (messages !== null && isStrict && !Object.hasOwn(properties, messages))
    return misfit(`Its input takes no \`${messages}\`. Name a field of its payload schema, or none.`, others(message));
  const input = chosen.input ?? {};
  const missing = required(schema).filter(
    (name) => name !== message && name !== messages && !Object.hasOwn(input, name),
  );
  const mapping = { message, messages, answer: chosen.answer ?? null, input };
  if (missing.length === 0) return { mapping, misfit: null, parameters: others(message) };
  const list = missing.map((name) => `\`${name}\``).join(", ");
  return {
    mapping,
    misfit: `Its input needs ${list} too: give it once for the whole chat.`,
    parameters: others(message),
  };
}

/** What the run of a turn gets. */
export function toInput(
  { message, messages, input }: ChatMapping,
  said: readonly { role: string; content: string }[],
): JsonObject {
  return {
    ...input,
    [message]: said.at(-1)?.content ?? "",
    ...(messages === null ? {} : { [messages]: said.map(({ role, content }) => ({ role, content })) }),
  };
}

/** The answer in what a run put out; text as it is, anything else as JSON. */
export function toAnswer(output: Json, path: string | null): string {
  const found = path === null ? likely(output) : at(output, path.split("."));
  return typeof found === "string" ? found : JSON.stringify(found ?? null);
}

function likely(output: Json): Json {
  const object = asObject(output);
  const name = ANSWER_NAMES.find((one) => typeof object?.[one] === "string");
  return name === undefined ? output : (object?.[name] ?? null);
}

function at(value: Json, path: readonly string[]): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const next = Array.isArray(value) ? value[Number(key)] : getOwn(asObject(value), key);
  return next === undefined ? null : at(next, rest);
}

function findMessage(properties: JsonObject, needed: readonly string[], isStrict: boolean): string | undefined {
  const texts = Object.keys(properties).filter((name) => takesText(properties[name]));
  const neededTexts = texts.filter((name) => needed.includes(name));
  const named = MESSAGE_NAMES.find((name) => texts.includes(name));
  if (named !== undefined) return named;
  if (neededTexts.length === 1) return neededTexts[0];
  if (texts.length === 1) return texts[0];
  // An input that is not described takes anything.
  return texts.length === 0 && !isStrict ? "message" : undefined;
}

function misfit(reason: string, parameters: JsonObject | null): WorkflowFit {
  return { mapping: null, misfit: reason, parameters };
}

/** The schema of the fields that are not the conversation's; null: there are none. */
function without(schema: JsonObject | undefined, names: readonly string[]): JsonObject | null {
  const properties = Object.entries(asObject(schema?.properties) ?? {}).filter(([name]) => !names.includes(name));
  if (properties.length === 0) return null;
  const needed = required(schema).filter((name) => !names.includes(name));
  return { type: "object", properties: Object.fromEntries(properties), required: needed };
}

function required(schema: JsonObject | undefined): string[] {
  return Array.isArray(schema?.required) ? schema.required.filter((name) => typeof name === "string") : [];
}

function takesText(schema: Json | undefined): boolean {
  const { type, enum: values } = asObject(schema) ?? {};
  if (Array.isArray(values)) return false;
  return type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"));
}

function isList(schema: Json | undefined): boolean {
  return schema !== undefined && (asObject(schema)?.type ?? "array") === "array";
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}
