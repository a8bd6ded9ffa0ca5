export { isLanguage, LANGUAGES, type Language } from "./language.ts";
export { currentLanguage, currentLocale, loadLanguage, t, type Words } from "./translate.ts";
export { tx } from "./tx.ts";
