import type { Json, JsonObject } from "@oven/contract";
import { Ambiguous } from "../../../importing/testing/compare-runs.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

type Values = { [key: string]: Json };

interface Node {
  id: string;
  parentId?: string;
  data: JsonObject;
}

interface Edge {
  source: string;
  target: string;
  sourceHandle: string;
}

/**
 * What Dify documents for its workflows: a node runs once, when each way to it has come or is known not to come; outputs of all ends are
 * one result, texts of all answers one reply. It knows the types of nodes that the generator of runs makes.
 */
export function runDify(document: JsonObject, input: Values): RunResult {
  return new Run(document).start(input);
}

class Run {
  readonly #nodes: readonly Node[];
  readonly #edges: readonly Edge[];
  readonly #isChat: boolean;
  /** Variables by node and name. */
  readonly #variables = new Map<string, Values>();
  readonly #steps = new Map<string, Json[]>();
  #outputs: Values = {};
  #reply = "";

  constructor({ app, workflow }: JsonObject) {
    const { graph } = workflow as unknown as { graph: { nodes: Node[]; edges: Edge[] } }; // cast: generated
    this.#nodes = graph.nodes;
    this.#edges = graph.edges;
    this.#isChat = (app as JsonObject).mode === "advanced-chat"; // cast: generated
  }

  start(input: Values): RunResult {
    const [start] = this.#nodes;
    this.#variables.set(start?.id ?? "", input);
    this.#walk(start?.id ?? "", undefined);
    return { status: "completed", output: this.#isChat ? { text: this.#reply } : this.#outputs, steps: this.#steps };
  }

  /** Runs what follows a start, in the order in which nodes have got all that leads to them. */
  #walk(start: string, parent: string | undefined): void {
    const inside = this.#nodes.filter((node) => node.parentId === parent);
    const taken = new Set<string>([start]);
    const handles = new Map<string, string>([[start, "source"]]);
    const open = inside.filter(({ id }) => id !== start);
    for (let left = open.length; left > 0; left -= 1) {
      const next = open.find(({ id }) =>
        this.#edges.every(({ source, target }) => target !== id || !open.some((node) => node.id === source)),
      );
      if (next === undefined) throw new Error("the document goes round");
      open.splice(open.indexOf(next), 1);
      const isTaken = this.#edges.some(
        ({ source, target, sourceHandle }) =>
          target === next.id && taken.has(source) && handles.get(source) === sourceHandle,
      );
      if (!isTaken) continue;
      taken.add(next.id);
      handles.set(next.id, this.#run(next));
    }
  }

  /** Of a variable; undefined: it is not there. */
  #find([from = "", key = ""]: readonly string[]): Json | undefined {
    return this.#variables.get(from)?.[key];
  }

  #read(selector: Json | undefined): Json {
    const value = this.#find(selector as string[]); // cast: generated
    if (value === undefined) throw new Ambiguous("a variable is missing");
    return value;
  }

  #hand(id: string, values: Values): string {
    this.#variables.set(id, { ...this.#variables.get(id), ...values });
    return "source";
  }

  #took(id: string, output: Json): void {
    this.#steps.set(id, [...(this.#steps.get(id) ?? []), output]);
  }

  /** Runs a node. @returns the handle that it goes on by */
  #run({ id, data }: Node): string {
    switch (data.type) {
      case "template-transform": {
        const output = this.#jinja(data);
        this.#took(id, { output });
        return this.#hand(id, { output });
      }
      case "variable-aggregator": {
        const found = (data.variables as string[][]).map((selector) => this.#find(selector)); // cast: generated
        const output = found.find((value) => value !== undefined) ?? null;
        this.#took(id, { output });
        return this.#hand(id, { output });
      }
      case "answer": {
        const text = this.#text(String(data.answer));
        this.#took(id, { text });
        this.#reply += text;
        return this.#hand(id, { answer: text });
      }
      case "end":
        for (const { variable, value_selector } of data.outputs as JsonObject[]) // cast: generated
          this.#outputs[String(variable)] = this.#find(value_selector as string[]) ?? null;
        return "source";
      case "if-else": {
        const found = (data.cases as JsonObject[]).find((one) => this.#holds(one)); // cast: generated
        return String(found?.case_id ?? "false");
      }
      case "assigner":
        return this.#assign(id, data.items as JsonObject[]); // cast: generated
      case "iteration":
        return this.#iterate(id, data);
      case "loop":
        return this.#loop(id, data);
      default:
        throw new Error(`the reference has no ${String(data.type)}`);
    }
  }

  #jinja({ template, variables }: JsonObject): string {
    const values = new Map((variables as JsonObject[]).map((one) => [String(one.variable), one.value_selector])); // cast: generated
    return String(template).replaceAll(/\{\{ (\w+) \}\}/g, (_, name: string) => toText(this.#read(values.get(name))));
  }

  #text(text: string): string {
    return text.replaceAll(/\{\{#([^#]+)#\}\}/g, (_, name: string) => toText(this.#read(name.split("."))));
  }

  #holds({ conditions, logical_operator }: JsonObject): boolean {
    const results = (conditions as JsonObject[]).map((condition) => this.#compare(condition)); // cast: generated
    return logical_operator === "or" ? results.includes(true) : !results.includes(false);
  }

  #compare({ variable_selector, comparison_operator, value }: JsonObject): boolean {
    const left = this.#read(variable_selector);
    const right = this.#text(String(value));
    const text = toText(left);
    switch (comparison_operator) {
      case "contains":
        return text.includes(right);
      case "not contains":
        return !text.includes(right);
      case "start with":
        return text.startsWith(right);
      case "end with":
        return text.endsWith(right);
      case "is":
        return text === right;
      case "is not":
        return text !== right;
      case "empty":
        return left === "" || left === 0;
      case "not empty":
        return left !== "" && left !== 0;
      case "=":
        return Number(left) === Number(right);
      case "≠":
        return Number(left) !== Number(right);
      case ">":
        return Number(left) > Number(right);
      case "<":
        return Number(left) < Number(right);
      case "≥":
        return Number(left) >= Number(right);
      case "≤":
        return Number(left) <= Number(right);
      default:
        throw new Error(`the reference has no ${String(comparison_operator)}`);
    }
  }

  #assign(id: string, items: readonly JsonObject[]): string {
    for (const { variable_selector, operation, value } of items) {
      const [loop = "", name = ""] = variable_selector as string[]; // cast: generated
      const before = this.#variables.get(loop)?.[name] ?? 0;
      const given = value ?? 0;
      this.#hand(loop, { [name]: operation === "+=" ? Number(before) + Number(given) : given });
    }
    return this.#hand(id, {});
  }

  #startIn(id: string): string {
    const start = this.#nodes.find(({ parentId, data }) => parentId === id && /-start$/.test(String(data.type)));
    return start?.id ?? "";
  }

  #forget(id: string): void {
    for (const node of this.#nodes) if (node.parentId === id) this.#variables.delete(node.id);
  }

  #iterate(id: string, { iterator_selector, output_selector }: JsonObject): string {
    const output: Json[] = [];
    for (const [index, item] of (this.#read(iterator_selector) as Json[]).entries()) {
      // cast: generated
      this.#hand(id, { item, index });
      this.#forget(id);
      this.#walk(this.#startIn(id), id);
      output.push(this.#find(output_selector as string[]) ?? null); // cast: generated
    }
    this.#variables.delete(id);
    return this.#hand(id, { output });
  }

  #loop(id: string, { loop_count, loop_variables, break_conditions, logical_operator }: JsonObject): string {
    for (const { label, value } of loop_variables as JsonObject[]) this.#hand(id, { [String(label)]: Number(value) }); // cast: generated
    for (let round = 0; round < Number(loop_count); round += 1) {
      this.#forget(id);
      this.#walk(this.#startIn(id), id);
      const conditions = break_conditions as JsonObject[]; // cast: generated
      if (conditions.length > 0 && this.#holds({ conditions, logical_operator: logical_operator ?? "and" })) break;
    }
    return "source";
  }
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
