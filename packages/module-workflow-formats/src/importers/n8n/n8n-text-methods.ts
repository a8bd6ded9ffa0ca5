const DOMAIN = String.raw`(?:\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-zA-Z\d-]+\.)+[a-zA-Z]{2,})`;
const MAIL = String.raw`(?:[^\s<>()[\]\\.,;:@"]+(?:\.[^\s<>()[\]\\.,;:@"]+)*|".+")@(${DOMAIN})`;
const SITE = String.raw`((?:[-\w]+\.)+(?:[a-zA-Z]{2,}|xn--[a-zA-Z\d]+)|localhost|\d{1,3}(?:\.\d{1,3}){3})`;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const kinds = ["String"];

/** Methods that n8n adds to texts, beside those of other values. */
export const TEXT_METHODS: Readonly<Record<string, { kinds: readonly string[]; code: string }>> = {
  toSnakeCase: {
    kinds,
    code: String.raw`return this.toLowerCase().replace(/[ -]/g, "_").replace(/[\u2000-\u206F\u2E00-\u2E7F!-,./:-@[-^\x60{-~]/g, "");`,
  },
  isEmail: { kinds, code: `return !this.includes(" ") && /${MAIL}/.test(this);` },
  isNumeric: {
    kinds,
    code: 'return !this.includes(" ") && !Number.isNaN(Number(this)) && !Number.isNaN(Number.parseFloat(this));',
  },
  extractEmail: { kinds, code: `return /${MAIL}/.exec(this)?.[0];` },
  extractUrl: {
    kinds,
    code: String.raw`return /(?:https?|ftp):\/\/${SITE}(?::\d+)?(?:\/[^\s?#]*)?(?:\?[^\s#]*)?#?[^\s]*/i.exec(this)?.[0];`,
  },
  extractDomain: {
    kinds,
    code: String.raw`return (!this.includes(" ") ? /${MAIL}/.exec(this)?.[1] : undefined) ?? /^(?:(?:https?|ftp):\/\/)?(?:mailto:)?(?:\/\/)?${SITE}(?::\d+)?(?:\/[^\s?]*)?(?:\?[^\s#]*)?(?:#[^\s]*)?$/i.exec(this)?.[1];`,
  },
  base64Encode: {
    kinds,
    code: [
      `const digits = "${DIGITS}"; const bytes = unescape(encodeURIComponent(this)); let text = "";`,
      "for (let at = 0; at < bytes.length; at += 3) {",
      "  const [one, two, three] = [0, 1, 2].map((step) => bytes.charCodeAt(at + step));",
      '  text += digits[one >> 2] + digits[((one & 3) << 4) | (two >> 4)] + (at + 1 < bytes.length ? digits[((two & 15) << 2) | (three >> 6)] : "=") + (at + 2 < bytes.length ? digits[three & 63] : "=");',
      "}",
      "return text;",
    ].join("\n"),
  },
  base64Decode: {
    kinds,
    code: [
      `const digits = "${DIGITS}"; let [bytes, held, count] = ["", 0, 0];`,
      'for (const digit of this.replace(/-/g, "+").replace(/_/g, "/")) {',
      "  const value = digits.indexOf(digit);",
      "  if (value < 0) continue;",
      "  held = (held << 6) | value; count += 6;",
      "  if (count >= 8) { count -= 8; bytes += String.fromCharCode((held >> count) & 255); held &= (1 << count) - 1; }",
      "}",
      "return decodeURIComponent(escape(bytes));",
    ].join("\n"),
  },
};
