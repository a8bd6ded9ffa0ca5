import type { JsonObject, SchemaNote } from "@oven/contract";
import { toBorderSchema } from "./to-border-schema.ts";
import { toUsableSchema } from "./to-usable-schema.ts";

const MODELS = ["openai", "anthropic", "gemini"] as const;
type Reader = SchemaNote["readers"][number];

/** What a tool's arguments' schema loses on its way to those who call the tool, by place. @param given as its author wrote it */
export function schemaNotes(given: JsonObject, readers: readonly Exclude<Reader, "check">[] = MODELS): SchemaNote[] {
  const { schema, notes } = toUsableSchema(given);
  const found = new Map<string, SchemaNote>();
  const add = (reader: Reader, path: string, message: string) => {
    const key = JSON.stringify([path, message]);
    found.set(key, { path, message, readers: [...(found.get(key)?.readers ?? []), reader] });
  };
  for (const { path, message } of notes) add("check", path, message);
  for (const reader of readers)
    for (const { path, message } of toBorderSchema(schema, reader).notes) add(reader, path, message);
  return [...found.values()];
}
