import { OvenError } from "@oven/contract";
import { z } from "zod";

/** Content of a message: a text, or parts. */
export const ContentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish();
export type Content = z.infer<typeof ContentSchema>;

const TEXTS: Record<string, string> = { text: "text", input_text: "text", output_text: "text", refusal: "refusal" };

/**
 * The text of a message.
 * @param path where the content stands
 * @throws OvenError UNSUPPORTED_PARAMETER for images, sound and files: agents and workflows are talked to with text
 */
export function readText(content: Content, path: string): string {
  if (typeof content === "string" || content == null) return content ?? "";
  return content
    .map((part, index) => {
      const text = part[TEXTS[part.type] ?? ""];
      if (typeof text === "string") return text;
      throw unsupported(`${path}[${index}]`, `A part of the type ${part.type} cannot be given`, "Send text.");
    })
    .join("");
}

export function unsupported(path: string, message: string, fix: string): OvenError {
  return new OvenError("UNSUPPORTED_PARAMETER", message, { path, fix });
}
