import { OvenError } from "@oven/contract";
import { compile } from "html-to-text";
import { serialize } from "parse5";
import { type HtmlElement, parseHtml, tooMuch } from "./parse-html.ts";
import { attributeOf, HtmlSelection, textIn } from "./select-html.ts";

/** What is taken of an element. */
export const HTML_TAKES = ["text", "readable", "html", "attribute", "value"] as const;

/** One value to take out of a page. */
export interface HtmlValue {
  name: string;
  selector: string;
  take: (typeof HTML_TAKES)[number];
  attribute?: string | undefined;
  leaveOut?: readonly string[] | undefined;
  all?: boolean | undefined;
}

type Taken = string | null | (string | null)[];

/** Reads elements one by one, as long as what is read stays within a bound. */
class Reader {
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** @throws OvenError HTML_TOO_LARGE */
  spend(text: string): string {
    this.#chars += text.length;
    if (this.#chars > this.#maxChars) throw tooMuch(`The values together have more than ${this.#maxChars} characters`);
    return text;
  }

  /** How a value is read of the elements that one entry is made of. */
  of({ take, attribute = "", leaveOut = [] }: HtmlValue): (elements: readonly HtmlElement[]) => string | null {
    switch (take) {
      case "text":
        return (elements) => elements.map((element) => this.spend(textIn(element))).join("") || null;
      case "html":
        return ([first]) => (first === undefined ? null : this.spend(serialize(first)) || null);
      case "attribute":
        return ([first]) => this.#orNull(first && attributeOf(first, attribute.toLowerCase()));
      case "value":
        return ([first]) => this.#orNull(first && fieldValueOf(first));
      case "readable": {
        const lay = layOut(leaveOut);
        return ([first]) => (first === undefined ? "" : this.spend(lay(this.spend(serialize(first)))));
      }
    }
  }

  #orNull(text: string | undefined): string | null {
    return text === undefined ? null : this.spend(text);
  }
}

/** @throws OvenError SELECTOR_INVALID */
function layOut(leaveOut: readonly string[]): (html: string) => string {
  try {
    return compile({ selectors: leaveOut.map((selector) => ({ selector, format: "skip" })) });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `Of ${JSON.stringify(leaveOut)} not all are selectors of elements to leave out: ${why}`;
    throw new OvenError("SELECTOR_INVALID", message, { path: "$.values", cause });
  }
}

/** What a field of a form holds. */
function fieldValueOf(element: HtmlElement): string | undefined {
  if (element.tagName === "textarea") return textIn(element);
  if (element.tagName !== "select") return attributeOf(element, "value");
  const options = new HtmlSelection(element).all("option");
  const chosen = options.find((option) => attributeOf(option, "selected") !== undefined) ?? options[0];
  return chosen && (attributeOf(chosen, "value") ?? textIn(chosen));
}

/**
 * Takes values out of a page by CSS selectors.
 * @param maxChars how many characters may be read, of all values together
 * @param tidy what is done with each text that is found
 * @throws OvenError SELECTOR_INVALID, HTML_TOO_LARGE
 */
export function takeValues(
  html: string,
  values: readonly HtmlValue[],
  { maxChars, tidy }: { maxChars: number; tidy(text: string): string },
): Record<string, Taken> {
  const selection = new HtmlSelection(parseHtml(html));
  const reader = new Reader(maxChars);
  const tidied = (text: string | null) => (text === null ? null : tidy(text));
  return Object.fromEntries(
    values.map((value): [string, Taken] => {
      const read = reader.of(value);
      const found = selection.all(value.selector);
      return [value.name, value.all ? found.map((element) => tidied(read([element]))) : tidied(read(found))];
    }),
  );
}
