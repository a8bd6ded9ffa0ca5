import { z } from "zod";
import type { Definition } from "./definition.ts";
import { type JsonObject, JsonObjectSchema } from "./json.ts";

/** A format whose documents compile to agent workflows. */
export const WorkflowFormatSchema = z.strictObject({ format: z.string(), title: z.string() });
export type WorkflowFormat = z.infer<typeof WorkflowFormatSchema>;

/** A document of a format, and what it compiles to. */
export const FormatWorkflowSchema = z.strictObject({
  format: z.string(),
  /** The id of the document in its format's API. */
  id: z.string(),
  name: z.string(),
  /** null: it cannot run yet. */
  agent_workflow_id: z.int().nullable(),
  updated_at: z.string(),
});
export type FormatWorkflow = z.infer<typeof FormatWorkflowSchema>;

/** A UUID, or a word of one's own. */
export const WorkflowIdSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, "must be letters, digits, _ and -, such as daily_price_monitor");

/** A document as text. */
export const FormatSourceSchema = z.strictObject({ source: z.string().min(1).max(2_000_000) });

/** A document of another format as a definition, as `POST /api/workflow-formats/[format]/compile` answers it. */
export const CompiledFormatSchema = z.strictObject({
  definition: JsonObjectSchema,
  warnings: z.array(z.strictObject({ path: z.string(), message: z.string(), fix: z.string() })),
});
export type CompiledFormat = z.infer<typeof CompiledFormatSchema>;

type Described = Pick<Definition, "meta"> | { meta?: unknown };

export interface DefinitionSource {
  format: string;
  /** Id of the document in its format's API. */
  workflow: string;
}

/** The document that a definition was compiled from, and which alone changes it; null: it is its own. */
export function sourceOf({ meta }: Described): DefinitionSource | null {
  if (typeof meta !== "object" || meta === null || !("source" in meta)) return null;
  const { source } = meta;
  if (typeof source !== "object" || source === null || !("format" in source)) return null;
  const { format } = source;
  const workflow = "workflow" in source ? source.workflow : "";
  return typeof format === "string" ? { format, workflow: typeof workflow === "string" ? workflow : "" } : null;
}

/** The same as a definition of its own. */
export function withoutSource<T extends JsonObject>(definition: T): T {
  if (sourceOf(definition) === null) return definition;
  const { source, ...meta } = definition.meta as JsonObject; // cast: it has a source
  return { ...definition, meta };
}
