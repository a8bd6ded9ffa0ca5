import type { JsonObject, SchemaNote } from "@oven/contract";
import type { Note } from "./note-words.ts";
import { toBorderSchema } from "./to-border-schema.ts";
import { toUsableSchema } from "./to-usable-schema.ts";

const MODELS = ["openai-api", "anthropic-api", "gemini-api"] as const;
type Reader = SchemaNote["readers"][number];

/** What a tool's arguments' schema loses on its way to those who call the tool, by place. @param given as its author wrote it */
export function schemaNotes(given: JsonObject, readers: readonly Exclude<Reader, "check">[] = MODELS): SchemaNote[] {
  const { schema, notes } = toUsableSchema(given);
  return byPlace([
    ["check", notes],
    ...readers.map((reader): [Reader, Note[]] => [reader, toBorderSchema(schema, reader).notes]),
  ]);
}

/** What no model at all is shown of the schema of its answer. */
export function answerNotes(schema: JsonObject): SchemaNote[] {
  const notes = byPlace(MODELS.map((reader) => [reader, toBorderSchema(schema, reader, "answer").notes]));
  return notes.filter(({ readers }) => readers.length === MODELS.length);
}

function byPlace(lists: readonly (readonly [reader: Reader, notes: readonly Note[]])[]): SchemaNote[] {
  const found = new Map<string, SchemaNote>();
  for (const [reader, notes] of lists) {
    for (const note of notes) {
      const key = JSON.stringify([note.path, note.message]);
      found.set(key, { ...note, readers: [...(found.get(key)?.readers ?? []), reader] });
    }
  }
  return [...found.values()];
}
