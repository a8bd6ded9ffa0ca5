import { deceptivePlaces } from "@oven/contract";

const MARKS = [
  /^#{1,6} \S/m,
  /^\s{0,3}[-*+] \S/m,
  /^\s{0,3}\d+[.)] \S/m,
  /\*\*\S[^*]*\*\*/,
  /^```/m,
  /\[[^\]]+\]\([^)\s]+\)/,
];
/** A definition of a link is not seen in the formatted text, whatever it says. */
const UNSEEN = /^\s*\[[^\]]*\]:/m;

/**
 * Whether a text is worth showing formatted: it has marks of Markdown, and nothing in it would be hidden by formatting it, or pass for
 * something else.
 */
export function isMarkdown(text: string): boolean {
  return !UNSEEN.test(text) && MARKS.some((mark) => mark.test(text)) && deceptivePlaces(text).length === 0;
}
