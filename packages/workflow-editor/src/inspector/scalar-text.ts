import type { Json } from "@oven/contract";
import { readTypedNumber } from "@oven/ui/components/typed-value.ts";
import type { Shape } from "./shape.ts";

/** What was typed into the one control of several simple types: a number only where writing it back gives the same text. */
export function readScalar({ options }: Shape & { kind: "scalar" }, text: string): Json | undefined {
  if (text === "") return undefined;
  const types = new Set(options.map(({ type }) => type));
  const number = Number(text);
  if ((types.has("number") || types.has("integer")) && Number.isFinite(number) && String(number) === text)
    return number;
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (types.has("null") && text === "null") return null;
  return text;
}

/** What was typed into a control for a number; the text itself where it is none, for the message beside it. */
export function readNumber(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  const typed = readTypedNumber(text);
  return typed.ok ? typed.value : text;
}

/** The value as a text field shows it: strings as they are, others as JSON, nothing as an empty text. */
export function toScalarText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was typed where any value may stand: a number, yes or no where writing it back gives the same text. */
export function readFree(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text !== "" && Number.isFinite(number) && String(number) === text ? number : text;
}
