import type { Json } from "@oven/contract";
import { getChild } from "@oven/engine";
import { INLINE_BYTES } from "./payloads.ts";

/** What there is to be put into a prompt. */
export interface Injection {
  /** Output of the executor before, as it goes on; undefined: there is none, and what refers to it stays as it is. */
  previous: Json | undefined;
  /** The same in full, where it goes on by reference: parts of it are taken from here. */
  whole: Json | undefined;
  /** Of a loop over a list. */
  item: Json | undefined;
}

const REFERENCE =
  /\$(previous_output|item)(?![A-Za-z0-9_])((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\d+\])*)|\{previous_output\}/g;

/**
 * A prompt with `$previous_output`, `$previous_output.path`, `{previous_output}` and `$item` replaced by JSON. One pass: what is
 * put in is never looked at again, and other braces stay as they are.
 */
export function injectPrompt(prompt: string, { previous, whole, item }: Injection): string {
  return prompt.replace(REFERENCE, (found, root: string | undefined, path: string | undefined) => {
    const value = root === "item" ? item : path === undefined || path === "" ? previous : (whole ?? previous);
    if (value === undefined) return found;
    const { reached, rest } = follow(value, path ?? "");
    const text = toText(reached);
    // A part that is itself too large is no better than the whole.
    return `${text.length > INLINE_BYTES && previous !== undefined && root !== "item" ? toText(previous) : text}${rest}`;
  });
}

/** As far as the path leads; what follows the last part that is there is text, such as the end of a sentence. */
function follow(value: Json, path: string): { reached: Json; rest: string } {
  let reached = value;
  let rest = path;
  for (const [part = "", key, index] of path.matchAll(/\.([A-Za-z0-9_]+)|\[(\d+)\]/g)) {
    const next = getChild(reached, key ?? Number(index));
    if (next === undefined) break;
    reached = next;
    rest = rest.slice(part.length);
  }
  return { reached, rest };
}

export interface UserMessage {
  /** By executor. */
  outputs: Record<string, Json>;
  item?: { index: number; value: Json } | undefined;
  /** What the executor itself answered in its last turn. */
  own?: { turn: number; value: Json } | undefined;
}

/** What stands beside the system prompt: what came before, and the order to do it now. */
export function toUserMessage({ outputs, item, own }: UserMessage): string {
  const parts: string[] = [];
  if (Object.keys(outputs).length > 0) parts.push(`Previous executor outputs:\n${toText(outputs)}`);
  if (item !== undefined) parts.push(`Current item ${item.index}:\n${toText(item.value)}`);
  if (own !== undefined) parts.push(`Your output of iteration ${own.turn}:\n${toText(own.value)}`);
  return parts.length === 0 ? "Execute your task." : [...parts, "Now execute your task."].join("\n\n");
}

const toText = (value: Json): string => JSON.stringify(value, null, 2);
