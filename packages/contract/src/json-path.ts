/** Keys and indexes from the value itself inwards. */
export type JsonPath = readonly PropertyKey[];

/** `$.states.review.onDone[0]`; keys that are no names stand in brackets and quotes. */
export function toJsonPath(path: JsonPath, root = "$"): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const key = String(part);
    return /^[A-Za-z_][\w-]*$/.test(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`;
  }, root);
}
