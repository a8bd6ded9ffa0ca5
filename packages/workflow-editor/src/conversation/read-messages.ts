import type { Json } from "@oven/contract";
import { type Message, MessageSchema } from "@oven/contract/ai";

export type ShownMessage = { ok: true; message: Message } | { ok: false; raw: Json };

/** `$.messages` of a context; what does not look like a message is shown as it stands. */
export function readMessages(context: Json): ShownMessage[] {
  if (typeof context !== "object" || context === null || Array.isArray(context)) return [];
  const { messages } = context;
  if (!Array.isArray(messages)) return [];
  return messages.map((raw) => {
    const parsed = MessageSchema.safeParse(raw);
    return parsed.success ? { ok: true, message: parsed.data } : { ok: false, raw };
  });
}

/** The text of a message, whichever of its two forms it has. */
export function toMessageText(content: string | readonly { type: string; text?: unknown }[]): string {
  if (typeof content === "string") return content;
  return content
    .filter((part) => part.type === "text" && typeof part.text === "string")
    .map((part) => String(part.text))
    .join("\n");
}
