import { createInstance } from "i18next";
import singulars from "./english.json" with { type: "json" };
import type { Language } from "./language.ts";

/*
 * English sentences are the keys, so the code reads as the screen does, and what has no translation yet appears in English. Of a
 * sentence with `{{count}}`, `…_one` is what stands there for 1. A language is loaded before the modules with words are, because many of them stand in tables; another one begins with a new page.
 */

/** Loads the words of one part of the dashboard, by language. Where a language is missing, its sentences appear in English. */
export type Words = Partial<Record<Language, () => Promise<{ default: Record<string, string> }>>>;

/** What several parts say. */
const SHARED: Words = { de: () => import("./german.json", { with: { type: "json" } }) };

const i18n = createInstance();
void i18n.init({
  lng: "en",
  fallbackLng: false,
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  resources: { en: { translation: singulars } },
  // React escapes by itself.
  interpolation: { escapeValue: false },
});

/**
 * Loads the words of a language and speaks it from then on.
 * @param parts whose words are asked for, beyond the shared ones
 */
export async function loadLanguage(language: Language, parts: readonly Words[] = []): Promise<void> {
  const loaded = await Promise.all([SHARED, ...parts].map((words) => words[language]?.()));
  for (const words of loaded)
    if (words !== undefined) i18n.addResourceBundle(language, "translation", words.default, true);
  await i18n.changeLanguage(language);
}

/** The language that `t` answers in. */
export function currentLanguage(): Language {
  return i18n.language as Language; // cast: only `loadLanguage` changes it
}

/** For dates and numbers: the reader's own variant of the language, such as `en-GB`. */
export function currentLocale(): string {
  const language = currentLanguage();
  return navigator.languages.find((locale) => locale.split("-")[0] === language && isLocale(locale)) ?? language;
}

/** Chromium hands on what the system says, such as `en-US@posix`, which its own `Intl` refuses. */
function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}

/** The sentence in the reader's language; `{{name}}` stands for one of `values`, `{{count}}` decides about singular and plural. */
export function t(text: string, values?: Record<string, string | number | null | undefined>): string {
  return values === undefined ? i18n.t(text) : i18n.t(text, values);
}
