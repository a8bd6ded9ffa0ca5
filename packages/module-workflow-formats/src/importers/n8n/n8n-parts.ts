import { branchGuard } from "../../importing/graph/build-states.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { refuseReservedKeys } from "../../importing/reserved-keys.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import { ComputedValues, type ComputingSteps, inputsFor, timeNotes, toCode } from "./n8n-computed.ts";
import type { Mapped } from "./n8n-context.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import type { N8nReferences } from "./n8n-expression.ts";
import { fileFor } from "./n8n-files.ts";
import type { N8nItems } from "./n8n-items.ts";
import { N8N_NODES, whyUnknown } from "./n8n-nodes.ts";
import { outputsOf } from "./n8n-outputs.ts";
import type { Reading } from "./n8n-reading.ts";
import type { N8nData } from "./n8n-references.ts";
import { refuseBothWays, refuseOnce, refuseOtherOutputs } from "./n8n-refusals.ts";
import type { IncomingLists } from "./n8n-regions.ts";
import { analyse, parseExpression } from "./n8n-script.ts";

/** What is known of a document when its nodes become parts. */
export interface PartContext {
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
export function mapNode(node: N8nNode, id: string, context: PartContext): { value: Mapped } | { reason: string } {
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
      fileOf: (name) => fileFor(node.name, name, document, data),
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

/** A node with all that stands around what it becomes: its name, ways, retries and what follows an error. */
export function toPart(node: N8nNode, id: string, context: PartContext): Part {
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
  tellMapped(node, id, notes, reporter);
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
  const notesSoFar = reporter.notesOf(path) ?? [part.becomes, ...part.notes];
  reporter.element({ name: part.of, type, path }, "mapped", id, [...new Set([...notesSoFar, ...notes])]);
}

/** A request that may act is sent once there, and not tried again. */
function isWrite(invoke: Part["invoke"]): boolean {
  return (
    invoke?.src === "core.http" && !["GET", "HEAD", undefined].includes(invoke.input?.method as string | undefined)
  ); // cast: as the HTTP importer writes it
}
