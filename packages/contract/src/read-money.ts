import type { Json, JsonObject } from "./json.ts";
import { getOwn } from "./own.ts";

const AMOUNT = /(amount|price|total|cost|sum|fee|balance|refund)(_?(cents|minor))?$/i;
const MINOR = /(cents|minor)$/i;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * An amount of money, written in its currency: `amount: 12` beside `currency: "EUR"` is 12.00 €, `amountCents: 1200` is the same. Null
 * for anything else: without a currency a number is a number.
 * @param locale BCP 47
 */
export function readMoney(name: string, value: Json, siblings: JsonObject, locale: string): string | null {
  const currency = getOwn(siblings, "currency") ?? getOwn(siblings, "currencyCode");
  if (typeof value !== "number" || !AMOUNT.test(name) || typeof currency !== "string" || !CURRENCY.test(currency))
    return null;
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const amount = MINOR.test(name) ? value / 10 ** digits : value;
  // A part of the smallest coin is not rounded away.
  return Number(amount.toFixed(digits)) === amount ? format.format(amount) : null;
}
