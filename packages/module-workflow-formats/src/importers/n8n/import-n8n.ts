import type { Json } from "@oven/contract";
import { carryOver } from "../../importing/complete/carry-over.ts";
import { type Made, withoutLostReaders } from "../../importing/complete/readers-of-left-out.ts";
import { buildStates } from "../../importing/graph/build-states.ts";
import type { Part, TangledFork } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart } from "../../importing/graph/part-key.ts";
import { sequenceWays } from "../../importing/graph/sequence-ways.ts";
import { StateNames } from "../../importing/graph/state-names.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { Imported } from "../../importing/importer.ts";
import { toDefinition } from "../../importing/to-definition.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { parseSource } from "../../shared/import-source.ts";
import { lowerApp } from "./apps/index.ts";
import { addAnswers } from "./n8n-answers.ts";
import { toNote } from "./n8n-canvas-notes.ts";
import { ComputingSteps } from "./n8n-computed.ts";
import { isStep, N8nDocument, N8nDocumentSchema } from "./n8n-document.ts";
import { takesTextOnly } from "./n8n-extract-file.ts";
import { N8nOrder } from "./n8n-order.ts";
import { addressesIn } from "./n8n-own-address.ts";
import { withOwnParameters } from "./n8n-own-parameters.ts";
import { mapNode, type PartContext, toPart } from "./n8n-parts.ts";
import { loopsIn, readingOf } from "./n8n-reading.ts";
import { keepReceived } from "./n8n-received.ts";
import { addRegions } from "./n8n-regions.ts";
import { afterFork, tell } from "./n8n-report.ts";
import { answerOf } from "./n8n-respond.ts";
import { sourceOf } from "./n8n-source.ts";
import { START, toChoice, toFork } from "./n8n-starts.ts";
import { mapTriggers } from "./n8n-triggers.ts";
import { variablesIn } from "./n8n-variables.ts";

/**
 * A workflow of n8n as a definition. Nothing of it is run. Nodes of apps become requests; one that cannot, where it stands, stays as it
 * is and all is looked at again.
 * @throws OvenError SOURCE_INVALID
 */
export function importN8n(value: Json, reporter: ImportReporter): Imported {
  const read = parseSource(value, N8nDocumentSchema);
  const source = { ...read, nodes: withOwnParameters(read.nodes) };
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
  const { entries: triggered, choice, forks, isChat, payloadSchema } = mapTriggers(document, reporter);
  const open = new Map<string, string>();
  const { lists, data, items, incoming } = readingOf(document, ids, take);
  const computing = new ComputingSteps(take);
  const context: PartContext = { document, reporter, data, items, incoming, lists, computing, open, isChat, refused };
  const starting = { document, reporter, take };
  const started = new Map<string, Part>(forks.flatMap((trigger) => toFork(trigger, starting)));
  if (choice.length > 0) for (const [key, part] of toChoice(choice, starting)) started.set(key, part);
  const known = new Set([...ids.keys(), ...started.keys()]);
  const first = choice.length > 0 ? [START] : triggered.filter((key) => known.has(key));
  const make = (): Made => {
    computing.clear();
    // The outer ones first: what an inner one goes through may be an item of theirs.
    for (const { name } of loopsIn(document)) {
      const node = document.nodes.get(name);
      if (node !== undefined && "reason" in mapNode(node, ids.get(name) ?? "", context)) data.leaveOpen(name);
    }
    for (const node of steps)
      if (takesTextOnly(node))
        data.takesText(node.name, !("reason" in mapNode(node, ids.get(node.name) ?? "", context)));
    items.forget();
    const made = new Map<string, Part>();
    for (const node of steps) made.set(node.name, toPart(node, ids.get(node.name) ?? "", context));
    for (const [key, part] of started) made.set(key, part);
    const received = keepReceived(made, first, { document, items, choice, take });
    addRegions(made, lists, { document, ids, items, take });
    addAnswers(made, data);
    computing.addTo(made);
    dropUnknownTargets(made);
    return { parts: made, entries: computing.entries(received) };
  };
  const { parts, entries: begun } = withoutLostReaders(make, open);
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
  const source = sourceOf(document, parts);
  carryOver(source, parts, begun, reporter);
  const order = new N8nOrder(document, parts);
  const { entries, sequences } = sequenceWays(parts, begun, {
    inOrder: (targets) => order.inOrder(targets),
    isAllowed: (sequence) => order.isAllowed(sequence),
    take,
  });
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
  for (const sequence of sequences) {
    const note = order.noteOn(sequence);
    if (note !== undefined) reporter.note(note);
  }
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
      // cast: a state is JSON, only its type has optional members
      context: { ...addressesIn(document), ...variablesIn(built.states as unknown as Json, reporter) },
      ...(payloadSchema === undefined ? {} : { payloadSchema }),
    }),
    source,
  };
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
