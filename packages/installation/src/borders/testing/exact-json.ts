/*
 * JSON that is compared as it is written: numbers by their digits, not by the double that they become. It shares no code with the parser
 * that it tests.
 */

/** A number as it was written. */
export class WrittenNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Written = null | boolean | string | WrittenNumber | Written[] | { [key: string]: Written };

/** @throws SyntaxError */
export function readWritten(text: string): Written {
  return JSON.parse(text, (_key, value: Written, context?: { source?: string }) =>
    typeof value === "number" ? new WrittenNumber(context?.source ?? String(value)) : value,
  );
}

/** What stands under these keys; undefined where nothing does. */
export function writtenAt(value: Written, ...keys: readonly string[]): Written | undefined {
  let at: Written | undefined = value;
  for (const key of keys)
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (Object.getOwnPropertyDescriptor(at, key)?.value as Written) // cast: as it was read
        : undefined;
  return at;
}

export function isSame(one: Written | undefined, other: Written | undefined): boolean {
  if (one instanceof WrittenNumber || other instanceof WrittenNumber)
    return one instanceof WrittenNumber && other instanceof WrittenNumber && isSameNumber(one.text, other.text);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(writtenAt(one, key), writtenAt(other, key)))
  );
}

/** Whether two ways to write a number mean the same one, or the double that one of them is written out with 17 digits. */
export function isSameNumber(one: string, other: string): boolean {
  return isSameDecimal(one, other) || isWrittenOut(one, other) || isWrittenOut(other, one);
}

/** Languages that write each double with 17 digits write 0.1 as 0.10000000000000001; whole numbers are never written so. */
function isWrittenOut(long: string, short: string): boolean {
  const value = Number(short);
  if (Number.isInteger(Number(long)) || !isSameDecimal(short, String(value))) return false;
  return [16, 17].some((digits) => isSameDecimal(long, value.toPrecision(digits)));
}

function isSameDecimal(one: string, other: string): boolean {
  const [first, second] = [toInteger(one), toInteger(other)];
  if (first.digits === 0n || second.digits === 0n) return first.digits === second.digits;
  return first.digits === second.digits && first.exponent === second.exponent;
}

/** Digits × 10^exponent, without zeros at the end of the digits. */
function toInteger(text: string): { digits: bigint; exponent: number } {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const stripped = all.replace(/0+$/, "");
  return {
    digits: BigInt(stripped === "" || stripped === "-" ? 0 : stripped),
    exponent: Number(power) - fraction.length + all.length - stripped.length,
  };
}
