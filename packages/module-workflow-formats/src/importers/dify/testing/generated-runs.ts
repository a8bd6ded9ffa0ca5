import type { Json, JsonObject } from "@oven/contract";
import type { GeneratedRun, RunGenerator } from "../../../importing/testing/compare-runs.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { runDify } from "./reference-dify.ts";

type Kind = "text" | "number";
/** A variable that can be read where a step stands. */
interface Variable {
  selector: [string, string];
  kind: Kind;
}

interface Place {
  ends: readonly { source: string; sourceHandle: string }[];
  variables: readonly Variable[];
}

const TEXTS = ["Rome", "rome", "$.trigger.a", "{ n }", 'say "hi"', "a|b", "ünï", "(x)"];
const TITLES = ["Check", "Work", "Größe", "constructor", "done", "Item", "A", "a"];
const WHOLE = 14;

/** Draws apps of blocks that stand in one another. */
class Builder {
  readonly nodes: JsonObject[] = [];
  readonly edges: JsonObject[] = [];
  readonly isChat: boolean;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    this.isChat = random.chance(30);
    const field = (variable: string, type: string): JsonObject => ({ variable, type, required: true });
    const variables = [field("a", "text-input"), field("n", "number"), field("list", "json_object")];
    this.nodes.push({ id: "start", data: { type: "start", title: "start", variables } });
  }

  build(): void {
    const given: Variable[] = [
      { selector: ["start", "a"], kind: "text" },
      { selector: ["start", "n"], kind: "number" },
    ];
    const at = this.#blocks(
      { ends: [{ source: "start", sourceHandle: "source" }], variables: given },
      this.#random.between(1, 4),
      0,
    );
    if (at.ends.length > 0) this.#end(at);
  }

  #add(data: JsonObject, ends: Place["ends"], parentId?: string): string {
    const id = `${this.#random.pick(TITLES)} ${this.nodes.length}`;
    this.nodes.push({ id, ...(parentId === undefined ? {} : { parentId }), data: { title: id, ...data } });
    for (const end of ends) this.edges.push({ ...end, target: id });
    return id;
  }

  #blocks(place: Place, count: number, depth: number): Place {
    let at = place;
    for (let more = count; more > 0 && at.ends.length > 0 && this.nodes.length < WHOLE; more -= 1)
      at = this.#block(at, depth);
    return at;
  }

  #block(at: Place, depth: number): Place {
    const kind = this.#random.below(12);
    if (kind < 4 || depth > 1) return this.#template(at);
    if (kind < 7) return this.#choice(at, depth);
    if (kind < 8 && !this.isChat && depth === 0) return this.#fork(at);
    if (kind < 9 && depth === 0) return this.#iteration(at);
    if (kind < 10 && depth === 0) return this.#loop(at);
    if (this.isChat) return this.#answer(at);
    return this.#template(at);
  }

  #variable(at: Place, kind?: Kind): Variable {
    const fits = at.variables.filter((one) => kind === undefined || one.kind === kind);
    return this.#random.pick(fits);
  }

  #template(at: Place, parentId?: string): Place {
    const { selector } = this.#variable(at);
    const template = `${this.#random.pick(["", "Of ", "Of ", "a $.x ", "{ } ", "$ "])}{{ v }}${this.#random.pick(["", "!", ' "end"'])}`;
    const variables = [{ variable: "v", value_selector: selector }];
    const id = this.#add({ type: "template-transform", template, variables }, at.ends, parentId);
    return this.#behind(id, at, { selector: [id, "output"], kind: "text" });
  }

  #behind(id: string, at: Place, ...made: Variable[]): Place {
    return { ends: [{ source: id, sourceHandle: "source" }], variables: [...at.variables, ...made] };
  }

  #answer(at: Place): Place {
    const text = `${this.#random.pick(TEXTS)} {{#${this.#variable(at).selector.join(".")}#}} `;
    const id = this.#add({ type: "answer", answer: text }, at.ends);
    return this.#behind(id, at);
  }

  #end(at: Place): void {
    if (this.isChat) {
      this.#answer(at);
      return;
    }
    const outputs = Array.from({ length: this.#random.between(1, 2) }, (_, index) => ({
      variable: `${this.#random.pick(["x", "y", "constructor"])}${index}`,
      value_selector: this.#variable(at).selector,
    }));
    this.#add({ type: "end", outputs }, at.ends);
  }

  #conditions(at: Place): JsonObject[] {
    return Array.from({ length: this.#random.between(1, 2) }, () => {
      const { selector, kind } = this.#variable(at);
      const isText = kind === "text";
      const comparison_operator = this.#random.pick(
        isText
          ? ["contains", "not contains", "start with", "end with", "is", "is not", "empty", "not empty"]
          : ["=", "≠", ">", "<", "≥", "≤", "empty", "not empty"],
      );
      const value = isText ? this.#random.pick([...TEXTS, "o"]) : this.#random.pick(["0", "5", "-2.5"]);
      return { variable_selector: selector, varType: isText ? "string" : "number", comparison_operator, value };
    });
  }

  #choice(at: Place, depth: number): Place {
    const cases = Array.from({ length: this.#random.between(1, 2) }, (_, index) => ({
      ...{ case_id: `case ${index}`, logical_operator: this.#random.pick(["and", "or"]) },
      conditions: this.#conditions(at),
    }));
    const source = this.#add({ type: "if-else", cases }, at.ends);
    const places = [...cases.map(({ case_id }) => case_id), "false"].map((sourceHandle): Place => {
      const place = this.#blocks({ ...at, ends: [{ source, sourceHandle }] }, this.#random.below(3), depth + 1);
      if (place.ends.length === 0 || depth > 0 || !this.#random.chance(25)) return place;
      this.#end(place);
      return { ...place, ends: [] };
    });
    const ends = places.flatMap((place) => place.ends);
    const own = places.flatMap(({ variables }) => variables.slice(at.variables.length));
    if (ends.length === 0 || own.length === 0 || !this.#random.chance(60)) return { ...at, ends };
    const variables = own.map(({ selector }) => selector);
    const id = this.#add({ type: "variable-aggregator", variables }, ends);
    // It may be null.
    return this.#behind(id, at);
  }

  #fork(at: Place): Place {
    const places = [this.#blocks(at, 1, 2), this.#blocks(at, this.#random.between(1, 2), 2)];
    if (this.#random.chance(40)) {
      for (const place of places) this.#end(place);
      return { ...at, ends: [] };
    }
    const variables = places.flatMap((place) => place.variables.slice(at.variables.length));
    return { ends: places.flatMap(({ ends }) => ends), variables: [...at.variables, ...variables] };
  }

  #iteration(at: Place): Place {
    const data: JsonObject = {
      ...{ type: "iteration", iterator_selector: ["start", "list"] },
      ...(this.#random.chance(50) ? { flatten_output: this.#random.chance(50) } : {}),
    };
    const id = this.#add(data, at.ends);
    const begin = this.#add({ type: "iteration-start" }, [], id);
    const inside: Place = {
      ends: [{ source: begin, sourceHandle: "source" }],
      variables: [...at.variables, { selector: [id, "item"], kind: "text" }],
    };
    const last = this.#random.chance(50) ? this.#template(this.#template(inside, id), id) : this.#template(inside, id);
    data.output_selector = last.variables.at(-1)?.selector ?? null;
    (this.nodes.find((node) => node.id === id) ?? {}).data = { title: id, ...data };
    return this.#listed(id, at);
  }

  /** What reads the list of an iteration is the end only. */
  #listed(id: string, at: Place): Place {
    this.#lists.push([id, "output"]);
    return this.#behind(id, at);
  }

  readonly #lists: [string, string][] = [];

  #loop(at: Place): Place {
    const loop_variables = [{ label: "sum", var_type: "number", value_type: "constant", value: "0" }];
    const data: JsonObject = {
      type: "loop",
      loop_count: this.#random.between(1, 4),
      logical_operator: "and",
      loop_variables,
    };
    const id = this.#add(data, at.ends);
    const begin = this.#add({ type: "loop-start" }, [], id);
    const sum: Variable = { selector: [id, "sum"], kind: "number" };
    const value: Json = this.#random.pick([1, 2]);
    const items = [{ variable_selector: sum.selector, operation: "+=", input_type: "constant", value }];
    const add = this.#add({ type: "assigner", items }, [{ source: begin, sourceHandle: "source" }], id);
    if (this.#random.chance(60))
      this.#template({ ends: [{ source: add, sourceHandle: "source" }], variables: [...at.variables, sum] }, id);
    const isOver = {
      variable_selector: sum.selector,
      varType: "number",
      comparison_operator: "≥",
      value: this.#random.pick(["2", "3"]),
    };
    (this.nodes.find((node) => node.id === id) ?? {}).data = {
      title: id,
      ...data,
      break_conditions: this.#random.chance(60) ? [isOver] : [],
    };
    return this.#behind(id, at, sum);
  }

  /** Hands the lists of iterations to the first end. */
  addLists(): void {
    const end = this.nodes.find(({ data }) => (data as JsonObject).type === "end"); // cast: nodes have data
    if (end === undefined) return;
    const { outputs, ...data } = end.data as JsonObject & { outputs: Json[] }; // cast: written above
    const lists = this.#lists.map((value_selector, index) => ({ variable: `list${index}`, value_selector }));
    end.data = { ...data, outputs: [...outputs, ...lists] };
  }
}

function generateRun(random: Random): GeneratedRun {
  const builder = new Builder(random);
  builder.build();
  builder.addLists();
  const { nodes, edges, isChat } = builder;
  const mode = isChat ? "advanced-chat" : "workflow";
  const document: JsonObject = { kind: "app", app: { name: "Generated", mode }, workflow: { graph: { nodes, edges } } };
  const list = Array.from({ length: random.below(4) }, () => random.pick(TEXTS));
  const input = { a: random.pick([...TEXTS, ""]), n: random.pick([0, 5, -2.5]), list };
  const asked = isChat ? { ...input, message: "Hi" } : input;
  return { document, input: asked, reference: () => runDify(document, input) };
}

/** Apps of Dify that are imported as a whole, each with an input. */
export const runs: RunGenerator = { product: "dify", generateRun };
