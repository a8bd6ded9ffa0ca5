/** At most this many UTF-16 code units of a text; an ellipsis stands for the rest, and no character is cut in half. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
