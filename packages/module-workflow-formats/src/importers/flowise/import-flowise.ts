import type { Json, JsonObject } from "@oven/contract";
import { setOwn } from "@oven/engine";
import { carryOver, pathOfFork } from "../../importing/complete/carry-over.ts";
import { withoutLostReaders } from "../../importing/complete/readers-of-left-out.ts";
import type { SourceGraph } from "../../importing/complete/source-graph.ts";
import { branchGuard, buildStates } from "../../importing/graph/build-states.ts";
import type { Part, TangledFork } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart } from "../../importing/graph/part-key.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { orReason } from "../../importing/no-equivalent.ts";
import { refuseReservedKeys } from "../../importing/reserved-keys.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { parseSource } from "../../shared/import-source.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { type FlowiseContext, keyOf } from "./flowise-context.ts";
import { FlowiseData, type PartOf, plainText } from "./flowise-data.ts";
import {
  FlowiseDocument,
  FlowiseDocumentSchema,
  type FlowiseNode,
  objectsIn,
  START,
  STICKY_NOTE,
  textOf,
} from "./flowise-document.ts";
import { countPath, FLOWISE_NODES, whyUnknown } from "./flowise-nodes.ts";

const PRODUCT = "Flowise";

/** An agentflow (version 2) of Flowise as a definition. @throws OvenError SOURCE_INVALID */
export function importFlowise(value: Json, reporter: ImportReporter): Imported {
  const document = new FlowiseDocument(parseSource(value, FlowiseDocumentSchema));
  const start = findStart(document);
  const isChat = !["formInput", "webhookTrigger", "scheduleInput"].includes(textOf(start.inputs.startInputType));
  const steps = [...document.nodes.values()].filter(({ type }) => type !== START && type !== STICKY_NOTE);
  const ids = nameStates(steps);
  const stateOf = (node: string, part?: PartOf): string =>
    ids.states.get(part === undefined ? node : keyOf(part, node)) ?? "";
  const data = new FlowiseData({ document, stateOf, isChat, reporter });
  const context: FlowiseContext = { document, data, reporter, stateOf, isChat };
  const entry = document.outputs(start.id);
  const open = new Map<string, string>();
  const toParts = (): Map<string, Part> => {
    const parts = new Map<string, Part>();
    for (const node of steps) addParts(node, open.get(node.id), context, parts);
    return parts;
  };
  const { parts } = withoutLostReaders(() => ({ parts: toParts(), entries: entry }), open);
  const source = sourceOf(document);
  carryOver(source, parts, entry, reporter);
  const tangled: TangledFork[] = [];
  const labelsOf = ({ targets }: TangledFork) => targets.map((target) => parts.get(target)?.label ?? target).join(", ");
  const afterFork = ({ from }: TangledFork) => `After ${document.nodes.get(nodeOfPart(from))?.label ?? "start"}`;
  const toTangled = (fork: TangledFork) => {
    tangled.push(fork);
    const reason = `it goes on in several ways at once (${labelsOf(fork)}) that do not come together in one place`;
    const name = afterFork(fork);
    const invoke = toPlaceholder(PRODUCT, { name, originalType: "several edges", reason });
    return { label: `${name}: ${labelsOf(fork)}`, invoke };
  };
  const built = buildStates(parts, entry, { names: ids.names, toTangled });
  for (const fork of tangled) {
    const element = { name: afterFork(fork), type: "several edges", path: pathOfFork(source, fork, "target") };
    const note = `It goes on to ${labelsOf(fork)} at once, and these do not come together in one place: say in which order.`;
    reporter.element(element, "placeholder", null, [note]);
  }
  reportOthers(document, parts, reporter);
  const payloadSchema = readStart(start, isChat, reporter);
  return {
    name: "Flowise agentflow",
    description: null,
    definition: toDefinition({
      product: "flowise",
      isChat,
      built,
      positions: new Map(steps.map(({ id, position }) => [stateOf(id), position])),
      notes: [...document.nodes.values()].filter(({ type }) => type === STICKY_NOTE).map(toNote),
      context: { state: firstState(start), ...countersOf(parts, context) },
      ...(payloadSchema === undefined ? {} : { payloadSchema }),
    }),
    source,
  };
}

function findStart(document: FlowiseDocument): FlowiseNode {
  const starts = [...document.nodes.values()].filter(({ type }) => type === START);
  const [start] = starts;
  if (start === undefined || starts.length > 1 || document.outputs(start.id).length === 0)
    refuseProblems([
      {
        path: start?.path ?? "$.nodes",
        message: starts.length > 1 ? "There is more than one start node" : "Nothing follows a start node",
        fix: "Connect one start node with what comes first.",
      },
    ]);
  // The line before has thrown otherwise.
  if (start === undefined) throw new Error("no start node");
  return start;
}

function nameStates(steps: readonly FlowiseNode[]): { names: StateNames; states: ReadonlyMap<string, string> } {
  const names = new StateNames();
  const states = new Map<string, string>();
  for (const { id, type, label } of steps) {
    states.set(id, names.take(label));
    if (type === "agentAgentflow") states.set(keyOf("before", id), names.take(`${label} conversation`));
    if (type !== "iterationAgentflow") continue;
    states.set(keyOf("list", id), names.take(`${label} rounds`));
    states.set(keyOf("results", id), names.take(`${label} results`));
  }
  return { names, states };
}

function addParts(node: FlowiseNode, why: string | undefined, context: FlowiseContext, parts: Map<string, Part>): void {
  const { document, reporter, stateOf } = context;
  const { id, type, label, path, inputs } = node;
  const element = { name: label, type, path };
  const about = { id: stateOf(id), label, meta: { imported: { product: "flowise", name: label, type } } };
  const map = FLOWISE_NODES.get(type);
  const mapped =
    why !== undefined
      ? { reason: why }
      : map === undefined
        ? { reason: whyUnknown(node) }
        : orReason(() => {
            const made = map(node, context);
            refuseReservedKeys(made);
            return made;
          });
  if ("reason" in mapped) {
    const { reason } = mapped;
    reporter.element(element, "placeholder", stateOf(id), [reason]);
    if (type === "toolAgentflow" || type === "executeFlowAgentflow") askFor(node, reporter);
    const invoke = toPlaceholder(PRODUCT, { name: label, originalType: type, reason, original: inputs });
    const outputs = [...new Set(document.edges.filter(({ from }) => from === id).map(({ output }) => output))];
    const ways = outputs.map((output, index) => ({
      targets: document.outputs(id, output),
      ...(index === outputs.length - 1 ? {} : { guard: branchGuard(output) }),
    }));
    parts.set(id, {
      ...about,
      invoke,
      ways: ways.length === 0 ? [{ targets: [] }] : ways,
      endOutput: `$.${stateOf(id)}_output`,
    });
    return;
  }
  const { notes = [], more = [], before, ...part } = mapped.value;
  reporter.element(element, "mapped", stateOf(id), notes);
  if (before !== undefined) {
    const actions = [...before];
    parts.set(id, {
      ...{ id: stateOf(id, "before"), label: `${label}: conversation` },
      ways: [{ targets: [keyOf("own", id)], actions }],
    });
  }
  parts.set(before === undefined ? id : keyOf("own", id), { ...about, ...part });
  for (const [what, further] of more)
    parts.set(keyOf(what, id), {
      id: stateOf(id, what),
      label: `${label}: ${what === "list" ? "rounds" : "results"}`,
      ...further,
    });
}

/** What a step that stays open needs to be chosen. */
function askFor({ type, inputs, label, path }: FlowiseNode, reporter: ImportReporter): void {
  if (type === "executeFlowAgentflow")
    reporter.setting("workflow", label, "Import the flow that it calls, too, and call it in this step.", path);
  else {
    const tool = textOf(inputs.toolAgentflowSelectedTool) || label;
    reporter.setting("tool", tool, `Choose a tool that does the same for “${label}”, or add one.`, path);
  }
}

/** Notes, the start, and nodes that no run comes to. */
function reportOthers(document: FlowiseDocument, parts: ReadonlyMap<string, Part>, reporter: ImportReporter): void {
  reporter.note(
    "A value that is missing is an error here; where Flowise leaves the variable as it is, give the path a default.",
  );
  reporter.note("The reply of a run is `text` of its output.");
  for (const { id, type, label, path, parent } of document.nodes.values()) {
    if (type === STICKY_NOTE) reporter.element({ name: "Note", type: "note", path }, "mapped", null);
    else if (type !== START && !parts.has(id)) {
      const around = document.nodes.get(parent ?? "");
      const isReplaced = around !== undefined && parts.get(around.id)?.invoke?.src === "core.placeholder";
      const reason = isReplaced ? `It is in “${around.label}”, which has to be replaced.` : "Nothing leads to it.";
      reporter.element({ name: label, type, path }, "ignored", null, [reason]);
    }
  }
}

const FIELDS: Record<string, JsonObject> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
};

/** The fields of a form that runs begin with; undefined: there are none. */
function readStart(
  { inputs, label, path }: FlowiseNode,
  isChat: boolean,
  reporter: ImportReporter,
): JsonObject | undefined {
  const notes: string[] = [];
  const kind = textOf(inputs.startInputType);
  if (inputs.startPersistState === true)
    notes.push("The state lasts as long as the run: a conversation does not keep it.");
  if (kind === "webhookTrigger" || kind === "scheduleInput")
    reporter.setting(
      "trigger",
      label,
      `Make a trigger that starts it (${kind === "scheduleInput" ? "a schedule" : "a webhook"}).`,
      path,
    );
  const fields = kind === "formInput" ? objectsIn(inputs.formInputTypes) : [];
  const properties: JsonObject = {};
  for (const { name, label: title, type, addOptions } of fields) {
    const choices = objectsIn(addOptions).map(({ option }) => textOf(option));
    const base = type === "options" && choices.length > 0 ? { enum: choices } : (FIELDS[textOf(type)] ?? {});
    setOwn(properties, textOf(name), { ...base, ...(textOf(title) === "" ? {} : { title: textOf(title) }) });
  }
  reporter.element({ name: label, type: START, path }, "mapped", null, notes);
  if (isChat || fields.length === 0) return undefined;
  return { type: "object", properties, required: Object.keys(properties) };
}

function firstState({ inputs }: FlowiseNode): JsonObject {
  const state: JsonObject = {};
  for (const { key, value } of objectsIn(inputs.startState))
    if (textOf(key) !== "") setOwn(state, textOf(key), plainText(textOf(value)));
  return state;
}

/** What counts the rounds of loops, at the begin of a run. */
function countersOf(parts: ReadonlyMap<string, Part>, context: FlowiseContext): JsonObject {
  const counters: JsonObject = {};
  for (const node of context.document.nodes.values())
    if (node.type === "loopAgentflow" && parts.get(node.id)?.invoke === undefined && parts.has(node.id))
      setOwn(counters, countPath(node, context).slice(2), 0);
  return counters;
}

function toNote({ inputs, position }: FlowiseNode, index: number): JsonObject {
  const [x, y] = position ?? [0, 0];
  return { id: `note${index + 1}`, text: plainText(textOf(inputs.note)), x, y, width: 240, height: 110 };
}

function sourceOf({ nodes, edges }: FlowiseDocument): SourceGraph {
  return {
    nodes: [...nodes.values()].map(({ id, label, type, path }) => ({
      ...{ key: id, name: label, path },
      kind: type === START ? "start" : type === STICKY_NOTE ? "aside" : "step",
    })),
    edges,
  };
}
