import { t } from "@oven/i18n";

/** How far back a page looks, in days, as a choice. */
export const PERIODS = [
  { value: "7", label: t("the last 7 days") },
  { value: "30", label: t("the last 30 days") },
  { value: "90", label: t("the last 90 days") },
] as const;
export type Period = (typeof PERIODS)[number]["value"];
