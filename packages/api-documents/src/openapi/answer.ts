import { isObject, type Json, type JsonObject } from "@oven/contract";
import { objectAt } from "../references.ts";
import { cleanType, isJson } from "./body.ts";

const SUCCESSES = ["200", "201", "202", "203", "206", "2XX", "2xx", "default"];

/** What an operation answers when it succeeds. */
export interface ReadAnswer {
  accept: string | null;
  /** Of an answer in JSON, as the document has it. */
  schema: Json | undefined;
}

/** Reads the first answer of a success that says what is in it. */
export function readAnswer(operation: JsonObject, root: JsonObject): ReadAnswer {
  const responses = isObject(operation.responses) ? operation.responses : {};
  for (const status of SUCCESSES) {
    const content = objectAt(root, responses[status])?.content;
    if (!isObject(content)) continue;
    const types = Object.entries(content);
    const json = types.find(([type]) => isJson(cleanType(type))) ?? types.find(([type]) => cleanType(type) === "*/*");
    const [type, media] = json ?? types[0] ?? [];
    if (type === undefined) continue;
    return {
      accept: cleanType(type),
      schema: json !== undefined && isObject(media) ? media.schema : undefined,
    };
  }
  return { accept: null, schema: undefined };
}
