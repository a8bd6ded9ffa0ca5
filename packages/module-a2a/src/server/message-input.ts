import type { Message } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { isObject, type Json, type JsonObject, OvenError } from "@oven/contract";

/** Where a text goes, if the schema has several places for one. */
const USUAL_NAMES = ["message", "text", "input", "prompt", "question", "query"];

export interface MessageContent {
  data: JsonObject | undefined;
  text: string | undefined;
}

/** @throws ContentTypeNotSupportedError for files; OvenError INVALID_INPUT for a message without content */
export function readMessage({ parts }: Message): MessageContent {
  const texts: string[] = [];
  let data: JsonObject | undefined;
  for (const { content } of parts) {
    if (content?.$case === "text") texts.push(content.value);
    else if (content?.$case === "data") {
      const value = content.value as Json; // cast: it came as JSON
      if (!isObject(value) || data !== undefined)
        throw new OvenError("INVALID_INPUT", "A message takes one data part, which is an object", {
          fix: "Put all fields into one data part.",
        });
      data = value;
    } else throw new ContentTypeNotSupportedError("Files are not taken: send text and one data part");
  }
  const text = texts.join("\n").trim();
  if (data === undefined && text === "")
    throw new OvenError("INVALID_INPUT", "The message has no content", { fix: "Send a data part or a text." });
  return { data, text: text === "" ? undefined : text };
}

/**
 * The input of the run that a message starts: its data part as it is, and its text in the field that the schema has for one.
 * @throws OvenError INVALID_INPUT when the schema has no such field
 */
export function toInput({ data = {}, text }: MessageContent, schema: JsonObject): JsonObject {
  if (text === undefined) return data;
  const field = textField(schema, data);
  if (field !== undefined) return { ...data, [field]: text };
  // Beside data, a text is what the client says to its user.
  if (Object.keys(data).length > 0) return data;
  throw new OvenError("INVALID_INPUT", "The agent takes a data part, and the message has only text", {
    fix: `Send one data part with: ${Object.keys(propertiesOf(schema)).join(", ")}.`,
  });
}

function textField(schema: JsonObject, given: JsonObject): string | undefined {
  const properties = propertiesOf(schema);
  if (Object.keys(properties).length === 0) return "text" in given ? undefined : "text";
  const texts = Object.entries(properties)
    .filter(([name, property]) => isObject(property) && property.type === "string" && !(name in given))
    .map(([name]) => name);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const needed = texts.filter((name) => required.includes(name));
  if (needed.length === 1) return needed[0];
  if (texts.length === 1) return texts[0];
  return USUAL_NAMES.find((name) => texts.includes(name));
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}
