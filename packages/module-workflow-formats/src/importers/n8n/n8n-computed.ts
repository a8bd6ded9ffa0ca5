import type { Json, JsonObject } from "@oven/contract";
import type { Invoke } from "@oven/contract/workflow";
import { setOwn } from "@oven/engine";
import { reachOf } from "../../importing/graph/find-join.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { offsetIn } from "./n8n-dates.ts";
import type { N8nDocument } from "./n8n-document.ts";
import type { N8nItems } from "./n8n-items.ts";
import { preludeFor, usesDates } from "./n8n-prelude.ts";
import type { IncomingLists } from "./n8n-regions.ts";
import type { Script } from "./n8n-script.ts";
import { inputsOfVariables } from "./n8n-variables.ts";

/** The names by which a script finds what it reads. */
interface ScriptInputs {
  inputs: JsonObject;
  /** JavaScript that stands before the script. */
  prelude: string[];
}

interface ScriptSource {
  items: N8nItems;
  document: N8nDocument;
  /** For a script that takes all items at once. */
  incoming?: IncomingLists;
  /** Whether `item` is the data of the item. */
  itemIsData?: boolean;
}

/** What a script of a node is given. @throws NoEquivalent where something that it reads cannot be found */
export function inputsFor({ reads, uses, variables }: Script, asker: string, source: ScriptSource): ScriptInputs {
  const { items, incoming, document, itemIsData = false } = source;
  const { name: workflow, timezone } = document;
  const inputs: JsonObject = inputsOfVariables(variables);
  const prelude: string[] = [];
  const steps: JsonObject = {};
  for (const [from, read] of Map.groupBy(reads, ({ from }) => from)) {
    if (from === undefined && incoming !== undefined) {
      const list = incoming.into(asker);
      Object.assign(inputs, list.inputs);
      prelude.push(...list.lines, "const $json = all[0];");
      continue;
    }
    const layers = items.layersFor(asker, from, read);
    if (layers === undefined) throw new NoEquivalent(unclear(from));
    const [only, ...others] = layers;
    const isMerged = others.length > 0 || only === undefined;
    const data: Json = isMerged ? [...layers] : only;
    if (from !== undefined) {
      setOwn(steps, from, data);
      const step = `steps[${JSON.stringify(from)}]`;
      if (isMerged) prelude.push(`${step} = Object.assign({}, ...${step});`);
    } else if (isMerged) {
      inputs.layers = data;
      prelude.push("const $json = Object.assign({}, ...layers);");
    } else inputs.$json = data;
  }
  if (Object.keys(steps).length > 0) inputs.steps = steps;
  if (readsTime(uses)) inputs.now = "$.execution.startedAt";
  if (usesDates(uses)) inputs.offset = timezone === undefined ? 0 : { $cel: offsetIn(timezone) };
  if (uses.has("$executionId")) inputs.$executionId = "$.execution.id";
  if (uses.has("$execution")) inputs.$execution = { id: "$.execution.id" };
  if (uses.has("$workflow")) inputs.$workflow = { name: { $literal: workflow } };
  return { inputs, prelude: [...prelude, ...preludeFor(uses, { list: incoming !== undefined, itemIsData })] };
}

function readsTime(uses: ReadonlySet<string>): boolean {
  return uses.has("Date") || usesDates(uses);
}

/** What has to be known of the time that a script reads. */
export function timeNotes({ uses }: Script, { timezone }: N8nDocument): string[] {
  if (!readsTime(uses)) return [];
  const time = "The time that its JavaScript reads is that at which the run began.";
  if (!usesDates(uses)) return [time];
  return [
    time,
    timezone === undefined
      ? "Its dates are in UTC, for the document names no time zone."
      : `Its dates are in ${timezone}.`,
  ];
}

const unclear = (from: string | undefined): string =>
  from === undefined
    ? "where the item stands that comes in is not sure"
    : `where the item stands that “${from}” hands on is not sure`;

/** The input of a step that runs JavaScript. */
export function toCode(lines: readonly string[], inputs: JsonObject): Invoke {
  return { src: "core.code", input: { language: "javascript", code: lines.join("\n"), inputs } };
}

/** The values that one step computes before another one, by their expressions. */
export class ComputedValues {
  readonly #names = new Map<string, string>();

  /** The name of a value. */
  take(source: string): string {
    const known = this.#names.get(source);
    if (known !== undefined) return known;
    const name = `value${this.#names.size + 1}`;
    this.#names.set(source, name);
    return name;
  }

  sources(): string[] {
    return [...this.#names.keys()];
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** All of them as the body of a function. */
  lines(): string[] {
    return ["return {", ...[...this.#names].map(([source, name]) => `  ${name}: (${source.trim()}\n) ?? null,`), "};"];
  }
}

/** The steps that compute for others, each before the one it computes for. */
export class ComputingSteps {
  readonly #ids = new Map<string, string>();
  readonly #invokes = new Map<string, Invoke>();
  readonly #take: (name: string) => string;

  /** @param take takes an id for a state */
  constructor(take: (name: string) => string) {
    this.#take = take;
  }

  /** The id of the step that computes for a node. */
  idFor(name: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#take(`${name} values`);
    this.#ids.set(name, id);
    return id;
  }

  /** Forgets the steps, not their ids: all are made anew. */
  clear(): void {
    this.#invokes.clear();
  }

  set(name: string, invoke: Invoke): void {
    this.#invokes.set(name, invoke);
  }

  /** The same places to begin with, each with what computes for it first. */
  entries(keys: readonly string[]): string[] {
    return keys.map((key) => (this.#invokes.has(key) ? keyFor(key) : key));
  }

  /** Adds the steps, and lets what led to a node lead to the one that computes for it; the end of a round computes nothing anew. */
  addTo(parts: Map<string, Part>): void {
    const bodies = new Map<string, ReadonlySet<string>>();
    for (const [key, { loop }] of parts)
      if (loop !== undefined) bodies.set(key, reachOf(parts, loop.body.entry, new Set([key])));
    for (const [key, part] of [...parts]) {
      const { loop } = part;
      const endsRound = (target: string) =>
        (loop !== undefined && target === key) || bodies.get(target)?.has(key) === true;
      const lead = (targets: readonly string[]) =>
        targets.map((target) => (endsRound(target) ? target : (this.entries([target])[0] ?? target)));
      parts.set(key, {
        ...part,
        ways: part.ways.map((way) => ({ ...way, targets: lead(way.targets) })),
        ...(part.onError === undefined ? {} : { onError: lead(part.onError) }),
        ...(loop === undefined ? {} : { loop: { ...loop, body: { ...loop.body, entry: lead(loop.body.entry) } } }),
      });
    }
    for (const [name, invoke] of this.#invokes)
      parts.set(keyFor(name), {
        id: this.idFor(name),
        label: `Values of ${name}`,
        invoke,
        ways: [{ targets: [name] }],
      });
  }
}

const keyFor = (name: string): string => partKey("values", name);
