import type { Json, JsonObject } from "@oven/contract";
import { carryOver, pathOfFork } from "../../importing/complete/carry-over.ts";
import { type Made, withoutLostReaders } from "../../importing/complete/readers-of-left-out.ts";
import type { SourceGraph, SourceNode } from "../../importing/complete/source-graph.ts";
import { branchGuard, buildStates } from "../../importing/graph/build-states.ts";
import type { Part, TangledFork } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart, partKey } from "../../importing/graph/part-key.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { refuseReservedKeys } from "../../importing/reserved-keys.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { parseSource } from "../../shared/import-source.ts";
import { lowerApp } from "./apps/index.ts";
import { ComputedValues, ComputingSteps, inputsFor, timeNotes, toCode } from "./n8n-computed.ts";
import type { Mapped } from "./n8n-context.ts";
import { isStep, isTrigger, N8nDocument, N8nDocumentSchema, type N8nNode } from "./n8n-document.ts";
import type { N8nReferences } from "./n8n-expression.ts";
import { N8nItems } from "./n8n-items.ts";
import { findLists, type ListRegion } from "./n8n-lists.ts";
import { N8N_NODES, whyUnknown } from "./n8n-nodes.ts";
import { outputsOf } from "./n8n-outputs.ts";
import { keepReceived } from "./n8n-received.ts";
import { N8nData } from "./n8n-references.ts";
import { addRegions, IncomingLists, whyNotFollowed } from "./n8n-regions.ts";
import { answerOf } from "./n8n-respond.ts";
import { analyse, parseExpression } from "./n8n-script.ts";
import { START, toChoice, toFork } from "./n8n-starts.ts";
import { mapTriggers } from "./n8n-triggers.ts";

/**
 * A workflow of n8n as a definition. Nothing of it is run. Nodes of apps become requests; one that cannot, where it stands, stays as it
 * is and all is looked at again.
 * @throws OvenError SOURCE_INVALID
 */
export function importN8n(value: Json, reporter: ImportReporter): Imported {
  const source = parseSource(value, N8nDocumentSchema);
  const refused = new Map<string, string>();
  for (;;) {
    const before = refused.size;
    const attempt = reporter.attempt();
    const document = new N8nDocument(source, (node, nameOf) => {
      const reason = refused.get(node.name);
      return reason === undefined ? lowerApp(node, nameOf) : { reason };
    });
    const imported = importDocument(document, attempt, refused);
    if (refused.size > before) continue;
    reporter.take(attempt);
    return imported;
  }
}

/** @param refused gets the nodes of apps that cannot be requests where they stand, and why */
function importDocument(document: N8nDocument, reporter: ImportReporter, refused: Map<string, string>): Imported {
  const names = new StateNames();
  const steps = [...document.nodes.values()].filter((node) => isStep(node, document));
  const whole = steps.filter(({ part }) => part === undefined || part.isLast);
  const ids = new Map(whole.map(({ name }) => [name, names.take(name)]));
  for (const { name } of steps) if (!ids.has(name)) ids.set(name, names.take(name));
  const take = (name: string) => names.take(name);
  const { entries: begun, choice, forks, isChat, payloadSchema } = mapTriggers(document, reporter);
  const open = new Map<string, string>();
  const { lists, data, items, incoming } = readingOf(document, ids, take);
  const computing = new ComputingSteps(take);
  const context = { document, reporter, data, items, incoming, lists, computing, open, isChat, refused };
  const starting = { document, reporter, take };
  const started = new Map<string, Part>(forks.flatMap((trigger) => toFork(trigger, starting)));
  if (choice.length > 0) for (const [key, part] of toChoice(choice, starting)) started.set(key, part);
  const known = new Set([...ids.keys(), ...started.keys()]);
  const first = choice.length > 0 ? [START] : begun.filter((key) => known.has(key));
  const make = (): Made => {
    computing.clear();
    // The outer ones first: what an inner one goes through may be an item of theirs.
    for (const { name } of loopsIn(document)) {
      const node = document.nodes.get(name);
      if (node !== undefined && "reason" in mapNode(node, ids.get(name) ?? "", context)) data.leaveOpen(name);
    }
    items.forget();
    const made = new Map<string, Part>();
    for (const node of steps) made.set(node.name, toPart(node, ids.get(node.name) ?? "", context));
    for (const [key, part] of started) made.set(key, part);
    const received = keepReceived(made, first, { document, items, choice, take });
    addRegions(made, lists, { document, ids, items, take });
    addAnswers(made, data);
    computing.addTo(made, (from, to) => data.isInLoop(from, to));
    dropUnknownTargets(made);
    return { parts: made, entries: computing.entries(received) };
  };
  const { parts, entries } = withoutLostReaders(make, open);
  const tangled: TangledFork[] = [];
  const toTangled = (given: TangledFork) => {
    const origin = document.nodes.get(nodeOfPart(given.from))?.part?.of;
    const fork = origin === undefined ? given : { ...given, from: origin };
    tangled.push(fork);
    const labels = fork.targets.map((target) => parts.get(target)?.label ?? target);
    const reason = `it goes on in several ways at once (${labels.join(", ")}) that do not come together in one place`;
    const name = afterFork(fork);
    const invoke = toPlaceholder("n8n", { name, originalType: "several connections", reason });
    return { label: `${name}: ${labels.join(", ")}`, invoke };
  };
  const source = sourceOf(document);
  carryOver(source, parts, entries, reporter);
  const joins = new Set<string>();
  const built = buildStates(parts, entries, { names, toTangled, onJoin: (name) => joins.add(name) });
  const responding = steps.filter(({ name, type }) => type === "respondToWebhook" && parts.has(name));
  const answer = answerOf(
    document,
    responding.map(({ name }) => ids.get(name) ?? ""),
  );
  if (answer !== undefined)
    for (const state of Object.values(built.states)) if (state.type === "final") state.output = answer;
  tell({ document, source, reporter, parts, tangled });
  for (const name of joins)
    if (document.nodes.get(name)?.type !== "merge")
      reporter.note(`n8n runs “${name}” once for each way that leads to it; here it runs once, after all of them.`);
  return {
    name: document.name,
    description: null,
    definition: toDefinition({
      product: "n8n",
      isChat,
      built,
      positions: new Map(steps.map(({ name, spec }) => [ids.get(name) ?? "", spec.position])),
      notes: [...document.nodes.values()].filter(({ type }) => type === "stickyNote").map(toNote),
      ...(payloadSchema === undefined ? {} : { payloadSchema }),
    }),
    source,
  };
}

interface Reading {
  lists: ReadonlyMap<string, ListRegion | string>;
  data: N8nData;
  items: N8nItems;
  incoming: IncomingLists;
}

/** Where everything stands that steps read. Lists that turn out not to be followed are left out, and all is looked at again. */
function readingOf(document: N8nDocument, ids: Map<string, string>, take: (name: string) => string): Reading {
  const lists = new Map(findLists(document));
  for (;;) {
    for (const region of lists.values())
      if (typeof region === "object" && !ids.has(region.key)) ids.set(region.key, take(`each of ${region.producer}`));
    const data = new N8nData(document, ids, { loopOf: loopsAround(document, lists), lists }, take);
    const items = new N8nItems(document, ids, data);
    const unclear = [...lists].find(([, region]) => whyNotFollowed(region, document, items) !== undefined);
    if (unclear === undefined) return { lists, data, items, incoming: new IncomingLists(document, ids, lists, items) };
    lists.set(unclear[0], whyNotFollowed(unclear[1], document, items) ?? "");
  }
}

const afterFork = ({ from }: TangledFork): string => `After ${nodeOfPart(from) || "start"}`;

/** Behind each request whose answer is read as a text, the step that reads it so. */
function addAnswers(parts: Map<string, Part>, { texts }: N8nData): void {
  for (const [name, { id, mapping }] of texts) {
    const request = parts.get(name);
    if (request === undefined) continue;
    const key = partKey("answer", name);
    const { ways, endOutput } = request;
    const invoke = { src: "core.transform", input: { mapping } };
    parts.set(key, { id, label: `Answer of ${name}`, invoke, ways, endOutput });
    parts.set(name, { ...request, ways: [{ targets: [key] }] });
  }
}

/** Connections to what is no step, such as a model or another trigger, lead nowhere. */
function dropUnknownTargets(parts: Map<string, Part>): void {
  const known = (targets: readonly string[]) => targets.filter((target) => parts.has(target));
  for (const [key, part] of parts)
    parts.set(key, {
      ...part,
      ways: part.ways.map((way) => ({ ...way, targets: known(way.targets) })),
      ...(part.onError === undefined ? {} : { onError: known(part.onError) }),
    });
}

/** Loops with what is in them, the outer ones first. */
function loopsIn(document: N8nDocument): { name: string; body: Set<string> }[] {
  const loops = [...document.nodes.values()].filter(({ type }) => type === "splitInBatches");
  const bodies = loops.map(({ name, version }) => ({ name, body: document.reachFrom(name, version >= 3 ? 1 : 0) }));
  return bodies.sort((a, b) => b.body.size - a.body.size);
}

function sourceOf(document: N8nDocument): SourceGraph {
  const kindOf = (node: N8nNode): SourceNode["kind"] =>
    isTrigger(node) ? "start" : node.type === "stickyNote" || document.isHelper(node.name) ? "aside" : "step";
  const whole = [...document.nodes.values()].filter(({ part }) => part === undefined || part.isLast);
  const nodes = whole.map((node) => ({
    ...{ key: node.name, name: node.name, path: node.path },
    kind: kindOf(node),
  }));
  return { nodes, edges: document.edges };
}

/** The innermost loop or list that each node is in. */
function loopsAround(document: N8nDocument, lists: Reading["lists"]): Map<string, string> {
  const loopOf = new Map<string, string>();
  for (const { name, body } of loopsIn(document)) for (const key of body) if (key !== name) loopOf.set(key, name);
  for (const region of lists.values()) {
    if (typeof region === "string") continue;
    const around = loopOf.get(region.producer);
    if (around !== undefined) loopOf.set(region.key, around);
    for (const name of region.body) loopOf.set(name, region.key);
  }
  return loopOf;
}

interface PartContext {
  document: N8nDocument;
  reporter: ImportReporter;
  data: N8nData;
  items: N8nItems;
  incoming: IncomingLists;
  lists: Reading["lists"];
  computing: ComputingSteps;
  /** Nodes that have to be placeholders, and why. */
  open: ReadonlyMap<string, string>;
  isChat: boolean;
  /** Gets the nodes of apps that cannot be requests where they stand, and why. */
  refused: Map<string, string>;
}

/** What a node becomes, or why nothing does. */
function mapNode(node: N8nNode, id: string, context: PartContext): { value: Mapped } | { reason: string } {
  const { document, reporter, data, items, incoming, lists, computing, open, isChat } = context;
  if (node.refused !== undefined) return { reason: node.refused };
  const why = open.get(node.name);
  if (why !== undefined) return { reason: why };
  const source = { items, document };
  const values = new ComputedValues();
  const references: N8nReferences = {
    pathOf: (from, segments, which = "item") =>
      data.pathFor(node.name, from, segments, which) ?? items.pathFor(node.name, from, { segments, which }),
    compute: (expression) => {
      inputsFor(analyse([parseExpression(expression)]), node.name, source);
      return `$.${computing.idFor(node.name)}_output.result.${values.take(expression)}`;
    },
  };
  const handler = N8N_NODES.get(node.type);
  if (handler === undefined) return { reason: whyUnknown(node.type) };
  return orReason(() => {
    refuseBothWays(node, document);
    refuseOnce(node, lists);
    refuseOtherOutputs(node, document);
    const list = lists.get(node.name);
    if (typeof list === "string") throw new NoEquivalent(`what follows runs once for each item, and ${list}`);
    const idBefore = () => computing.idFor(node.name);
    const { before, ...mapped } = handler(node, {
      document,
      reporter,
      id,
      references,
      items,
      incoming,
      idBefore,
      isChat,
    });
    refuseReservedKeys([mapped, before]);
    if (before !== undefined) computing.set(node.name, before);
    if (values.isEmpty) return mapped;
    const script = analyse(values.sources().map(parseExpression));
    const { inputs, prelude } = inputsFor(script, node.name, source);
    refuseReservedKeys(inputs);
    computing.set(node.name, toCode([...prelude, ...values.lines()], inputs));
    const note = `Its expressions are computed in JavaScript by the step ${computing.idFor(node.name)} before it.`;
    return { ...mapped, notes: [...(mapped.notes ?? []), note, ...timeNotes(script, document)] };
  });
}

function toPart(node: N8nNode, id: string, context: PartContext): Part {
  const { document, reporter } = context;
  const { name, spec } = node;
  const element = { name, type: node.fullType, path: node.path };
  const about = {
    id,
    label: name,
    ...(spec.notes === undefined || spec.notes === "" ? {} : { description: spec.notes }),
    ...(node.disabled ? { disabled: true } : {}),
    meta: { imported: { product: "n8n", name: node.part?.of ?? name, type: node.fullType } },
  };
  if (node.disabled) {
    reporter.element(element, "noted", id, ["It is switched off there, and here."]);
    const original = { parameters: node.parameters };
    const invoke = toPlaceholder("n8n", { name, originalType: node.fullType, reason: "it was switched off", original });
    return { ...about, invoke, ways: [{ targets: document.outputs(name) }] };
  }
  const mapped = mapNode(node, id, context);
  if ("reason" in mapped && node.part !== undefined && !context.refused.has(node.part.of))
    context.refused.set(node.part.of, mapped.reason);
  if ("reason" in mapped) {
    reporter.element(element, "placeholder", id, [mapped.reason]);
    const original = { parameters: node.parameters };
    const invoke = toPlaceholder("n8n", { name, originalType: node.fullType, reason: mapped.reason, original });
    const count = Math.max(document.outputCount(name), outputsOf(node));
    const ways = Array.from({ length: Math.max(1, count) }, (_, index) => ({
      targets: document.outputs(name, index),
      ...(index === count - 1 || count <= 1 ? {} : { guard: branchGuard(String(index)) }),
    }));
    return { ...about, invoke, ways, endOutput: `$.${id}_output` };
  }
  const { notes = [], ...part } = mapped.value;
  const stale = document.outputs(name, outputsOf(node)).length > 0 && spec.onError !== "continueErrorOutput";
  const unused = stale
    ? ["What follows its output for errors runs neither there nor here: it is not set to use it."]
    : [];
  tellMapped(node, id, [...notes, ...unused], reporter);
  const { ways } = part;
  if (part.invoke === undefined && part.loop === undefined) return { ...about, ...part };
  const onError =
    spec.onError === "continueErrorOutput"
      ? document.outputs(name, outputsOf(node))
      : spec.onError === "continueRegularOutput" || spec.continueOnFail === true
        ? node.part?.isLast === false
          ? document.outputs(node.part.of)
          : ways.at(-1)?.targets
        : undefined;
  const attempts = Math.min(20, Math.max(1, Math.trunc(spec.maxTries ?? 3)));
  const wait = Math.max(0, Math.trunc(spec.waitBetweenTries ?? 1_000));
  const retry =
    spec.retryOnFail === true
      ? { retry: { maxAttempts: attempts, backoff: "fixed" as const, initialMs: wait } }
      : isWrite(part.invoke)
        ? { retry: { maxAttempts: 1 } }
        : {};
  return {
    ...about,
    ...part,
    ...(part.invoke === undefined ? {} : { invoke: { ...part.invoke, ...retry } }),
    ...(onError === undefined ? {} : { onError }),
  };
}

/** Reports the parts of a node of an app together, as what it became. */
function tellMapped(node: N8nNode, id: string, notes: readonly string[], reporter: ImportReporter): void {
  const { part, fullType: type, path } = node;
  if (part === undefined) {
    reporter.element({ name: node.name, type, path }, "mapped", id, notes);
    return;
  }
  const notesSoFar = reporter.notesOf(path) ?? [`It becomes requests to the API of ${part.title}.`, ...part.notes];
  reporter.element({ name: part.of, type, path }, "mapped", id, [...new Set([...notesSoFar, ...notes])]);
}

const CHOOSING = new Set(["if", "switch", "langchain.textClassifier"]);

/** @throws NoEquivalent where n8n goes on with an empty item by the first output, beside another one */
function refuseBothWays({ name, type, spec }: N8nNode, document: N8nDocument): void {
  if (spec.alwaysOutputData === true && CHOOSING.has(type) && document.outputs(name).length > 0)
    throw new NoEquivalent("with “Always Output Data” it also goes on by its first output when it takes another one");
}

/** @throws NoEquivalent where an app is asked once for all items of a list */
function refuseOnce({ name, part, spec }: N8nNode, lists: Reading["lists"]): void {
  if (part === undefined || spec.executeOnce !== true) return;
  for (const region of lists.values())
    if (typeof region === "object" && (region.body.has(name) || region.collector === name))
      throw new NoEquivalent("it runs once, for the first item of a list");
}

/** @throws NoEquivalent where it goes on by outputs that are not known */
function refuseOtherOutputs(node: N8nNode, document: N8nDocument): void {
  // The next one is that of errors.
  for (let output = outputsOf(node) + 1; output < document.outputCount(node.name); output += 1)
    if (document.outputs(node.name, output).length > 0)
      throw new NoEquivalent(`it leads on by an output ${output + 1}, and what comes out there is not known`);
}

/** A request that may act is sent once there, and not tried again. */
function isWrite(invoke: Part["invoke"]): boolean {
  return (
    invoke?.src === "core.http" && !["GET", "HEAD", undefined].includes(invoke.input?.method as string | undefined)
  ); // cast: as the HTTP importer writes it
}

function toNote({ parameters, spec }: N8nNode, index: number): JsonObject {
  const size = (value: Json | undefined, otherwise: number) => (typeof value === "number" ? value : otherwise);
  const [x, y] = spec.position ?? [0, 0];
  const text = typeof parameters.content === "string" ? parameters.content : "";
  return {
    id: `note${index + 1}`,
    text,
    x,
    y,
    width: size(parameters.width, 240),
    height: size(parameters.height, 160),
  };
}

interface ReportedImport {
  document: N8nDocument;
  reporter: ImportReporter;
  source: SourceGraph;
  parts: ReadonlyMap<string, Part>;
  tangled: readonly TangledFork[];
}

function tell({ document, source, reporter, parts, tangled }: ReportedImport): void {
  reporter.note("n8n runs a step once for each item; here a step runs once, with the one item it is given.");
  reporter.note("A value that is missing is an error here; where n8n fills in nothing, give the path a default.");
  for (const { from, to } of document.renamed)
    reporter.note(`Two nodes are called “${from}”: one that nothing is connected with is “${to}” here.`);
  for (const fork of tangled) {
    const labels = fork.targets.map((target) => parts.get(target)?.label ?? target).join(", ");
    const path = pathOfFork(source, fork, "node");
    const note = `It goes on to ${labels} at once, and these do not come together in one place: say in which order.`;
    reporter.element({ name: afterFork(fork), type: "several connections", path }, "placeholder", null, [note]);
  }
  for (const edge of document.edges) {
    const node = document.nodes.get(edge.from);
    const part = parts.get(edge.from);
    if (node === undefined || part === undefined || part.invoke !== undefined || part.loop !== undefined) continue;
    if (edge.isAside === true || edge.output !== `main ${outputsOf(node)}`) continue;
    const name = `“${edge.from}” to “${edge.to}”`;
    const why = "The step cannot fail here, so nothing comes out of its output for errors.";
    reporter.element({ name, type: "connection", path: edge.path }, "ignored", null, [why]);
  }
  for (const node of document.nodes.values()) {
    const element = { name: node.name, type: node.fullType, path: node.path };
    if (node.type === "stickyNote") reporter.element(element, "mapped", null);
    else if (document.isHelper(node.name)) {
      if (!reporter.has(node.path))
        reporter.element(element, "ignored", null, ["What it belongs to is a placeholder."]);
    } else if (!isTrigger(node) && !parts.has(node.name))
      reporter.element(element, "ignored", null, ["No trigger leads to it."]);
    if (node.type === "httpRequest" || node.part !== undefined) continue;
    for (const kind of Object.keys(node.spec.credentials ?? {}))
      reporter.setting(
        "credential",
        `${kind} of ${node.name}`,
        "Credentials are never imported: set it here.",
        node.path,
      );
  }
  if (document.errorWorkflow !== undefined)
    reporter.setting(
      "workflow",
      "Error workflow",
      "Make a notification rule or a trigger for runs that fail.",
      "$.settings",
    );
}
