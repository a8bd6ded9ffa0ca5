import type { FormField } from "@oven/contract/trigger";
import { element } from "./element.ts";
import type { EmbedWords } from "./embed-words.ts";

export interface FieldView {
  name: string;
  root: HTMLElement;
  /** Undefined: left out. */
  value(): unknown;
  /** What is missing, before anything is sent. */
  complaint(): { path: string; message: string } | undefined;
  problem(text: string): void;
  isInvalid(): boolean;
  focus(): void;
}

interface Control {
  /** What a label belongs to; of several boxes, the first. */
  focused: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  shown: HTMLElement;
  /** @throws SyntaxError for text that is no JSON */
  value(): unknown;
}

const INPUT_TYPES: Partial<Record<FormField["control"], string>> = {
  email: "email",
  date: "date",
  "date-time": "datetime-local",
  time: "time",
  number: "number",
  integer: "number",
};
let count = 0;

/** One question of a form. */
export function fieldView(field: FormField, words: EmbedWords): FieldView {
  count += 1;
  const id = `field-${count}`;
  const control = controlOf(field, id, words);
  const help = element("p", { className: "help", id: `${id}-help` }, field.description ?? "");
  const bad = element("p", { className: "bad", id: `${id}-bad` });
  const { focused } = control;
  focused.setAttribute("aria-describedby", `${id}-help ${id}-bad`);
  if (field.required) focused.setAttribute("aria-required", "true");
  const label = field.required ? `${field.label} *` : field.label;
  const isGroup = field.control === "choices";
  const root =
    field.control === "boolean"
      ? element("div", { className: "field" }, element("label", { className: "check" }, focused, label), help, bad)
      : element(
          isGroup ? "fieldset" : "div",
          { className: "field" },
          isGroup
            ? element("legend", { className: "name" }, label)
            : element("label", { className: "name", htmlFor: id }, label),
          control.shown,
          help,
          bad,
        );
  if (field.description === null) help.hidden = true;
  const path = `$.${field.name}`;
  return {
    name: field.name,
    root,
    value: () => control.value(),
    complaint: () => {
      try {
        const value = control.value();
        const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
        return field.required && isMissing ? { path, message: words.required } : undefined;
      } catch {
        return { path, message: words.notJson };
      }
    },
    problem: (text) => {
      bad.textContent = text;
      focused.setAttribute("aria-invalid", String(text !== ""));
    },
    isInvalid: () => focused.getAttribute("aria-invalid") === "true",
    focus: () => focused.focus(),
  };
}

function controlOf(field: FormField, id: string, words: EmbedWords): Control {
  const { control, choices, choiceLabels, initial } = field;
  const first = firstText(field);
  if (control === "boolean") {
    const box = element("input", { id, type: "checkbox", defaultChecked: initial === true });
    return { focused: box, shown: box, value: () => box.checked };
  }
  if (control === "choice") {
    const options = choices.map((value, at) =>
      element(
        "option",
        { value: String(at), defaultSelected: JSON.stringify(value) === JSON.stringify(initial) },
        choiceLabels[at] ?? "",
      ),
    );
    const select = element("select", { id }, element("option", { value: "" }, words.choose), ...options);
    return {
      focused: select,
      shown: select,
      value: () => (select.value === "" ? undefined : choices[Number(select.value)]),
    };
  }
  if (control === "choices") {
    const chosenFirst = new Set(Array.isArray(initial) ? initial.map((value) => JSON.stringify(value)) : []);
    const boxes = choices.map((choice, at) => {
      const defaultChecked = chosenFirst.has(JSON.stringify(choice));
      return element("input", { type: "checkbox", value: String(at), defaultChecked });
    });
    const labels = boxes.map((box, at) => element("label", { className: "check" }, box, choiceLabels[at] ?? ""));
    const chosen = () => boxes.flatMap((box, at) => (box.checked ? [choices[at]] : []));
    const [focused = element("input")] = boxes;
    return {
      focused,
      shown: element("div", {}, ...labels),
      value: () => (chosen().length === 0 ? undefined : chosen()),
    };
  }
  if (control === "long-text" || control === "text-list" || control === "json") {
    const placeholder = control === "text-list" ? words.onePerLine : control === "json" ? "{ }" : "";
    const area = element("textarea", { id, rows: 4, defaultValue: first, placeholder });
    return { focused: area, shown: area, value: () => readArea(control, area.value) };
  }
  const input = element("input", { id, type: INPUT_TYPES[control] ?? "text", defaultValue: first });
  if (control === "number") input.step = "any";
  return { focused: input, shown: input, value: () => readInput(field, input.value.trim()) };
}

/** What stands in a control of text at first. */
function firstText({ control, initial }: FormField): string {
  if (initial === null) return "";
  if (control === "text-list" && Array.isArray(initial)) return initial.map(String).join("\n");
  if (typeof initial !== "string") return JSON.stringify(initial);
  const instant = control === "date-time" ? new Date(initial) : undefined;
  if (instant === undefined || Number.isNaN(instant.getTime())) return initial;
  // Such a control holds the time of the page's place.
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function readArea(control: "long-text" | "text-list" | "json", text: string): unknown {
  if (text.trim() === "") return undefined;
  if (control === "json") return readJson(text);
  return control === "long-text"
    ? text
    : text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
}

function readInput({ control, longAsText }: FormField, text: string): unknown {
  if (text === "") return undefined;
  if (control === "date-time") return new Date(text).toISOString();
  if (control === "number" || control === "integer") {
    const number = Number(text);
    return longAsText && String(number) !== text ? text : number;
  }
  return text;
}

/** @throws SyntaxError for what is no JSON, and for a number with more digits than a double holds, which would be another number */
function readJson(text: string): unknown {
  if (/\d{16,}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))) throw new SyntaxError("The number is too long");
  return JSON.parse(text);
}
