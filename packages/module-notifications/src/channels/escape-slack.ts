/** A text as Slack shows it: `<!channel>` and `<https://…|text>` would mean something to it. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
