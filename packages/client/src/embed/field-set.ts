import type { FormField } from "@oven/contract/trigger";
import type { EmbedWords } from "./embed-words.ts";
import { type FieldView, fieldView } from "./field-view.ts";

export interface FieldSet {
  roots: HTMLElement[];
  /** What was filled in; undefined: something is missing, and the page says so now. */
  values(): Record<string, unknown> | undefined;
  /** @param problems by place, such as `$.email` */
  showProblems(problems: readonly { path: string; message: string }[]): void;
  focus(): void;
}

/** The questions of a form. */
export function fieldSet(asked: readonly FormField[], words: EmbedWords): FieldSet {
  const fields: FieldView[] = asked.map((field) => fieldView(field, words));
  const showProblems: FieldSet["showProblems"] = (problems) => {
    for (const field of fields) {
      const path = `$.${field.name}`;
      const isOfField = (place: string) =>
        place === path || place.startsWith(`${path}[`) || place.startsWith(`${path}.`);
      field.problem(problems.find(({ path: place }) => isOfField(place))?.message ?? "");
    }
    fields.find(({ isInvalid }) => isInvalid())?.focus();
  };
  return {
    roots: fields.map(({ root }) => root),
    showProblems,
    values: () => {
      const missing = fields.flatMap((field) => field.complaint() ?? []);
      showProblems(missing);
      if (missing.length > 0) return undefined;
      const filled = fields.map(({ name, value }) => [name, value()] as const);
      return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
    },
    focus: () => fields[0]?.focus(),
  };
}
