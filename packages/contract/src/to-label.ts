/** Words that are written in capitals. */
const ACRONYMS = /\b(api|csv|html|http|https|json|llm|mcp|pdf|sql|uri|url|xml)\b/g;

/** A name as people read it: `orderId` reads "Order id", `imageUrl` "Image URL". */
export function toLabel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase()
    .replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
