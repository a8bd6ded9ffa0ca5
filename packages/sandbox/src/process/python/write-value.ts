const MAX_DEPTH = 400;

/** A result that JSON cannot hold exactly. */
export class NoJsonError extends Error {
  readonly path: (string | number)[];
  readonly fix: string;
  constructor(path: readonly (string | number)[], message: string, fix: string) {
    super(message);
    this.path = [...path];
    this.fix = fix;
  }
}

/** A result with more text than it may have. */
export class TooLargeError extends Error {}

type Path = (string | number)[];

/**
 * What the interpreter answers as JSON text: dicts come as maps, long integers as bigints, tuples as lists.
 * @throws NoJsonError, TooLargeError
 */
export function writeValue(value: unknown, maxLength: number): string {
  const pieces: string[] = [];
  let length = 0;
  const write = (piece: string): void => {
    length += piece.length;
    if (length > maxLength) throw new TooLargeError();
    pieces.push(piece);
  };
  const path: Path = [];
  const within = (key: string | number, inner: unknown): void => {
    path.push(key);
    walk(inner);
    path.pop();
  };
  const walk = (inner: unknown): void => {
    if (path.length > MAX_DEPTH)
      throw new NoJsonError(path, `The result is nested deeper than ${MAX_DEPTH} levels`, "Flatten it.");
    if (Array.isArray(inner)) {
      write("[");
      for (const [index, item] of inner.entries()) {
        if (index > 0) write(",");
        within(index, item);
      }
      write("]");
    } else if (inner instanceof Map) {
      write("{");
      for (const [index, [key, item]] of [...inner].entries()) {
        write(`${index > 0 ? "," : ""}${JSON.stringify(toKey(key, path))}:`);
        within(String(key), item);
      }
      write("}");
    } else write(toScalar(inner, path));
  };
  walk(value);
  return pieces.join("");
}

function toKey(key: unknown, path: Path): string {
  if (typeof key === "string") return key;
  throw new NoJsonError(path, `The key ${String(key)} is no text`, "Make it a text: str(key).");
}

function toScalar(value: unknown, path: Path): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "number":
      if (Number.isFinite(value)) return JSON.stringify(value);
      throw new NoJsonError(path, `${toPythonName(value)} is no JSON`, "Return None or a text.");
    case "bigint": {
      const digits = String(value);
      if (String(Number(value)) === digits) return digits;
      const shown = digits.length > 60 ? `${digits.slice(0, 60)}…` : digits;
      throw new NoJsonError(path, `${shown} has more digits than a number holds`, "Return it as text: str(value).");
    }
    default:
      if (value === null || value === undefined) return "null";
      throw new NoJsonError(
        path,
        `A ${typeOf(value)} is no JSON`,
        "Return dicts, lists, texts, numbers, booleans or None.",
      );
  }
}

function toPythonName(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

/** What Python calls it. */
function typeOf(value: object): string {
  if (value instanceof Set) return "set";
  if (value instanceof Uint8Array) return "bytes";
  const type: unknown = Reflect.get(value, "__monty_type__");
  return typeof type === "string" ? type.toLowerCase() : "value of this type";
}
