import { isLanguage, type Language, loadLanguage, type Words } from "@oven/i18n";

const KEY = "oven.language";

/** What was chosen in this browser; else the first of the browser's own that there is. */
function chosenLanguage(): Language {
  const chosen = localStorage.getItem(KEY);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((locale) => locale.split("-")[0]).find(isLanguage) ?? "en";
}

/**
 * Before the files with words are loaded.
 * @param parts whose words the page shows
 */
export async function speakChosenLanguage(parts: readonly Words[]): Promise<void> {
  const language = chosenLanguage();
  await loadLanguage(language, parts);
  document.documentElement.lang = language;
}

/** The page begins anew in it. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  window.location.reload();
}
