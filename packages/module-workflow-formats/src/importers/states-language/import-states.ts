import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { carryOver } from "../../importing/complete/carry-over.ts";
import type { SourceEdge, SourceGraph, SourceNode } from "../../importing/complete/source-graph.ts";
import { branchGuard, buildStates } from "../../importing/graph/build-states.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { orReason } from "../../importing/no-equivalent.ts";
import { refuseReservedKeys } from "../../importing/reserved-keys.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { StateData } from "./states-data.ts";
import { Machine } from "./states-document.ts";
import { resultsOfJsonata } from "./states-jsonata.ts";
import type { Body, Mapping } from "./states-mapping.ts";
import { mapState, noChoiceKey } from "./states-nodes.ts";

const PRODUCT = "Amazon States Language";
const START = partKey("start");
const BEGIN = partKey("begin");

/** A state machine as a definition. What goes from state to state is a variable of the run. @throws OvenError SOURCE_INVALID */
export function importStates(value: Json, reporter: ImportReporter): Imported {
  const machine = new Machine(value);
  const names = new StateNames();
  const root = `$.${names.take("data")}`;
  const parts = new Map<string, Part>();
  const begin = { type: "assign" as const, params: { path: root, value: "$.trigger" } };
  parts.set(BEGIN, { id: names.take("begin"), label: "Begin", ways: [{ targets: [machine.start], actions: [begin] }] });
  const variables = { root: `$.${names.take("variables")}`, names: assignedIn(machine) };
  /** Machines that become states here, by where they stand. */
  const frames = new Map<string, Frame>([["$", { root, isInRound: false }]]);
  for (const [key, state] of machine.states) {
    const frame = frames.get(state.machine);
    if (frame === undefined) continue;
    const data = new StateData(frame.root, { name: state.name, isInRound: frame.isInRound, variables });
    const take = (name: string) => names.take(name);
    const { part, more, bodies } = toPart(machine, { state, key, id: take(state.name), data, reporter, take });
    for (const [one, beside] of [[key, part] as const, ...more]) parts.set(one, beside);
    for (const { machine: path, root: own, isInRound } of bodies)
      frames.set(path, { root: own, isInRound: isInRound ?? frame.isInRound });
  }
  const message = "No rule of the choice holds, and it has no default.";
  const invoke = { src: "core.fail", input: { message, details: { error: "States.NoChoiceMatched" } } };
  for (const path of frames.keys())
    parts.set(noChoiceKey(path), { id: names.take("no choice"), label: "No choice matched", invoke, ways: [] });
  const source = sourceOf(machine);
  reporter.element({ name: machine.start, type: "StartAt", path: "$.StartAt" }, "mapped", null);
  carryOver(source, parts, [BEGIN], reporter);
  tellRest(machine, { parts, frames, reporter });
  tellSubstitutions(value, reporter);
  const toTangled = () => ({ label: "Several ways" });
  const built = buildStates(parts, [BEGIN], { names, toTangled });
  return {
    name: machine.comment?.slice(0, 200) ?? "State machine",
    description: machine.comment,
    definition: toDefinition({
      product: "states-language",
      isChat: false,
      built,
      positions: new Map(),
      context: { [root.slice(2)]: {}, ...(variables.names.size > 0 ? { [variables.root.slice(2)]: {} } : {}) },
    }),
    source,
  };
}

/** Variables that states outside of rounds and branches assign. */
function assignedIn({ states }: Machine): Set<string> {
  const own = [...states.values()].filter(({ parent }) => parent === undefined);
  const given = own.flatMap(({ spec }) => [spec, ...(Array.isArray(spec.Choices) ? spec.Choices : [])]);
  return new Set(given.flatMap((one) => (isObject(one) && isObject(one.Assign) ? Object.keys(one.Assign) : [])));
}

interface Frame {
  /** Its document. */
  root: string;
  /** Whether it is a round of a Map, or in one. */
  isInRound: boolean;
}

interface Made {
  part: Part;
  /** Parts beside it. */
  more: readonly (readonly [string, Part])[];
  bodies: readonly Body[];
}

function toPart(machine: Machine, mapping: Mapping): Made {
  const { state, key, id, data, reporter } = mapping;
  const { name, type, spec, path } = state;
  const about = { id, label: name, meta: { imported: { product: "states-language", name, type } } };
  const element = { name, type, path };
  const endOutput = data.root;
  const mapped = orReason(() => {
    const part = mapState(mapping);
    refuseReservedKeys([part, part.more ?? []]);
    return part;
  });
  if ("value" in mapped) {
    const { notes, more = [], bodies = [], ...part } = mapped.value;
    reporter.element(element, "mapped", id, notes);
    return { part: { ...about, endOutput, ...part }, more, bodies };
  }
  const edges = machine.from(key);
  const isEnd = spec.End === true || type === "Succeed" || type === "Fail" || edges.length === 0;
  const written = orReason(() => {
    const result = data.seeing({ root: `$.${id}_output`, segments: [] });
    if (state.isJsonata) return resultsOfJsonata(spec, `$.${id}_output`, result);
    return data.results(
      spec,
      spec.ResultSelector === undefined ? result.value("$") : result.template(spec.ResultSelector),
    );
  });
  const actions = "value" in written ? written.value : [];
  const ways: Part["ways"] = [
    ...edges.map(({ to, path: at }, index) => ({
      targets: [to],
      ...(at === `${path}.Next` ? { actions } : {}),
      ...(index === edges.length - 1 && !isEnd ? {} : { guard: branchGuard(at.slice(path.length + 1)) }),
    })),
    ...(isEnd ? [{ targets: [], actions }] : []),
  ];
  const notes = [mapped.reason];
  if (edges.length > (isEnd ? 0 : 1))
    notes.push("It names its way on in `branch` of its output; its replacement has to say which in its own way.");
  if (spec.Retry !== undefined) notes.push("Say how often its replacement is tried again: `Retry` was not imported.");
  if ("reason" in written) notes.push(`Where its result goes was not imported: ${written.reason}.`);
  reporter.element(element, "placeholder", id, notes);
  const invoke = toPlaceholder(PRODUCT, { name, originalType: type, reason: mapped.reason, original: spec });
  return { part: { ...about, invoke, ways, endOutput }, more: [], bodies: [] };
}

function sourceOf({ states, edges, start }: Machine): SourceGraph {
  const nodes = [...states].map(([key, { name, path }]) => ({ key, name, path, kind: "step" as const }));
  const inner = [...states].flatMap(([of, { machines }]) => machines.map((machine) => ({ ...machine, of })));
  const begins = inner.map(
    ({ path, of }): SourceNode => ({
      ...{ key: partKey("start", path), name: "StartAt", path: `${path}.StartAt`, kind: "start", of },
    }),
  );
  const first = inner.map(
    ({ path, start: to }): SourceEdge => ({
      ...{ path: `${path}.StartAt`, from: partKey("start", path), to, output: "start" },
    }),
  );
  return {
    nodes: [{ key: START, name: "StartAt", path: "$.StartAt", kind: "start" }, ...begins, ...nodes],
    edges: [{ path: "$.StartAt", from: START, to: start, output: "start" }, ...first, ...edges],
  };
}

interface Carried {
  parts: ReadonlyMap<string, Part>;
  frames: ReadonlyMap<string, Frame>;
  reporter: ImportReporter;
}

function tellRest({ states }: Machine, { parts, frames, reporter }: Carried): void {
  /** Why the states of a machine are left out; undefined: they are not. */
  const whyLeftOut = (parent: string | undefined, machine: string): string | undefined => {
    const around = parent === undefined ? undefined : states.get(parent);
    if (around === undefined) return undefined;
    if (!frames.has(machine)) return `It is in “${around.name}”, which has to be replaced.`;
    return parts.has(parent ?? "") ? undefined : `It is in “${around.name}”, which is left out.`;
  };
  for (const [key, { name, type, path, parent, machine, machines }] of states) {
    for (const inner of machines) {
      const reason = whyLeftOut(key, inner.path);
      const about = { name: "StartAt", type: "StartAt", path: `${inner.path}.StartAt` };
      if (reason === undefined) reporter.element(about, "mapped", null);
      else reporter.element(about, "ignored", null, [reason]);
    }
    if (!parts.has(key))
      reporter.element({ name, type, path }, "ignored", null, [whyLeftOut(parent, machine) ?? "Nothing leads to it."]);
  }
  reporter.note("A rule that reads a value which is missing does not hold here; Step Functions fails there.");
}

/** Names that a template fills in when it is deployed. */
function tellSubstitutions(value: Json, reporter: ImportReporter): void {
  const found = new Set(
    [...JSON.stringify(value).matchAll(/\$\{([A-Za-z][\w.:-]{0,100})\}/g)].map(([, name = ""]) => name),
  );
  for (const name of found)
    reporter.setting(
      "configuration",
      name,
      "A template fills this in when the machine is deployed: put the value in its place.",
      "$.States",
    );
}
