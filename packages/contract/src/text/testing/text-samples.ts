/** A text, and its bytes in a charset. */
export interface TextSample {
  /** A label as senders write it. */
  charset: string;
  text: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const hex = (text: string) => new Uint8Array(text.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []);

/** The same kinds of text in charsets that senders use; the bytes are those of Python's codecs. For tests of every way in. */
export const TEXT_SAMPLES: readonly TextSample[] = [
  { charset: "utf-8", text: "Grüße, 你好, 日本語", bytes: hex("4772c3bcc39f652c20e4bda0e5a5bd2c20e697a5e69cace8aa9e") },
  { charset: "utf-16le", text: "Müller; 你好", bytes: hex("4d00fc006c006c00650072003b002000604f7d59") },
  { charset: "utf-16be", text: "Müller; 你好", bytes: hex("004d00fc006c006c00650072003b00204f60597d") },
  { charset: "iso-8859-1", text: "Müller à Genève", bytes: hex("4dfc6c6c657220e02047656ee87665") },
  { charset: "windows-1252", text: "Müller costs 5 €", bytes: hex("4dfc6c6c657220636f73747320352080") },
  { charset: "iso-8859-15", text: "Müller costs 5 €", bytes: hex("4dfc6c6c657220636f737473203520a4") },
  { charset: "iso-8859-2", text: "Łódź, Žižkov", bytes: hex("a3f364bc2c20ae69be6b6f76") },
  { charset: "windows-1251", text: "Привет, мир", bytes: hex("cff0e8e2e5f22c20ece8f0") },
  { charset: "koi8-r", text: "Привет, мир", bytes: hex("f0d2c9d7c5d42c20cdc9d2") },
  { charset: "gbk", text: "你好，世界", bytes: hex("c4e3bac3a3accac0bde7") },
  { charset: "gb18030", text: "你好 𠀀", bytes: hex("c4e3bac32095328236") },
  { charset: "big5", text: "你好，世界", bytes: hex("a741a66ea141a540acc9") },
  { charset: "shift_jis", text: "日本語テスト", bytes: hex("93fa967b8cea836583588367") },
  { charset: "euc-jp", text: "日本語テスト", bytes: hex("c6fccbdcb8eca5c6a5b9a5c8") },
  { charset: "iso-2022-jp", text: "日本語テスト", bytes: hex("1b2442467c4b5c386c2546253925481b2842") },
  { charset: "euc-kr", text: "안녕 갂", bytes: hex("bec8b3e7208141") },
];

/** A sample's bytes with ASCII around them, which is two bytes a character in UTF-16. */
export function surround(before: string, { charset, bytes }: TextSample, after: string): Uint8Array<ArrayBuffer> {
  const encode = (text: string): number[] =>
    [...text].flatMap((character) => {
      const byte = character.charCodeAt(0);
      if (charset === "utf-16le") return [byte, 0];
      return charset === "utf-16be" ? [0, byte] : [byte];
    });
  return new Uint8Array([...encode(before), ...bytes, ...encode(after)]);
}
