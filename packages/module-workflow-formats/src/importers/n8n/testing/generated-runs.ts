import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { GeneratedRun, RunGenerator } from "../../../importing/testing/compare-runs.ts";
import type { Random } from "../../../importing/testing/random.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";
import { generateMerge } from "./generated-merges.ts";
import { assignment, conditionsFor, type Fields, inputFor, START_FIELDS } from "./generated-values.ts";
import { n8nNode } from "./n8n-documents.ts";
import { runN8n } from "./reference-n8n.ts";

/** An output that the next step is connected with. */
interface End {
  name: string;
  output: number;
  /** The input that it leads to, where that matters. */
  input?: number;
}

interface Place {
  ends: readonly End[];
  fields: Fields;
}

const NAMES = ["Check", "Work", "Mark it", "Größe", "a", "A", "Report", "constructor", "done", "Item"];
const WHOLE = 12;

/** Draws workflows of blocks that stand in one another: a condition with its ways, a loop with its body, a fork with its ways. */
class Builder {
  readonly nodes: JsonObject[] = [];
  readonly links = new Map<string, JsonObject[][]>();
  readonly #random: Random;
  readonly #answers: boolean;
  /** Whether one step fails in it: beside others the order would matter. */
  hasForks = false;
  hasBack = false;

  constructor(random: Random) {
    this.#random = random;
    this.#answers = random.chance(25);
    this.nodes.push(
      n8nNode("Start", this.#answers ? "formTrigger" : "executeWorkflowTrigger", { inputSource: "passthrough" }),
    );
  }

  build(): void {
    this.#blocks({ ends: [{ name: "Start", output: 0 }], fields: START_FIELDS }, this.#random.between(2, 5), 0);
  }

  #add(type: string, parameters: JsonObject, ends: readonly End[], more: JsonObject = {}): string {
    const base = this.#random.pick(NAMES);
    const taken = new Set(this.nodes.map(({ name }) => name));
    let name = base;
    for (let number = 1; taken.has(name); number += 1) name = `${base} ${number}`;
    this.nodes.push(n8nNode(name, type, parameters, more));
    for (const { name: from, output, input = 0 } of ends) {
      const outputs = this.links.get(from) ?? [];
      this.links.set(from, outputs);
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push({ node: name, type: "main", index: input });
    }
    return name;
  }

  #blocks(place: Place, count: number, depth: number): Place {
    let at = place;
    for (let more = count; more > 0 && at.ends.length > 0 && this.nodes.length < WHOLE; more -= 1)
      at = this.#block(at, depth);
    return at;
  }

  #block(at: Place, depth: number): Place {
    const kind = this.#random.below(24);
    if (kind === 20 && depth === 0) return this.#merge(at);
    if (kind > 20 && depth === 0) return this.#back(at);
    if (kind < 6 || depth > 2) return this.#set(at);
    if (kind < 8) return { ...at, ends: [{ name: this.#add("noOp", {}, at.ends), output: 0 }] };
    if (kind < 11) return this.#choice(at, depth);
    if (kind < 13) return this.#switch(at, depth);
    if (kind === 13 && depth === 0) {
      const conditions = conditionsFor(this.#random, at.fields);
      return { ...at, ends: [{ name: this.#add("filter", { conditions }, at.ends), output: 0 }] };
    }
    if (kind < 16 && depth === 0) return this.#fork(at);
    if (kind < 18 && at.fields.list !== undefined && depth === 0) return this.#loop(at);
    if (kind === 18 && !this.hasForks && depth < 2) {
      this.#add(
        "stopAndError",
        { errorMessage: this.#random.pick(["Wrong", "=No {{ $('Start').item.json.a }}", "$.x"]) },
        at.ends,
      );
      return { ...at, ends: [] };
    }
    return this.#answers && depth < 2 ? this.#respond(at) : this.#set(at);
  }

  #set(at: Place): Place {
    const random = this.#random;
    const made = Array.from({ length: random.between(1, 3) }, () => assignment(random, at.fields));
    const own = Object.fromEntries(made.map(({ name, fieldType }) => [name, fieldType]));
    const keeps = random.chance(40);
    const include = random.pick(["all", "selected", "except"]);
    const listed = random.pick(["a", "n", "a,yes"]);
    const parameters = {
      assignments: { assignments: made.map(({ fieldType: _, ...one }) => one) },
      ...(keeps ? { includeOtherFields: true, include, includeFields: listed, excludeFields: listed } : {}),
    };
    const isListed = (key: string) => listed.split(",").includes(key);
    const kept = Object.entries(at.fields).filter(
      ([key]) => keeps && (include === "all" || (include === "selected") === isListed(key)),
    );
    const fields = { ...Object.fromEntries(kept), ...own };
    return { fields, ends: [{ name: this.#add("set", parameters, at.ends), output: 0 }] };
  }

  #respond(at: Place): Place {
    const parameters = this.#random.pick<JsonObject>([
      { respondWith: "text", responseBody: "=Hi {{ $('Start').item.json.a }}" },
      { respondWith: "noData", options: { responseCode: 204 } },
    ]);
    return { ...at, ends: [{ name: this.#add("respondToWebhook", parameters, at.ends), output: 0 }] };
  }

  /** What comes after several ways of which one is taken. */
  #rejoin(places: readonly Place[]): Place {
    const [first, ...others] = places.filter(({ ends }) => ends.length > 0);
    const shared = Object.entries(first?.fields ?? {}).filter(([key, type]) =>
      others.every(({ fields }) => fields[key] === type),
    );
    const joined = { ends: places.flatMap(({ ends }) => ends), fields: Object.fromEntries(shared) };
    if (others.length !== 1 || !this.#random.chance(40)) return joined;
    const inputs = places.flatMap(({ ends }, input) => ends.map((end) => ({ ...end, input })));
    return { ...joined, ends: [{ name: this.#add("merge", { mode: "append" }, inputs), output: 0 }] };
  }

  #ways(name: string, count: number, fields: Fields, depth: number): Place {
    return this.#rejoin(
      Array.from({ length: count }, (_, output) => {
        const place = { ends: [{ name, output }], fields };
        return this.#blocks(place, this.#random.below(3), depth + 1);
      }),
    );
  }

  #choice(at: Place, depth: number): Place {
    const name = this.#add("if", { conditions: conditionsFor(this.#random, at.fields) }, at.ends);
    return this.#ways(name, 2, at.fields, depth);
  }

  #switch(at: Place, depth: number): Place {
    const values = Array.from({ length: this.#random.between(1, 2) }, () => ({
      conditions: conditionsFor(this.#random, at.fields),
    }));
    const fallbackOutput = this.#random.pick<Json>(["extra", "none", 0]);
    // In a loop every way has to lead back.
    const options = { fallbackOutput: depth > 0 ? "extra" : fallbackOutput };
    const name = this.#add("switch", { rules: { values }, options }, at.ends);
    return this.#ways(name, values.length + (options.fallbackOutput === "extra" ? 1 : 0), at.fields, depth);
  }

  #fork(at: Place): Place {
    const [only, ...others] = at.ends;
    if (only === undefined || others.length > 0) return this.#set(at);
    this.hasForks = true;
    const [left, right] = [this.#blocks(at, 1, 2), this.#blocks(at, 1, 2)];
    if (this.#random.chance(40)) return { ends: [], fields: {} };
    const parameters = this.#random.pick<JsonObject>([
      { mode: "combine", combineBy: "combineByPosition" },
      { mode: "chooseBranch", useDataOfInput: this.#random.between(1, 2) },
    ]);
    const inputs = [left, right].flatMap(({ ends }, input) => ends.map((end) => ({ ...end, input })));
    const kept =
      parameters.mode === "combine"
        ? { ...left.fields, ...right.fields }
        : (parameters.useDataOfInput === 1 ? left : right).fields;
    return { fields: kept, ends: [{ name: this.#add("merge", parameters, inputs), output: 0 }] };
  }

  /** Two sides, each a list or one item, that a Merge makes one list of. */
  #merge(at: Place): Place {
    const [only, ...others] = at.ends;
    if (only === undefined || others.length > 0) return this.#set(at);
    this.hasForks = true;
    const side = (): End => {
      const kind = this.#random.below(3);
      const isList = kind < 2 && at.fields.list !== undefined;
      const list = isList ? this.#add("splitOut", { fieldToSplitOut: "list" }, at.ends) : undefined;
      const ends = list === undefined ? at.ends : [{ name: list, output: 0 }];
      if (list !== undefined && kind === 0) return { name: list, output: 0 };
      const k = this.#random.pick(["Rome", "=A {{ $('Start').item.json.a }}", "={{ $('Start').item.json.a }}"]);
      const v = this.#random.pick<Json>([0, 5, "={{ $('Start').item.json.n }}"]);
      const fields = [
        { name: "k", type: "string", value: k },
        { name: "v", type: "number", value: v },
      ].slice(this.#random.below(2));
      const more: JsonObject = list !== undefined && this.#random.chance(50) ? { includeOtherFields: true } : {};
      return { name: this.#add("set", { assignments: { assignments: fields }, ...more }, ends), output: 0 };
    };
    const [left, right] = [side(), side()];
    const { parameters, typeVersion } = generateMerge(this.#random, ["k", "v"]);
    const ends = [
      { ...left, input: 0 },
      { ...right, input: 1 },
    ];
    const name = this.#add("merge", parameters, ends, { typeVersion });
    this.#set({ ends: [{ name, output: 0 }], fields: {} });
    return { ends: [], fields: {} };
  }

  /** A fork of which one way leads back to before it, once. */
  #back(at: Place): Place {
    const [only, ...others] = at.ends;
    if (only === undefined || others.length > 0) return this.#set(at);
    this.hasForks = true;
    this.hasBack = true;
    const copy = (name: string, type: string): JsonObject => ({
      ...{ name, type, value: `={{ $('Start').item.json.${name} }}` },
    });
    const copied = [copy("a", "string"), copy("digits", "string"), copy("n", "number"), copy("yes", "boolean")];
    const round = (value: string): JsonObject => ({
      assignments: { assignments: [{ name: "round", type: "string", value }, ...copied] },
    });
    const { list: _, ...fields } = START_FIELDS;
    const start = this.#add("set", round("first"), at.ends);
    const work = this.#add("noOp", {}, [{ name: start, output: 0 }]);
    const inside: Place = { fields, ends: [{ name: work, output: 0 }] };
    const conditions = conditionsFor(this.#random, fields);
    const isFirst = {
      leftValue: "={{ $json.round }}",
      rightValue: "first",
      operator: { type: "string", operation: "equals" },
    };
    const again = () =>
      this.#add("if", { conditions: { ...conditions, combinator: "and", conditions: [isFirst] } }, inside.ends);
    const isEarly = this.#random.chance(40);
    const early = isEarly ? again() : undefined;
    for (let ways = this.#random.between(1, 2); ways > 0; ways -= 1)
      this.#blocks(inside, this.#random.between(1, 2), 2);
    const back = early ?? again();
    const change = this.#add("set", round("second"), [{ name: back, output: 0 }]);
    this.links.set(change, [[{ node: work, type: "main", index: 0 }]]);
    return { fields, ends: [{ name: back, output: 1 }] };
  }

  #loop(at: Place): Place {
    const split = this.#add("splitOut", { fieldToSplitOut: "list" }, at.ends);
    const loop = this.#add("splitInBatches", {}, [{ name: split, output: 0 }]);
    const inside: Place = { ends: [{ name: loop, output: 1 }], fields: { k: "string", v: "number" } };
    const { ends } = this.#blocks(this.#set(inside), this.#random.below(3), 1);
    for (const { name, output } of ends) {
      const outputs = this.links.get(name) ?? [];
      this.links.set(name, outputs);
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push({ node: loop, type: "main", index: 0 });
    }
    return { ends: [{ name: loop, output: 0 }], fields: {} };
  }
}

function generateRun(random: Random): GeneratedRun {
  const builder = new Builder(random);
  builder.build();
  const connections = Object.fromEntries([...builder.links].map(([name, main]) => [name, { main }]));
  const document: JsonObject = { name: "Generated", nodes: builder.nodes, connections: connections as JsonObject }; // cast: JSON
  const input = inputFor(random);
  return {
    document,
    input,
    reference: () => runN8n(document, input),
    runsCode: true,
    compared: (result) => compared(result, builder.hasBack),
  };
}

/**
 * Steps that handed on no item did not run there.
 * @param isUnordered whether which of two rounds comes first is not compared: the report of the import says where that differs
 */
function compared({ steps, ...result }: RunResult, isUnordered: boolean): unknown {
  const isNothing = (output: Json) => isObject(output) && Array.isArray(output.result) && output.result.length === 0;
  const keyOf = (output: Json) => JSON.stringify(isObject(output) ? Object.entries(output).sort() : output);
  const inOrder = (outputs: readonly Json[]) =>
    isUnordered ? outputs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : outputs;
  const ran = [...steps].map(([name, outputs]): [string, readonly Json[]] => [
    name,
    inOrder(outputs.filter((output) => !isNothing(output))),
  ]);
  return { ...result, steps: new Map(ran.filter(([, outputs]) => outputs.length > 0)) };
}

/** Workflows of n8n that are imported as a whole, each with an input. */
export const runs: RunGenerator = { product: "n8n", generateRun };
