const MOST = 300;
/** Much longer messages hold answers of services; their beginning says what failed. */
const READ = 2_000;

/** In this order: what is quoted may hold ids, and ids hold numbers. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/"[^"\n]*"|“[^”\n]*”|`[^`\n]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?!\p{L})/gu, "…"],
  [/https?:\/\/[^\s)\]}>,]+/g, "<url>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g, "<time>"],
  // A word with letters and digits in it that is too long to be a name: keys, hashes, request ids.
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}\b/gi, "<id>"],
  [/(?<![\p{L}_])[-+]?\d+(?:[.,:]\d+)*/gu, "#"],
];

/** A message without what varies from run to run: what is quoted, ids, addresses, times, numbers. The same again for its result. */
export function normalizeMessage(message: string): string {
  const read = message.slice(0, READ).replace(/\s+/g, " ").trim();
  return VARYING.reduce((text, [pattern, instead]) => text.replace(pattern, instead), read).slice(0, MOST);
}
