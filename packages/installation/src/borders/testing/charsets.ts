/** Charsets of the Encoding Standard beside those of Unicode. */
const TABLES = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "iso-8859-2",
  "iso-8859-15",
  "koi8-r",
  "gbk",
  "big5",
  "shift_jis",
  "euc-jp",
  "euc-kr",
] as const;
export const CHARSETS = ["utf-8", "utf-16le", ...TABLES] as const;
export type Charset = (typeof CHARSETS)[number];

/** Characters that the platform's decoder has where the Encoding Standard has none or others: those for private use, and one of Big5. */
const EXTENSION = /[\p{Co}\u2593]/u;

const tables = new Map<Charset, Map<string, number[]>>();

/** The characters of a charset and their bytes, from the decoder of the platform. */
function tableOf(charset: Charset): Map<string, number[]> {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const made = new Map<string, number[]>();
  const decoder = new TextDecoder(charset, { fatal: true });
  const take = (bytes: number[]) => {
    let text: string;
    try {
      text = decoder.decode(Uint8Array.from(bytes));
    } catch {
      // No character.
      return;
    }
    if ([...text].length === 1 && !EXTENSION.test(text) && !made.has(text)) made.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) take([byte]);
  for (let lead = 0x81; lead <= 0xfe; lead++)
    // 0x8E begins half-width characters of EUC-JP, which the platform has more of than the standard.
    if (lead !== 0x8e) for (let trail = 0x40; trail <= 0xfe; trail++) take([lead, trail]);
  tables.set(charset, made);
  return made;
}

/** Characters past ASCII that the charset has. */
export function charactersOf(charset: Charset): string[] {
  if (charset === "utf-8" || charset === "utf-16le")
    return ["é", "ß", "€", "漢", "字", "あ", "한", "ا", "ไ", "😀", "\u200d"];
  return [...tableOf(charset).keys()].filter((character) => character > "\u00a0");
}

/** The bytes of a text, those of UTF-16 behind their mark; undefined where the charset lacks a character. */
export function encodeText(text: string, charset: Charset): Buffer | undefined {
  if (charset === "utf-8") return Buffer.from(text);
  if (charset === "utf-16le") return Buffer.from(`\uFEFF${text}`, "utf16le");
  const table = tableOf(charset);
  const bytes: number[] = [];
  for (const character of text) {
    const own = table.get(character);
    if (own === undefined) return undefined;
    bytes.push(...own);
  }
  return Buffer.from(bytes);
}
