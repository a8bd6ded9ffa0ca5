/** What is being written where a variable can be named. */
export interface Completion {
  /** Where it begins, with what opens it; it ends at the cursor. */
  start: number;
  /** What is written of the variable so far. */
  sought: string;
}

/** `{{` and what follows it, while nothing closes it and no pipe has begun. */
const PLACEHOLDER = /\{\{\s*([^{}|\n]*)$/;
/** `/` behind a space or at the beginning, and what follows it without one. */
const SLASH = /(?:^|\s)(\/([\w$.[\]"-]*))$/;

/** Whether a variable is being named where the cursor stands in a text; null: it is free text. */
export function completionAt(text: string, cursor: number): Completion | null {
  const before = text.slice(0, cursor);
  const placeholder = PLACEHOLDER.exec(before);
  if (placeholder !== null) return { start: placeholder.index, sought: placeholder[1] ?? "" };
  const slash = SLASH.exec(before);
  return slash === null ? null : { start: cursor - (slash[1] ?? "").length, sought: slash[2] ?? "" };
}
