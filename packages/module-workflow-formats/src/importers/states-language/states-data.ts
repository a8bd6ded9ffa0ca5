import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { toLiteral, toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { checkedCel } from "./states-cel.ts";
import type { StateCode } from "./states-code.ts";
import { celIntrinsic, readIntrinsic, valueOfIntrinsic } from "./states-intrinsics.ts";
import { celOf, celSearch, type Place, pathOf, segmentsOf } from "./states-paths.ts";

/** What `$` stands for: a value of the run, an object of such values, or nothing but `{}`. */
type Seen = Place | { fields: Readonly<Record<string, Place>> } | null;

/** Where variables are, and which there are. */
export interface Variables {
  root: string;
  names: ReadonlySet<string>;
}

interface Around {
  /** The state's own name. */
  name: string;
  /** Whether it is in a round of a Map, or says what one begins with. */
  isInRound: boolean;
  /** Variables that states assign. */
  variables: Variables;
  /** Takes functions that CEL does not have. */
  code?: StateCode | undefined;
}

/** What is different for each execution; there the one is the other with what stands before it in an ARN. */
const EXECUTION_ID = /^\$\$\.Execution\.(?:Id|Name)$/;
const RUN_ID = "dyn(string(execution.id))";
const EXECUTION_INPUT = "$$.Execution.Input";

/** What a state reads and writes: the document that goes from state to state is a variable of the run. */
export class StateData {
  /** The variable. */
  readonly root: string;
  readonly #around: Around;
  readonly #seen: Seen;

  constructor(root: string, around: Around, seen: Seen = { root, segments: [] }) {
    this.root = root;
    this.#around = around;
    this.#seen = seen;
  }

  /** The state's own name. */
  get name(): string {
    return this.#around.name;
  }

  /** @throws NoEquivalent for one that nothing assigns */
  variable(name: string): Place {
    const { root, names } = this.#around.variables;
    if (!names.has(name)) throw new NoEquivalent(`nothing outside of rounds and branches assigns $${name}`);
    return { root, segments: [name] };
  }

  /** What `$states.result` is: `$` of a state that has one. */
  get result(): Place | undefined {
    const seen = this.#seen;
    return seen !== null && "root" in seen && seen.root !== this.root ? seen : undefined;
  }

  get code(): StateCode | undefined {
    return this.#around.code;
  }

  /** The same, with a place for functions that CEL does not have. */
  withCode(code: StateCode): StateData {
    return new StateData(this.root, { ...this.#around, code }, this.#seen);
  }

  /** The same, where `$` is something else. */
  seeing(seen: Seen): StateData {
    return new StateData(this.root, this.#around, seen);
  }

  /** The same, where a round of a Map begins. */
  inRound(): StateData {
    return new StateData(this.root, { ...this.#around, isInRound: true }, this.#seen);
  }

  /** The same, seen through an `InputPath`. @throws NoEquivalent */
  through(path: Json | undefined): StateData {
    if (path === undefined) return this;
    return this.seeing(path === null ? null : this.place(String(path)));
  }

  /** @throws NoEquivalent for what is no single value of the run */
  place(path: string): Place {
    if (path.startsWith("$$")) return this.#context(path);
    const segments = segmentsOf(path);
    const seen = this.#seen;
    if (seen === null) throw new NoEquivalent("it reads from an empty input");
    if ("root" in seen) return { root: seen.root, segments: [...seen.segments, ...segments] };
    const [first, ...rest] = segments;
    const field = typeof first === "string" && Object.hasOwn(seen.fields, first) ? seen.fields[first] : undefined;
    if (field === undefined) throw new NoEquivalent(`its result has no ${path} here`);
    return { root: field.root, segments: [...field.segments, ...rest] };
  }

  /** What a path or an intrinsic function gives, as a value of ours. @throws NoEquivalent */
  value(text: string): Json {
    if (!text.startsWith("$")) return valueOfIntrinsic(readIntrinsic(text), this);
    if (text === "$$.State.Name") return toLiteral(this.#around.name);
    if (EXECUTION_ID.test(text)) return { $cel: RUN_ID };
    const seen = this.#seen;
    if (text === "$" && seen === null) return {};
    if (text === "$" && seen !== null && "fields" in seen)
      return Object.fromEntries(Object.entries(seen.fields).map(([key, place]) => [key, pathOf(place)]));
    return text.includes("[*]") ? { $cel: checkedCel(this.cel(text)) } : pathOf(this.place(text));
  }

  /** The same in CEL. @throws NoEquivalent */
  cel(text: string): string {
    if (!text.startsWith("$")) return celIntrinsic(readIntrinsic(text), this);
    if (text === "$$.State.Name") return JSON.stringify(this.#around.name);
    if (EXECUTION_ID.test(text)) return RUN_ID;
    return text.includes("[*]") ? celSearch(text, (before) => celOf(this.place(before))) : celOf(this.place(text));
  }

  /** A payload template: keys that end with `.$` are paths and functions. @throws NoEquivalent */
  template(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.template(one));
    if (!isObject(value)) return toLiteral(value);
    const result: JsonObject = {};
    for (const [key, child] of Object.entries(value)) {
      if (key.endsWith(".$")) setOwn(result, key.slice(0, -2), this.value(String(child)));
      else setOwn(result, key, this.template(child));
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
      if (typeof segments[0] === "number") throw new NoEquivalent("it puts its result into a list");
      assign(toPath(this.root, segments), result);
    }
    if (output === null) assign(this.root, {});
    else if (output !== "$") assign(this.root, this.seeing({ root: this.root, segments: [] }).value(String(output)));
    return actions;
  }

  /** A value of the context object. */
  #context(path: string): Place {
    if (path === EXECUTION_INPUT || /^\$\$\.Execution\.Input[.[]/.test(path))
      return { root: "$.trigger", segments: segmentsOf(`$${path.slice(EXECUTION_INPUT.length)}`) };
    if (path === "$$.Execution.StartTime") return { root: "$.execution", segments: ["startedAt"] };
    const [, item, rest] = /^\$\$\.Map\.Item\.(Value|Index)(.*)$/.exec(path) ?? [];
    if (item !== undefined && this.#around.isInRound)
      return { root: item === "Value" ? "$.item" : "$.index", segments: segmentsOf(`$${rest}`) };
    throw new NoEquivalent(`${path} of the context object has no exact equivalent`);
  }
}
