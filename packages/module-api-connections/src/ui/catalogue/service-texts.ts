import type { CataloguedService } from "@oven/contract/api";
import { currentLanguage } from "@oven/i18n";

type ServiceTexts = Pick<CataloguedService, "description" | "steps" | "notes">;

/** What the catalogue says of a service, in the reader's language. */
export function textsOf(service: CataloguedService): ServiceTexts {
  const language = currentLanguage();
  return language === "en" ? service : service.translations[language];
}
