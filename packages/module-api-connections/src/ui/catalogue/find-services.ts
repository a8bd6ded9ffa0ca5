import type { CataloguedService, ServiceCategory } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { textsOf } from "./service-texts.ts";

export const CATEGORIES: readonly { value: ServiceCategory; label: string }[] = [
  { value: "communication", label: t("Communication") },
  { value: "work", label: t("Tasks and notes") },
  { value: "customers", label: t("Customers") },
  { value: "money", label: t("Money") },
  { value: "files", label: t("Files and media") },
  { value: "development", label: t("Development") },
  { value: "operations", label: t("Hosting and operations") },
  { value: "ai", label: t("Language and AI") },
];

/** Services whose name or description, in the reader's language, contains each of the words. */
export function findServices(
  services: readonly CataloguedService[],
  words: string,
  category: ServiceCategory | null,
): CataloguedService[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return services
    .filter((service) => category === null || service.category === category)
    .filter((service) => {
      const text = `${service.name} ${service.slug} ${textsOf(service).description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
