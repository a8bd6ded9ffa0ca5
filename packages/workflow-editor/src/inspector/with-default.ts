/**
 * A text in which a path that may lead to nothing has a default: null where the path is the whole text, an empty text in a placeholder.
 * @param path as it is written in the text
 * @param other a path whose value stands in instead
 */
export function withDefault(text: string, path: string, other?: string): string {
  if (text.trim() === path) return `${path} | default(${other ?? "null"})`;
  return text.replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (placeholder, inner: string) =>
    inner === path ? `{{ ${path} | default(${other ?? '""'}) }}` : placeholder,
  );
}
