import type { JsonObject } from "@oven/contract";
import { textOf } from "./keywords.ts";

const FILE = "A file as webhooks, mails and earlier steps hand it on: its name, and the reference of its content.";

/** A file in an input: never its bytes, but a reference to stored content. */
export function fileSchema(given: JsonObject = {}): JsonObject {
  const description = textOf(given.description);
  return {
    type: "object",
    description: description === "" ? FILE : `${description} (${FILE})`,
    properties: {
      filename: { type: "string" },
      blob: {
        type: "object",
        properties: {
          $blob: { type: "integer" },
          mediaType: { type: "string" },
          bytes: { type: "integer" },
          sha256: { type: "string" },
          summary: { type: "string" },
        },
        required: ["$blob", "mediaType", "bytes", "sha256", "summary"],
      },
    },
    required: ["blob"],
  };
}
