/**
 * A text in which a path that may lead to nothing has a default: null where the path is the whole text, an empty text in a placeholder.
 * @param path as it is written in the text
 */
export function withDefault(text: string, path: string): string {
  if (text.trim() === path) return `${path} | default(null)`;
  return text.replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (placeholder, inner: string) =>
    inner === path ? `{{ ${path} | default("") }}` : placeholder,
  );
}
