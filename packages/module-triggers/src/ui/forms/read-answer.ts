import type { Json } from "@oven/contract";
import type { FormField } from "@oven/contract/trigger";

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
  if (typeof answer !== "string") return answer.length === 0 && required ? NEEDED : { value: answer };
  const text = answer.trim();
  if (text === "") return required ? NEEDED : { value: undefined };
  switch (control) {
    case "number":
    case "integer":
      return readNumber(text, control === "integer");
    case "choice":
    case "json":
      return readJson(text);
    case "text-list":
      return { value: text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()])) };
    case "date-time":
      // The control gives local time without a zone.
      return Number.isNaN(Date.parse(text))
        ? { problem: "Not a date and time." }
        : { value: new Date(text).toISOString() };
    case "time":
      return /^\d\d:\d\d(:\d\d)?$/.test(text) ? { value: withZone(text) } : { problem: "Not a time." };
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

const NEEDED = { problem: "Please answer this." };

function readNumber(text: string, whole: boolean): { value: number } | { problem: string } {
  const number = Number(text.replace(",", "."));
  if (!Number.isFinite(number)) return { problem: "This is not a number." };
  return whole && !Number.isInteger(number) ? { problem: "This is not a whole number." } : { value: number };
}

function readJson(text: string): { value: Json } | { problem: string } {
  try {
    return { value: JSON.parse(text) as Json }; // cast: JSON.parse gives JSON
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
