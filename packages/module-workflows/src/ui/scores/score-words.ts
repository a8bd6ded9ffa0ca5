import { THUMBS } from "@oven/contract/run";
import { t } from "@oven/i18n";

/** A score as people read it: a thumb as a word, anything else as a number from 0.00 to 1.00. */
export function formatScore(name: string, value: number): string {
  if (name === THUMBS && value === 1) return t("Good");
  if (name === THUMBS && value === 0) return t("Bad");
  return value.toFixed(2);
}
