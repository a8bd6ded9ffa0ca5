import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { type FlowLook, lookOfNode } from "../look/flow-look.ts";
import type { NewState } from "./operations/add-state.ts";

/** Something the palette offers: a node of the server, or a state the format itself has. */
export interface PaletteItem {
  id: string;
  title: string;
  docs: string;
  /** Other words by which people look for it. */
  synonyms: readonly string[];
  /** Heading it stands under. */
  group: string;
  kind: NodeType["kind"];
  look: FlowLook | null;
  make: () => NewState;
}

const CATEGORIES: Record<NodeType["category"], string> = {
  agent: "Agent",
  core: "Flow",
  data: "Data",
  api: "API",
};

/** A state that invokes a node, with the defaults its input schema names. */
export function toInvokingState(type: NodeType): NewState {
  const properties = isObject(type.inputSchema.properties) ? type.inputSchema.properties : {};
  const required = Array.isArray(type.inputSchema.required) ? type.inputSchema.required : [];
  const input = Object.fromEntries(
    Object.entries(properties).flatMap(([key, schema]): [string, Json][] => {
      if (!required.includes(key) || !isObject(schema) || schema.default === undefined) return [];
      return [[key, schema.default]];
    }),
  );
  const invoke: JsonObject = { src: type.id, ...(Object.keys(input).length === 0 ? {} : { input }) };
  return { wish: type.id, state: { label: type.title, invoke } };
}

/** States that need no node. */
const STRUCTURE: readonly PaletteItem[] = [
  {
    id: "final",
    title: t("End"),
    synonyms: ["finish", "output", "return", "respond", "stop"],
    docs: t("Ends the run, or the group or round it stands in."),
    group: "Structure",
    kind: "flow",
    look: "end",
    make: () => ({ wish: "done", state: { type: "final" } }),
  },
  {
    id: "failed",
    title: t("Failed end"),
    synonyms: ["error", "fail"],
    docs: t("Ends the run with the outcome failed."),
    group: "Structure",
    kind: "flow",
    look: "failed-end",
    make: () => ({ wish: "failed", state: { type: "final", outcome: "failed" } }),
  },
  {
    id: "choice",
    title: t("Choice"),
    synonyms: ["if", "else", "branch", "switch", "router", "route", "condition", "decision", "filter"],
    docs: t("Leads on at once, by conditions."),
    group: "Structure",
    kind: "flow",
    look: "choice",
    make: () => ({ wish: "choice", state: { label: "Choice" } }),
  },
  {
    id: "compound",
    title: t("Group"),
    synonyms: ["container", "scope", "subgraph"],
    docs: t("States with a way on of their own: one line out of it serves them all."),
    group: "Structure",
    kind: "flow",
    look: "group",
    make: () => ({ wish: "group", state: { label: "Group", initial: "", states: {} } }),
  },
  {
    id: "parallel",
    title: t("Parallel"),
    synonyms: ["fork", "join", "merge", "split", "concurrent"],
    docs: t("Regions that run side by side; it is done when all of them are."),
    group: "Structure",
    kind: "flow",
    look: "parallel",
    make: () => ({ wish: "parallel", state: { label: "Parallel", type: "parallel", states: {} } }),
  },
  {
    id: "loop",
    title: t("Loop"),
    synonyms: ["for each", "foreach", "iterate", "repeat", "while", "split", "batches", "items"],
    docs: t("Runs its states once for each item of a list."),
    group: "Structure",
    kind: "flow",
    look: "loop",
    make: () => ({
      wish: "loop",
      state: {
        label: "Loop",
        loop: { type: "forEach", collection: "$.trigger.items", bodyInitial: "", bodyStates: {} },
      },
    }),
  },
];

/** Everything that can be added, nodes by their category first. */
export function toPalette(nodeTypes: readonly NodeType[]): PaletteItem[] {
  const nodes = nodeTypes.map(
    (type): PaletteItem => ({
      id: type.id,
      title: type.title,
      docs: type.docs,
      synonyms: type.synonyms ?? [],
      group: CATEGORIES[type.category],
      kind: type.kind,
      look: lookOfNode(type.kind, type.id),
      make: () => toInvokingState(type),
    }),
  );
  const order = [...Object.values(CATEGORIES)];
  nodes.sort(
    (one, other) => order.indexOf(one.group) - order.indexOf(other.group) || one.title.localeCompare(other.title),
  );
  return [...nodes, ...STRUCTURE];
}

/** How well a word of a search names an item, best first. */
const EXACT = 16;
const BEGINS = 12;
/** The first synonym is the name that other products give it. */
const FIRST_SYNONYM = 11;
const SYNONYM = 10;
const SYNONYM_BEGINS = 8;
const INSIDE = 6;
const MISTYPED = 3;
const DESCRIBED = 1;

/**
 * Items that each word of a search names: in their title or id, by a synonym, with a letter wrong, or in their description, in this
 * order. The operations of modules come last: there are many of them, and few are meant.
 */
export function searchPalette(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const sought = query.trim().toLowerCase();
  const words = sought.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [...items];
  return items
    .map((item) => ({ item, points: scoreOf(item, sought, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => Number(isOperation(one.item)) - Number(isOperation(other.item)) || other.points - one.points)
    .map(({ item }) => item);
}

function isOperation({ group }: PaletteItem): boolean {
  return group === CATEGORIES.api;
}

function scoreOf(item: PaletteItem, sought: string, words: readonly string[]): number {
  const whole = scoreOfWord(item, sought);
  if (whole >= SYNONYM_BEGINS) return whole;
  const points = words.map((word) => scoreOfWord(item, word));
  return points.includes(0) ? 0 : Math.min(...points);
}

function scoreOfWord({ title, id, synonyms, docs }: PaletteItem, word: string): number {
  const name = title.toLowerCase();
  const parts = [...name.split(/[\s/]+/), id.toLowerCase().split(".").at(-1) ?? ""];
  if (name === word || id.toLowerCase() === word) return EXACT;
  if (parts.some((part) => part.startsWith(word))) return BEGINS;
  if (synonyms[0] === word) return FIRST_SYNONYM;
  if (synonyms.includes(word)) return SYNONYM;
  if (synonyms.some((synonym) => synonym.startsWith(word))) return SYNONYM_BEGINS;
  if (`${name} ${id.toLowerCase()}`.includes(word)) return INSIDE;
  if ([...parts, ...synonyms].some((part) => isMistyped(word, part))) return MISTYPED;
  return docs.toLowerCase().includes(word) ? DESCRIBED : 0;
}

/** One letter missing, too many, wrong, or two that changed places; short words must be right. */
function isMistyped(word: string, meant: string): boolean {
  if (word.length < 4 || Math.abs(word.length - meant.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at += 1;
  const [left, right] = [word.slice(at), meant.slice(at)];
  const swapped = left.length > 1 && left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return swapped || left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1);
}
