/** The one function of the module that code mostly loads it for. */
const B64ENCODE = `def _b64encode(data):
    if not isinstance(data, bytes):
        raise TypeError("a bytes-like object is required")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    numbers = list(data)
    parts = []
    for at in range(0, len(numbers), 3):
        three = numbers[at:at + 3]
        bits = 0
        for place in range(3):
            bits = bits * 256 + (three[place] if place < len(three) else 0)
        four = letters[bits // 262144] + letters[bits // 4096 % 64] + letters[bits // 64 % 64] + letters[bits % 64]
        parts.append(four[:len(three) + 1] + "=" * (3 - len(three)))
    return "".join(parts).encode()

`;

const IMPORT = /^import[ \t]+base64[ \t]*(?:#.*)?(?:\r?\n|$)/gm;
const CALL = /\bbase64\.b64encode\(/g;
/** Behind a quote or the sign of a comment it may be text. */
const IN_TEXT = /^[^\n]*["'#][^\n]*\bbase64\.b64encode\(/m;
const OTHER_USE = /\bbase64[ \t]*\.|\b(?:import|from)\b[^\n"']*\bbase64\b|\bbase64[ \t]+as\b/;

/**
 * Code in Python with `base64.b64encode` written out, which the interpreter does not have. Where the module is used otherwise, the code
 * stays as it is, and its import says what is missing.
 */
export function withBase64(code: string): string {
  if (code.search(IMPORT) < 0 || IN_TEXT.test(code) || /\b_b64encode\b/.test(code)) return code;
  const rest = code.replaceAll(IMPORT, "").replaceAll(CALL, "_b64encode(");
  return OTHER_USE.test(rest) ? code : B64ENCODE + rest;
}
