import type { Json, JsonObject } from "@oven/contract";
import { type Guard, type Invoke, isPathText } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import type { Part, Way } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { toCode } from "./n8n-computed.ts";
import { type MapNode, type Mapped, type N8nContext, toStep } from "./n8n-context.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import type { N8nItems } from "./n8n-items.ts";
import { listStep } from "./n8n-list-steps.ts";
import { givesList, type ListRegion } from "./n8n-lists.ts";
import { isErrorOutput } from "./n8n-outputs.ts";
import { PASSES_ON } from "./n8n-references.ts";

type Lists = ReadonlyMap<string, ListRegion | string>;

/** JavaScript for the list of what the rounds of a loop handed on. */
const GATHER =
  "const all = rounds.flatMap(({ output }) => (output?.handedOn === undefined || output === null ? [] : [output.handedOn]));";

/** Without an item nothing runs: after a loop whose rounds handed on none, nothing follows. */
const HANDED_ON: Guard = {
  type: "cel",
  params: { expression: 'output.items.exists(r, type(r.output) == map && "handedOn" in r.output)' },
};

/** The ways out of a step with a list as its `result`: an empty one leads nowhere. */
function waysOfList(targets: readonly string[]): Way[] {
  const isEmpty: Guard = { type: "condition", params: { key: "$.output.result", operator: "empty" } };
  return [{ guard: { type: "not", guard: isEmpty }, targets }, { targets: [] }];
}

/** The data of all items that come to a node, as the constant `all` of JavaScript. */
export class IncomingLists {
  readonly #document: N8nDocument;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #lists: Lists;
  readonly #items: N8nItems;

  constructor(document: N8nDocument, ids: ReadonlyMap<string, string>, lists: Lists, items: N8nItems) {
    this.#document = document;
    this.#ids = ids;
    this.#lists = lists;
    this.#items = items;
  }

  /** The list as a path of ours; undefined: it is put together from rounds, or is one item. */
  pathInto(name: string): string | undefined {
    const region = this.#regionInto(name);
    return region?.body.size === 0 ? `$.${this.#ids.get(region.producer) ?? ""}_output.result` : undefined;
  }

  /** @throws NoEquivalent where it cannot be said */
  into(name: string): { lines: string[]; inputs: JsonObject } {
    const all = this.pathInto(name);
    if (all !== undefined) return { lines: [], inputs: { all } };
    const region = this.#regionInto(name);
    if (region !== undefined)
      return { lines: [GATHER], inputs: { rounds: `$.${this.#ids.get(region.key) ?? ""}_output.items` } };
    const layers = this.#items.layersFor(name, undefined, [{ from: undefined, which: "item", segments: [] }]);
    if (layers === undefined) throw new NoEquivalent("where the items stand that come in is not sure");
    return { lines: ["const all = [Object.assign({}, ...layers)];"], inputs: { layers: [...layers] } };
  }

  /**
   * What comes to each side of a Merge, as a script has to be given it: a `list`, the `rounds` of a loop, or the `layers` of one item, which is there
   * where any of what `ran` names is.
   * @throws NoEquivalent where it cannot be said
   */
  sidesOf(name: string, count: number): JsonObject[] {
    const inputs = this.#document.inputs(name);
    if (inputs.some(({ input }) => input >= count)) throw new NoEquivalent("it has more inputs than it says");
    return Array.from({ length: count }, (_, side): JsonObject => {
      const [only, ...others] = inputs.filter(({ input }) => input === side);
      if (only === undefined) return { list: null };
      const region = this.#regionInto(name, side);
      const id = this.#ids.get(region?.body.size === 0 ? region.producer : (region?.key ?? "")) ?? "";
      if (region !== undefined)
        return region.body.size === 0
          ? { list: orNothing(`$.${id}_output.result`) }
          : { rounds: orNothing(`$.${id}_output.items`) };
      if (others.length > 0) throw new NoEquivalent("several connections lead to one of its sides");
      const ran = this.#ranOf(only.from, new Set());
      const layers = this.#items.layersOf(name, only.from);
      const source = this.#document.nodes.get(only.from);
      if (ran === undefined || layers === undefined || (source !== undefined && isErrorOutput(source, only.output)))
        throw new NoEquivalent(
          "where the item stands that comes to one of its sides, or whether one comes, is not sure",
        );
      return { ran: ran.map(orNothing), layers: layers.map(orNothing) };
    });
  }

  /** What is there where a node has handed something on; undefined: a choice says whether it does. */
  #ranOf(name: string, asked: Set<string>): string[] | undefined {
    const node = this.#document.nodes.get(name);
    if (node === undefined || asked.has(name)) return undefined;
    asked.add(name);
    if (isTrigger(node)) return ["$.trigger"];
    if (node.disabled || ["noOp", "wait", "merge"].includes(node.type)) {
      const before = this.#document.inputs(name).map(({ from, output }) => {
        const source = this.#document.nodes.get(from);
        return source !== undefined && isErrorOutput(source, output) ? undefined : this.#ranOf(from, asked);
      });
      return before.length === 0 || before.includes(undefined) ? undefined : before.flatMap((one) => one ?? []);
    }
    if (PASSES_ON.has(node.type) || node.type === "splitInBatches") return undefined;
    return [`$.${this.#ids.get(name) ?? ""}_output`];
  }

  /** @param side of a Merge */
  #regionInto(name: string, side?: number): ListRegion | undefined {
    for (const { from, input } of this.#document.inputs(name))
      for (const region of this.#lists.values())
        if (
          typeof region === "object" &&
          (side === undefined || side === input) &&
          region.collector === name &&
          (region.producer === from || region.body.has(from))
        )
          return region;
    return undefined;
  }
}

/** The same with null where nothing is there. */
function orNothing(value: Json): Json {
  if (Array.isArray(value)) return value.map(orNothing);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, orNothing(one)]));
  return typeof value === "string" && isPathText(value) && !value.includes("|") ? `${value} | default(null)` : value;
}

/** A node that makes a list, or one item, of the list that comes in. */
export const mapList: MapNode = (node, context) => {
  const { lines, inputs } = context.incoming.into(node.name);
  const { src, input } = toCode([...lines, ...listStep(node)], inputs);
  return toListStep(node, context, { src, input });
};

/** A node that becomes a step of code, with what it hands on as its `result`. */
export function toListStep(node: N8nNode, context: N8nContext, { src, input = {} }: Invoke): Mapped {
  const step = toStep(node, context, src, input as Record<string, Json>); // cast: made by `toCode`
  const ways = givesList(node, context.document) ? waysOfList(context.document.outputs(node.name)) : step.ways;
  return { ...step, ways, endOutput: `$.${context.id}_output.result` };
}

/** Whether all that a list needs can be said; else why not. */
export function whyNotFollowed(
  region: ListRegion | string,
  document: N8nDocument,
  items: N8nItems,
): string | undefined {
  if (typeof region === "string") return undefined;
  const { body, collector } = region;
  if (collector === undefined) return undefined;
  const unclear = [...body].find((name) => leadsTo(name, collector, document) && items.handedOnBy(name) === undefined);
  return unclear === undefined ? undefined : `where the item stands that “${unclear}” hands on is not sure`;
}

/** Adds the loop over each list, and lets its rounds hand on what is collected behind. */
export function addRegions(
  parts: Map<string, Part>,
  lists: Lists,
  {
    document,
    ids,
    items,
    take,
  }: { document: N8nDocument; ids: ReadonlyMap<string, string>; items: N8nItems; take(name: string): string },
): void {
  for (const region of lists.values()) {
    const producer = typeof region === "object" ? parts.get(region.producer) : undefined;
    if (typeof region === "string" || producer === undefined) continue;
    const { key, body, collector } = region;
    // A Merge takes an empty list as well.
    const takesNone = document.nodes.get(collector ?? "")?.type === "merge";
    if (takesNone && body.size === 0)
      parts.set(region.producer, { ...producer, ways: [{ targets: document.outputs(region.producer) }] });
    if (body.size === 0) continue;
    const entry = document.outputs(region.producer);
    const id = ids.get(key) ?? "";
    const isOnward = (targets: readonly string[]) => targets.length > 0 && targets.every((one) => entry.includes(one));
    const ways = producer.ways.map((way) => (isOnward(way.targets) ? { ...way, targets: [key] } : way));
    parts.set(region.producer, { ...producer, ways: takesNone ? [{ targets: [key] }] : ways });
    parts.set(key, {
      id,
      label: `Each of ${region.producer}`,
      loop: {
        ...{ type: "forEach", collection: `$.${producer.id}_output.result` },
        ...{ maxIterations: 10_000, timeoutMs: 3_600_000, body: { entry } },
      },
      ways:
        collector === undefined
          ? [{ targets: [] }]
          : takesNone
            ? [{ targets: [collector] }]
            : [{ guard: HANDED_ON, targets: [collector] }, { targets: [] }],
      endOutput: `$.${id}_output`,
    });
    for (const name of body) {
      const part = parts.get(name);
      if (part === undefined) continue;
      const { endOutput: _end, ...inside } = part;
      if (collector === undefined || !leadsTo(name, collector, document)) {
        parts.set(name, inside);
        continue;
      }
      const handing = partKey("handed on", name);
      const lead = (targets: readonly string[]) => targets.map((target) => (target === collector ? handing : target));
      parts.set(name, {
        ...inside,
        ways: part.ways.map((way) => ({ ...way, targets: lead(way.targets) })),
        ...(part.onError === undefined ? {} : { onError: lead(part.onError) }),
      });
      addHanding(parts, handing, { name, key, layers: items.handedOnBy(name) ?? [], take });
    }
  }
}

/** The end of a round that says what is collected; put together first where it stands in several places. */
function addHanding(
  parts: Map<string, Part>,
  handing: string,
  { name, key, layers, take }: { name: string; key: string; layers: readonly Json[]; take(name: string): string },
): void {
  const [only, ...others] = layers;
  const label = `Item of ${name}`;
  const end = (handedOn: Json): Part => ({
    id: take(label),
    label,
    final: { output: { handedOn } },
    ways: [{ targets: [key] }],
  });
  if (only !== undefined && others.length === 0) {
    parts.set(handing, end(only));
    return;
  }
  const id = take(`${name} whole`);
  const invoke = toCode(["return Object.assign({}, ...layers);"], { layers: [...layers] });
  parts.set(handing, { id, label: `Whole of ${name}`, invoke, ways: [{ targets: [partKey("end", name)] }] });
  parts.set(partKey("end", name), end(`$.${id}_output.result`));
}

function leadsTo(name: string, target: string, document: N8nDocument): boolean {
  return Array.from({ length: document.outputCount(name) }, (_, output) => output).some((output) =>
    document.outputs(name, output).includes(target),
  );
}
