import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import type { NewState } from "./operations/add-state.ts";

/** Something the palette offers: a node of the server, or a state the format itself has. */
export interface PaletteItem {
  id: string;
  title: string;
  docs: string;
  /** Heading it stands under. */
  group: string;
  kind: NodeType["kind"];
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
    docs: t("Ends the run, or the group or round it stands in."),
    group: "Structure",
    kind: "flow",
    make: () => ({ wish: "done", state: { type: "final" } }),
  },
  {
    id: "failed",
    title: t("Failed end"),
    docs: t("Ends the run with the outcome failed."),
    group: "Structure",
    kind: "flow",
    make: () => ({ wish: "failed", state: { type: "final", outcome: "failed" } }),
  },
  {
    id: "choice",
    title: t("Choice"),
    docs: t("Leads on at once, by conditions."),
    group: "Structure",
    kind: "flow",
    make: () => ({ wish: "choice", state: { label: "Choice" } }),
  },
  {
    id: "compound",
    title: t("Group"),
    docs: t("States with a way on of their own: one line out of it serves them all."),
    group: "Structure",
    kind: "flow",
    make: () => ({ wish: "group", state: { label: "Group", initial: "", states: {} } }),
  },
  {
    id: "parallel",
    title: t("Parallel"),
    docs: t("Regions that run side by side; it is done when all of them are."),
    group: "Structure",
    kind: "flow",
    make: () => ({ wish: "parallel", state: { label: "Parallel", type: "parallel", states: {} } }),
  },
  {
    id: "loop",
    title: t("Loop"),
    docs: t("Runs its states once for each item of a list."),
    group: "Structure",
    kind: "flow",
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
      group: CATEGORIES[type.category],
      kind: type.kind,
      make: () => toInvokingState(type),
    }),
  );
  const order = [...Object.values(CATEGORIES)];
  nodes.sort(
    (one, other) => order.indexOf(one.group) - order.indexOf(other.group) || one.title.localeCompare(other.title),
  );
  return [...nodes, ...STRUCTURE];
}

/** Items whose title, id or description hold every word, those that begin with it first. */
export function searchPalette(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [...items];
  const score = ({ title, id, docs }: PaletteItem): number => {
    const name = `${title} ${id}`.toLowerCase();
    if (!words.every((word) => name.includes(word) || docs.toLowerCase().includes(word))) return -1;
    return (name.startsWith(words[0] ?? "") ? 4 : 0) + (words.every((word) => name.includes(word)) ? 2 : 0);
  };
  return items
    .map((item) => ({ item, points: score(item) }))
    .filter(({ points }) => points >= 0)
    .sort((one, other) => other.points - one.points)
    .map(({ item }) => item);
}
