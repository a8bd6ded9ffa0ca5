/** Texts in which a code stands: thrown, put on a record, or the default of a node that fails on purpose. */
const PLACES = [
  /\b(?:new OvenError|fail)\(\s*"([A-Z][A-Z0-9_]+)"/g,
  /\["([A-Z]+(?:_[A-Z]+)+)",\s*["`]/g,
  /\.default\("([A-Z][A-Z0-9_]+)"\)/g,
];
/** `code: "X"`, `code = condition ? "X" : "Y"`, `code: known ?? "X"`. */
const ASSIGNED = /\bcode(?::|\s=(?!=))([^,;{}]*)/g;
const LITERAL = /"([A-Z][A-Z0-9_]+)"/g;

/** Every error code that a source file makes, sorted. */
export function findErrorCodes(source: string): string[] {
  const direct = PLACES.flatMap((place) => [...source.matchAll(place)].map(([, code = ""]) => code));
  const assigned = [...source.matchAll(ASSIGNED)].flatMap(([, expression = ""]) =>
    [...expression.matchAll(LITERAL)].map(([, code = ""]) => code),
  );
  return [...new Set([...direct, ...assigned])].sort();
}
