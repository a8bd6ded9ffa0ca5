import { isLanguage, type Language, loadLanguage } from "@oven/i18n";
import { Host } from "./host.ts";

/** Where each of the two files says which view it is. */
const kind = document.documentElement.dataset.view === "review" ? "review" : "run";
const WORDS = { de: () => import("../../../i18n/de.json", { with: { type: "json" } }) };

function languageOf(locale: string | undefined): Language {
  const [language = ""] = (locale ?? navigator.language).split("-");
  return isLanguage(language) ? language : "en";
}

async function main(): Promise<void> {
  const host = new Host(window.parent);
  const context = await host.connect();
  const language = languageOf(context.locale);
  await loadLanguage(language, [WORDS]);
  document.documentElement.lang = language;
  // After its words: many of them stand in tables.
  const { showApp } = await import("./app.tsx");
  showApp(document.body.appendChild(document.createElement("main")), host, context, kind);
}

void main();
