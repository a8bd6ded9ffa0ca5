import type { ModelPrice } from "@oven/contract/ai";
import { t } from "@oven/i18n";

const MICROS = 1_000_000;

/** `$2.50` of 10⁻⁶ USD: as a vendor writes it, with as many digits as it takes. */
export function toDollars(micros: number): string {
  const cents = (micros / MICROS).toFixed(6).replace(/0{1,4}$/, "");
  return `$${cents}`;
}

/** What was typed in dollars, in 10⁻⁶ USD; null: it is no amount. */
export function toMicros(text: string): number | null {
  if (text.trim() === "") return 0;
  const dollars = Number(text.trim().replace(/^\$/, ""));
  const micros = Math.round(dollars * MICROS);
  return Number.isFinite(dollars) && dollars >= 0 && Number.isSafeInteger(micros) ? micros : null;
}

/** `$2.50 in, $1.25 in again, $10.00 out` a million tokens; images and videos by their own count. */
export function toPriceWords(price: ModelPrice): string {
  const { inputMicros, cachedInputMicros, outputMicros, imageMicros, videoSecondMicros } = price;
  const tokens =
    inputMicros + outputMicros === 0
      ? []
      : [
          t("{{dollars}} in", { dollars: toDollars(inputMicros) }),
          ...(cachedInputMicros === inputMicros
            ? []
            : [t("{{dollars}} cached", { dollars: toDollars(cachedInputMicros) })]),
          ...(outputMicros === 0 ? [] : [t("{{dollars}} out", { dollars: toDollars(outputMicros) })]),
        ];
  const parts = [
    ...(tokens.length === 0 ? [] : [t("{{prices}} a million tokens", { prices: tokens.join(", ") })]),
    ...(imageMicros === 0 ? [] : [t("{{dollars}} an image", { dollars: toDollars(imageMicros) })]),
    ...(videoSecondMicros === 0 ? [] : [t("{{dollars}} a second of video", { dollars: toDollars(videoSecondMicros) })]),
  ];
  return parts.length === 0 ? t("costs nothing") : parts.join(" · ");
}
