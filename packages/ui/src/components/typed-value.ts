import { isExactNumber, isOvenError, type Json, parseJson } from "@oven/contract";
import { t } from "@oven/i18n";

/** What a person typed as a value, or what is wrong with it in their language. */
export type Typed<T> = { ok: true; value: T } | { ok: false; message: string };

interface NumberRules {
  whole?: boolean;
  /** A number with more digits than a number can have is text. */
  longAsText?: boolean;
}

/**
 * JSON that was typed or chosen as a file. A number that would be changed is refused with its place, or is text where the schema takes text.
 */
export function readTypedJson(text: string, schema?: Json): Typed<Json> {
  try {
    return { ok: true, value: parseJson(text, { schema }) };
  } catch (error) {
    if (isOvenError(error) && error.code === "NUMBER_NOT_EXACT")
      return {
        ok: false,
        message: t("A number at {{path}} has more digits than a number can have. Write it in quotes, as text.", {
          path: error.path,
        }),
      };
    return {
      ok: false,
      message: t("Not JSON: {{message}}", { message: error instanceof Error ? error.message : String(error) }),
    };
  }
}

/** A number that was typed, as JSON writes it or as `Number` reads it (`.5`, `0x10`). One that would be changed is refused. */
export function readTypedNumber(
  text: string,
  { whole = false, longAsText = false }: NumberRules = {},
): Typed<number | string> {
  const typed = text.trim();
  const number = Number(typed);
  if (typed === "" || Number.isNaN(number)) return { ok: false, message: t("Not a number") };
  if (whole && !Number.isInteger(number) && Number.isFinite(number))
    return { ok: false, message: t("Not a whole number") };
  if (isUnchanged(typed, number)) return { ok: true, value: number };
  if (longAsText && /^-?\d+(?:\.\d+)?$/.test(typed)) return { ok: true, value: typed };
  return { ok: false, message: t("This has more digits than a number can have") };
}

/** Whether the number is the one that was typed. */
function isUnchanged(typed: string, number: number): boolean {
  if (!Number.isFinite(number)) return false;
  const plain = typed
    .replace(/^([+-]?)\./, "$10.")
    .replace(/^\+/, "")
    .replace(/\.(?=$|[eE])/, "");
  // What is no decimal, such as 0x10, is whole.
  return isExactNumber(plain) || (/^0[xob]/i.test(plain) && Number.isSafeInteger(number));
}
