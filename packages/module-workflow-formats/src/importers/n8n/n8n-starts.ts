import { branchGuard } from "../../importing/graph/build-states.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { toPlaceholder } from "../../importing/to-placeholder.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { methodsOf, startOf } from "./n8n-triggers.ts";

export const START = partKey("start");
/** Of what answers the methods that a webhook does not take. */
const otherMethod = (trigger: string): string => partKey("other method", trigger);

interface StartContext {
  document: N8nDocument;
  reporter: ImportReporter;
  /** Takes an id for a state. */
  take(name: string): string;
}

/** One start for triggers that begin in different places: which of them it was, the workflow does not say. */
export function toChoice(triggers: readonly N8nNode[], { document, reporter, take }: StartContext): Part {
  const listed = triggers.map(({ name }) => name).join(", ");
  const reason = `its triggers (${listed}) begin in different places, and a run begins with one of them: say by which input, or make a workflow for each`;
  const [originalType, label] = ["several triggers", "Which trigger?"];
  const id = take("start");
  reporter.element({ name: "Start", type: originalType, path: "$.connections" }, "placeholder", id, [reason]);
  return {
    id,
    label,
    invoke: toPlaceholder("n8n", { name: label, originalType, reason }),
    ways: triggers.map((trigger, index) => ({
      targets: startOf(trigger, document),
      ...(index === triggers.length - 1 ? {} : { guard: branchGuard(trigger.name) }),
    })),
  };
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
