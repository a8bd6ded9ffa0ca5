import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "templates");

/**
 * A file of `templates/`, with a value in place of each `__word__` of its text.
 * @param path within the folder, without `.template`
 * @throws when the template has a word without a value
 */
export function fillTemplate(path: string, values: Record<string, string>): string {
  return fillWords(readFileSync(join(FOLDER, `${path}.template`), "utf8"), values);
}

/** The text with a value in place of each `__word__`. @throws when a word has no value */
export function fillWords(text: string, values: Record<string, string>): string {
  return text.replaceAll(/__([A-Za-z]+)__/g, (placeholder, word: string) => {
    const value = values[word];
    if (value === undefined) throw new Error(`nothing stands for ${placeholder} in the template`);
    return value;
  });
}
