import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { FORMAT_STATES, type FormatState, type NodeType, searchNodes } from "@oven/contract/node";
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

function synonymsOf(id: FormatState["id"]): readonly string[] {
  return FORMAT_STATES.find((state) => state.id === id)?.synonyms ?? [];
}

/** States that need no node. */
const STRUCTURE: readonly PaletteItem[] = [
  {
    id: "final",
    title: t("End"),
    synonyms: synonymsOf("final"),
    docs: t("Ends the run, or the group or round it stands in."),
    group: "Structure",
    kind: "flow",
    look: "end",
    make: () => ({ wish: "done", state: { type: "final" } }),
  },
  {
    id: "failed",
    title: t("Failed end"),
    synonyms: synonymsOf("failed"),
    docs: t("Ends the run with the outcome failed."),
    group: "Structure",
    kind: "flow",
    look: "failed-end",
    make: () => ({ wish: "failed", state: { type: "final", outcome: "failed" } }),
  },
  {
    id: "choice",
    title: t("Choice"),
    synonyms: synonymsOf("choice"),
    docs: t("Leads on at once, by conditions."),
    group: "Structure",
    kind: "flow",
    look: "choice",
    make: () => ({ wish: "choice", state: { label: "Choice" } }),
  },
  {
    id: "compound",
    title: t("Group"),
    synonyms: synonymsOf("compound"),
    docs: t("States with a way on of their own: one line out of it serves them all."),
    group: "Structure",
    kind: "flow",
    look: "group",
    make: () => ({ wish: "group", state: { label: "Group", initial: "", states: {} } }),
  },
  {
    id: "parallel",
    title: t("Parallel"),
    synonyms: synonymsOf("parallel"),
    docs: t("Regions that run side by side; it is done when all of them are."),
    group: "Structure",
    kind: "flow",
    look: "parallel",
    make: () => ({ wish: "parallel", state: { label: "Parallel", type: "parallel", states: {} } }),
  },
  {
    id: "loop",
    title: t("Loop"),
    synonyms: synonymsOf("loop"),
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

/** The items that each word of a search names, the best first. */
export function searchPalette(items: readonly PaletteItem[], query: string): PaletteItem[] {
  return searchNodes(
    items.map((item) => ({ ...item, isOperation: item.group === CATEGORIES.api, item })),
    query,
  ).map(({ item }) => item);
}
