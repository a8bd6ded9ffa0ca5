/** What the guest offers the host; its functions are called through QuickJS. */
export interface Guest {
  /** The value as JSON text, or what is wrong with it. */
  toResult(value: unknown): string;
  /** `{name, message, stack}` of what was thrown, as JSON text. */
  describe(thrown: unknown): string;
}

/** What `toResult` answers: a letter, then JSON. */
export const RESULT_MARKS = { json: "J", invalid: "I", tooLarge: "L" } as const;

export interface GuestSettings {
  seed: readonly [number, number, number, number];
  maxResultLength: number;
  maxLogLength: number;
}

/**
 * Prepares a fresh context: the console, seeded random numbers, no clock, and how results are read. It is never called here: its text is
 * evaluated in QuickJS before the user's code, so it may use nothing from outside itself. It takes the built-in functions that it needs
 * at once, because the code may replace them afterwards.
 */
export function prepareGuest(emit: (line: string) => void, settings: GuestSettings): Guest {
  const { stringify } = JSON;
  const { keys, defineProperty, prototype } = Object;
  const { apply, construct } = Reflect;
  const { isArray } = Array;
  const { isFinite: isNumber } = Number;
  const { slice } = String.prototype;
  const { toString: tagOf } = prototype;
  const toText = String;
  const toNumber = Number;
  const ErrorClass = Error;
  const MAX_DEPTH = 400;
  const MAX_TEXT = 2_000;
  const CHUNK = 65_536;
  const cut = (text: string, length: number): string => apply(slice, text, [0, length]);

  // sfc32, a small generator with a period of at least 2³²: the same seed gives the same numbers.
  let [a, b, c, counter] = settings.seed;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  const define = (target: object, key: string, value: unknown): void => {
    defineProperty(target, key, { value, writable: true, configurable: true, enumerable: false });
  };
  define(Math, "random", function random() {
    return ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992;
  });

  const RealDate = Date;
  const noClock = (): never => {
    throw new ErrorClass("Code has no clock: hand the time over as an input, such as $.execution.startedAt");
  };
  const SafeDate = function (...values: unknown[]): object {
    if (new.target === undefined || values.length === 0) return noClock();
    return construct(RealDate, values, new.target);
  };
  defineProperty(SafeDate, "prototype", { value: RealDate.prototype, writable: false });
  defineProperty(SafeDate, "name", { value: "Date" });
  define(SafeDate, "UTC", RealDate.UTC);
  define(SafeDate, "parse", RealDate.parse);
  define(SafeDate, "now", noClock);
  define(RealDate.prototype, "constructor", SafeDate);
  define(globalThis, "Date", SafeDate);

  const show = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (typeof value === "bigint") return `${value}n`;
    if (value instanceof ErrorClass) return `${value.name}: ${value.message}`;
    try {
      const text: unknown = stringify(value);
      if (typeof text === "string") return text;
    } catch {
      // What JSON cannot say, such as a cycle, is shown as JavaScript shows it.
    }
    return toText(value);
  };
  const print = (...values: unknown[]): void => {
    let line = "";
    for (let i = 0; i < values.length && line.length <= settings.maxLogLength; i++)
      line += (i === 0 ? "" : " ") + show(values[i]);
    emit(stringify(cut(line, settings.maxLogLength + 1)));
  };
  const console = {};
  for (const level of ["log", "info", "debug", "warn", "error"]) define(console, level, print);
  define(globalThis, "console", console);

  /** A place in the result, from within outwards. */
  interface Place {
    parent: Place | null;
    key: string | number;
    holder: object | null;
    depth: number;
  }
  interface Refusal {
    path: (string | number)[];
    message: string;
    fix: string;
  }
  let refusal: Refusal | null = null;
  let isTooLarge = false;
  let length = 0;
  // Adding to one long text would copy it each time; a list could be tampered with through its prototype.
  let text = "";
  let chunk = "";

  const pathOf = (place: Place): (string | number)[] => {
    const path: (string | number)[] = [];
    for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) path[at.depth - 1] = at.key;
    return path;
  };
  /** Ends the reading; what is thrown never reaches the code's own handlers, which have ended by then. */
  const refuse = (place: Place, message: string, fix: string): never => {
    refusal = { path: pathOf(place), message, fix };
    throw new ErrorClass(message);
  };
  const write = (piece: string): void => {
    length += piece.length;
    if (length > settings.maxResultLength) {
      isTooLarge = true;
      throw new ErrorClass("too large");
    }
    chunk += piece;
    if (chunk.length < CHUNK) return;
    text += chunk;
    chunk = "";
  };
  const writeValue = (given: unknown, place: Place): void => {
    let value = given;
    if (typeof value === "object" && value !== null) {
      // As JSON.stringify does: a Date becomes its ISO text.
      const { toJSON } = value as { toJSON?: unknown }; // cast: any object may have one
      if (typeof toJSON === "function") value = apply(toJSON, value, [toText(place.key)]);
    }
    switch (typeof value) {
      case "undefined":
        write("null");
        break;
      case "string":
      case "boolean":
        write(stringify(value));
        break;
      case "number":
        if (!isNumber(value)) refuse(place, `${value} is no JSON`, "Return null or a text.");
        write(stringify(value));
        break;
      case "bigint": {
        const digits = toText(value);
        if (toText(toNumber(value)) !== digits)
          refuse(place, `${cut(digits, 60)}n has more digits than a number holds`, "Return it as text: String(value).");
        write(digits);
        break;
      }
      case "object":
        if (value === null) write("null");
        else writeObject(value, place);
        break;
      default:
        refuse(place, `A ${typeof value} is no JSON`, "Return objects, lists, texts, numbers, booleans or null.");
    }
  };
  const writeObject = (value: object, place: Place): void => {
    for (let outer: Place | null = place; outer !== null; outer = outer.parent)
      if (outer.holder === value) refuse(place, "The value contains itself", "Return it without the cycle.");
    if (place.depth > MAX_DEPTH) refuse(place, `The result is nested deeper than ${MAX_DEPTH} levels`, "Flatten it.");
    const at = (key: string | number): Place => ({ parent: place, key, holder: value, depth: place.depth + 1 });
    if (isArray(value)) {
      write("[");
      for (let i = 0; i < value.length; i++) {
        if (i > 0) write(",");
        writeValue(value[i], at(i));
      }
      write("]");
      return;
    }
    const tag: string = apply(tagOf, value, []);
    if (tag !== "[object Object]")
      refuse(
        place,
        `${cut(tag, 60)} is no JSON`,
        "Make it an object or a list first: [...set], Object.fromEntries(map).",
      );
    const names = keys(value);
    let isFirst = true;
    write("{");
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string; // cast: the index is below the length
      const child = (value as Record<string, unknown>)[name]; // cast: keys of the object itself
      if (child === undefined) continue;
      write(`${isFirst ? "" : ","}${stringify(name)}:`);
      isFirst = false;
      writeValue(child, at(name));
    }
    write("}");
  };

  const textOf = (holder: object, key: string): string | null => {
    try {
      const text = (holder as Record<string, unknown>)[key]; // cast: read as it is
      return typeof text === "string" ? cut(text, MAX_TEXT) : null;
    } catch {
      return null;
    }
  };
  return {
    toResult(value) {
      try {
        writeValue(value, { parent: null, key: "", holder: null, depth: 0 });
        return `J${text}${chunk}`;
      } catch (thrown) {
        if (refusal !== null) return `I${stringify(refusal)}`;
        if (isTooLarge) return "L";
        throw thrown;
      }
    },
    describe(thrown) {
      if (typeof thrown === "object" && thrown !== null) {
        const name = textOf(thrown, "name");
        const message = textOf(thrown, "message");
        if (name !== null || message !== null)
          return stringify({ name: name ?? "Error", message: message ?? "", stack: textOf(thrown, "stack") ?? "" });
      }
      let shown = "";
      try {
        shown = cut(show(thrown), MAX_TEXT);
      } catch {
        shown = "a value that cannot be shown";
      }
      return stringify({ name: "", message: shown, stack: "" });
    },
  };
}
