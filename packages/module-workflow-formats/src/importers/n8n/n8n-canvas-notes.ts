import type { Json, JsonObject } from "@oven/contract";
import type { N8nNode } from "./n8n-document.ts";

/** A sticky note as a note of the editor. */
export function toNote({ parameters, spec }: N8nNode, index: number): JsonObject {
  const size = (value: Json | undefined, otherwise: number) => (typeof value === "number" ? value : otherwise);
  const [x, y] = spec.position ?? [0, 0];
  const text = typeof parameters.content === "string" ? parameters.content : "";
  return {
    id: `note${index + 1}`,
    text,
    x,
    y,
    width: size(parameters.width, 240),
    height: size(parameters.height, 160),
  };
}
