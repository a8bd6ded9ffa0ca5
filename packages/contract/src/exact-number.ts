const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Digits by which any double can be distinguished from every other. */
const MOST_DIGITS = 17;

/**
 * Whether a double holds this number, so that it comes out as it went in: the double nearest to it is written with the same value.
 * A fraction of up to 17 digits may also be how other languages write that double, such as 0.10000000000000001.
 * @param text a number as JSON writes it
 */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  const wanted = toDecimal(text);
  if (wanted === undefined || !Number.isFinite(number)) return false;
  if (isSame(wanted, toDecimal(String(number)))) return true;
  const { length } = wanted.digits;
  if (wanted.exponent >= 0 || length > MOST_DIGITS || number === 0) return false;
  return isSame(wanted, toDecimal(number.toPrecision(length)));
}

/** The value digits × 10^exponent, without zeros at either end of the digits. */
interface Decimal {
  digits: string;
  exponent: number;
}

function toDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = "", power = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all[start] === "0") start++;
  while (end > start && all[end - 1] === "0") end--;
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + all.length - end };
}

function isSame(one: Decimal, other: Decimal | undefined): boolean {
  if (other === undefined || one.digits !== other.digits) return false;
  return one.digits === "" || one.exponent === other.exponent;
}
