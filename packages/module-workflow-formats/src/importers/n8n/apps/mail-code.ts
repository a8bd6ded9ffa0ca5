/** JavaScript that writes a text, in UTF-8, as base64. */
export const BASE64 = `const bytesOf = (text) => Array.from(unescape(encodeURIComponent(text)), (one) => one.charCodeAt(0));
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64 = (text) => {
  const bytes = bytesOf(text);
  let made = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const four = [18, 12, 6, 0].map((shift) => ALPHABET[(three >> shift) & 63]);
    made += four.slice(0, Math.min(4, bytes.length - at + 1)).join("").padEnd(4, "=");
  }
  return made;
};`;

/** JavaScript that writes a mail as RFC 5322 has it, in base64 with the alphabet of addresses. */
export const MAIL = `${BASE64}
const oneLine = (text) => String(text ?? "").replace(/[\\r\\n]+/g, " ").trim();
const isPlain = (text) => /^[\\x20-\\x7e]*$/.test(text);
const word = (text) => {
  if (isPlain(text)) return text;
  const pieces = [""];
  for (const one of Array.from(text)) {
    if (bytesOf(pieces[pieces.length - 1] + one).length > 45) pieces.push("");
    pieces[pieces.length - 1] += one;
  }
  return pieces.map((piece) => "=?UTF-8?B?" + base64(piece) + "?=").join("\\r\\n ");
};
const addresses = (list, what) => oneLine(list).split(",").map((one) => one.trim()).filter((one) => one !== "").map((one) => {
  if (!one.includes("@")) throw new Error("The email address '" + one + "' in " + what + " is not valid");
  const [, name, address] = /^(.*?)\\s*(<[^<>]*>)$/.exec(one) ?? [null, "", "<" + one + ">"];
  return name === "" ? address : word(name) + " " + address;
}).join(", ");
const encodeMail = ({ to, cc, bcc, replyTo, subject, text, isHtml }) => {
  const headers = [["To", addresses(to, "To")], ["Cc", addresses(cc, "CC")], ["Bcc", addresses(bcc, "BCC")], ["Reply-To", addresses(replyTo, "Reply To")], ["Subject", word(oneLine(subject))]];
  const head = headers.filter(([name, value]) => value !== "" || name === "Subject").map(([name, value]) => name + ": " + value);
  const kind = ["MIME-Version: 1.0", "Content-Type: " + (isHtml ? "text/html" : "text/plain") + "; charset=utf-8", "Content-Transfer-Encoding: base64"];
  const body = (base64(String(text ?? "").trim()).match(/.{1,76}/g) ?? []).join("\\r\\n");
  return base64([...head, ...kind, "", body].join("\\r\\n")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};`;
