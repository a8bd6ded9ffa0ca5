import type { Json } from "@oven/contract";
import type { FormField } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { readTypedJson, readTypedNumber, type Typed } from "@oven/ui/components/typed-value.ts";

/** What stands in a control: text, a mark, or the marked ones of several. */
export type Answer = string | boolean | Json[];

export function initialAnswer({ control, initial }: FormField): Answer {
  if (control === "boolean") return initial === true;
  if (control === "choices") return Array.isArray(initial) ? initial : [];
  if (initial === null) return "";
  if (control === "text-list") return Array.isArray(initial) ? initial.join("\n") : "";
  if (control === "choice" || control === "json") return JSON.stringify(initial);
  // The control shows a time without its zone.
  if (control === "time" && typeof initial === "string") return /^\d\d:\d\d(:\d\d)?/.exec(initial)?.[0] ?? "";
  return typeof initial === "string" ? initial : JSON.stringify(initial);
}

/** The value that an answer stands for; undefined when nothing was answered. */
export function readAnswer(field: FormField, answer: Answer): { value: Json | undefined } | { problem: string } {
  const { control, required } = field;
  if (typeof answer === "boolean") return { value: answer };
  if (typeof answer !== "string") return answer.length === 0 && required ? needed() : { value: answer };
  const text = answer.trim();
  if (text === "") return required ? needed() : { value: undefined };
  switch (control) {
    case "number":
    case "integer":
      return toAnswer(
        readTypedNumber(text.replace(",", "."), { whole: control === "integer", longAsText: field.longAsText }),
      );
    case "choice":
    case "json":
      return toAnswer(readTypedJson(text));
    case "text-list":
      return { value: text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()])) };
    case "date-time":
      // The control gives local time without a zone.
      return Number.isNaN(Date.parse(text))
        ? { problem: t("Not a date and time") }
        : { value: new Date(text).toISOString() };
    case "time":
      return /^\d\d:\d\d(:\d\d)?$/.test(text) ? { value: withZone(text) } : { problem: t("Not a time") };
    default:
      return { value: control === "long-text" ? answer : text };
  }
}

/** JSON Schema's `time` has seconds and a zone (RFC 3339); the control gives local time with neither. */
function withZone(time: string): string {
  const minutes = -new Date().getTimezoneOffset();
  const digits = (number: number) => String(Math.abs(number)).padStart(2, "0");
  const zone = `${minutes < 0 ? "-" : "+"}${digits(Math.trunc(minutes / 60))}:${digits(minutes % 60)}`;
  return `${time.length === 5 ? `${time}:00` : time}${zone}`;
}

const needed = () => ({ problem: t("Please answer this.") });

function toAnswer(typed: Typed<Json>): { value: Json } | { problem: string } {
  return typed.ok ? { value: typed.value } : { problem: typed.message };
}
