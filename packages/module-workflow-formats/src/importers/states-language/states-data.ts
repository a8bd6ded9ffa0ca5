import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { toLiteral, toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^'\\]*)'\]/y;

/** `$.a['b'][0]` as what it goes through. @throws NoEquivalent for paths that search */
function segmentsOf(path: string): (string | number)[] {
  const segments: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const match = path.startsWith("$") ? STEP.exec(path) : null;
    if (match === null) throw new NoEquivalent(`the path ${path} has no exact equivalent`);
    segments.push(match[1] ?? match[3] ?? Number(match[2]));
  }
  return segments;
}

/** What a state reads and writes: the document that goes from state to state is a variable of the run. */
export class StateData {
  /** The variable. */
  readonly root: string;
  readonly #input: string;

  constructor(root: string, input = root) {
    this.root = root;
    this.#input = input;
  }

  /** The same, seen through an `InputPath`. @throws NoEquivalent */
  through(path: Json | undefined): StateData {
    if (path === undefined) return this;
    if (typeof path !== "string") throw new NoEquivalent("it gets an empty input");
    return new StateData(this.root, this.path(path));
  }

  /** @throws NoEquivalent */
  path(path: string): string {
    if (path === "$$.Execution.Input" || path.startsWith("$$.Execution.Input."))
      return toPath("$.trigger", segmentsOf(`$${path.slice("$$.Execution.Input".length)}`));
    if (path.startsWith("$$")) throw new NoEquivalent(`${path} of the context object has no exact equivalent`);
    return toPath(this.#input, segmentsOf(path));
  }

  /** A payload template: keys that end with `.$` are paths. @throws NoEquivalent */
  template(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.template(one));
    if (!isObject(value)) return toLiteral(value);
    const result: JsonObject = {};
    for (const [key, child] of Object.entries(value)) {
      if (!key.endsWith(".$")) {
        setOwn(result, key, this.template(child));
        continue;
      }
      const text = String(child);
      if (!text.startsWith("$"))
        throw new NoEquivalent(`the intrinsic function ${text.split("(")[0]} has no exact equivalent`);
      setOwn(result, key.slice(0, -2), this.path(text));
    }
    if (Object.keys(result).some((key) => key.startsWith("$"))) throw new NoEquivalent("a field of it begins with $");
    return result;
  }

  /** Puts a result where `ResultPath` says, and leaves what `OutputPath` says. @throws NoEquivalent */
  results({ ResultPath: at = "$", OutputPath: output = "$" }: JsonObject, result: Json): Action[] {
    const actions: Action[] = [];
    const assign = (path: string, value: Json) => actions.push({ type: "assign", params: { path, value } });
    if (at === "$") {
      if (result !== this.root) assign(this.root, result);
    } else if (at !== null) {
      const segments = segmentsOf(String(at));
      if (segments.length !== 1 || typeof segments[0] === "number")
        throw new NoEquivalent("it puts its result deep into its input");
      assign(toPath(this.root, segments), result);
    }
    if (output === null) assign(this.root, {});
    else if (output !== "$") assign(this.root, new StateData(this.root).path(String(output)));
    return actions;
  }
}
