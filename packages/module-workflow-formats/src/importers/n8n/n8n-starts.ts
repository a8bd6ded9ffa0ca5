import { branchGuard } from "../../importing/graph/build-states.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { isByHand, methodsOf, STARTED_BY, startOf } from "./n8n-triggers.ts";

export const START = partKey("start");
/** Of what answers the methods that a webhook does not take. */
const otherMethod = (trigger: string): string => partKey("other method", trigger);

interface StartContext {
  document: N8nDocument;
  reporter: ImportReporter;
  /** Takes an id for a state. */
  take(name: string): string;
}

/** Of what answers runs that none of several triggers has begun. */
const OTHER_TRIGGER = partKey("other trigger");

/** One start for triggers that begin in different places, by what the run's input says; those that people start by hand come last. */
export function toChoice(triggers: readonly N8nNode[], { document, reporter, take }: StartContext): [string, Part][] {
  const names = triggers.map(({ name }) => name);
  const [id, label] = [take("start"), "Which trigger?"];
  const last = triggers.at(-1);
  const otherwise = last !== undefined && isByHand(last) ? last : undefined;
  const begins = `A run begins as one of ${names.join(", ")}: the one that \`${STARTED_BY}\` of its input names`;
  const note = otherwise === undefined ? `${begins}.` : `${begins}, else as ${otherwise.name}.`;
  reporter.element({ name: "Start", type: "several triggers", path: "$.connections" }, "mapped", id, [note]);
  const ways = triggers.map((trigger) => ({
    targets: startOf(trigger, document),
    ...(trigger === otherwise ? {} : { guard: branchGuard(trigger.name, `$.trigger.${STARTED_BY}`) }),
  }));
  if (otherwise !== undefined) return [[START, { id, label, ways }]];
  const message = `The input of the run names none of its triggers (${names.join(", ")}) as \`${STARTED_BY}\``;
  const refusal: Part = {
    id: take("other trigger"),
    label: "Another trigger",
    invoke: { src: "core.fail", input: { message } },
    ways: [],
  };
  return [
    [START, { id, label, ways: [...ways, { targets: [OTHER_TRIGGER] }] }],
    [OTHER_TRIGGER, refusal],
  ];
}

/** A trigger whose outputs lead to different places, with all that belongs to it, by key. */
export function toFork(trigger: N8nNode, { document, reporter, take }: StartContext): [string, Part][] {
  const { name, fullType, path } = trigger;
  const methods = methodsOf(trigger);
  const about = { id: take(name), label: name };
  if (methods === undefined) {
    const reason = "it leads to different places by its outputs, and which output it takes is not known here";
    reporter.element({ name, type: fullType, path }, "placeholder", about.id, [reason]);
    const count = document.outputCount(name);
    const ways = Array.from({ length: count }, (_, index) => ({
      targets: document.outputs(name, index),
      ...(index === count - 1 ? {} : { guard: branchGuard(String(index)) }),
    }));
    const original = { parameters: trigger.parameters };
    return [
      [name, { ...about, invoke: toPlaceholder("n8n", { name, originalType: fullType, reason, original }), ways }],
    ];
  }
  const ways = methods.map((method, index) => ({
    guard: branchGuard(method, "$.trigger.method"),
    targets: document.outputs(name, index),
  }));
  const message = `The workflow is started by ${methods.join(", ")}: its input has none of these as \`method\``;
  const refusal: Part = {
    id: take(`${name} other method`),
    label: "Another method",
    invoke: { src: "core.fail", input: { message } },
    ways: [],
  };
  return [
    [name, { ...about, ways: [...ways, { targets: [otherMethod(name)] }] }],
    [otherMethod(name), refusal],
  ];
}
