/** Markdown as Teams shows it, without HTML: what looks like a tag, such as a mention, is text. */
export function toTeamsText(markdown: string): string {
  return markdown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** What a person wrote, without the mention of the bot. */
export function fromTeamsText(text: string): string {
  return text
    .replace(/<at\b[^>]*>[^<]*<\/at>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}
