/**
 * A number that `JSON.stringify` writes with the digits given, which no JavaScript number has.
 * @param text a number as JSON writes it
 */
export function longNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text); // cast: not in the library's types yet
}
