import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { toCode } from "./n8n-computed.ts";
import type { MapNode } from "./n8n-context.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { mergesLists } from "./n8n-lists.ts";
import { mergeStep } from "./n8n-merge-steps.ts";
import { mergingOf } from "./n8n-merging.ts";
import { toListStep } from "./n8n-regions.ts";

/** A junction, where what it hands on is what came in; else a step over the lists of its sides. @throws NoEquivalent */
export const mapMerge: MapNode = (node, context) => {
  const { document, incoming } = context;
  const merging = mergingOf(node);
  if (merging.kind === "computed" || mergesLists(node, document)) {
    const lines = mergeStep(node);
    refuseRounds(node, document);
    const given = incoming.sidesOf(node.name, Math.max(2, Number(node.parameters.numberInputs ?? 2)));
    return toListStep(node, context, toCode(lines, { given }));
  }
  const notes = {
    append: [
      "n8n hands on the items of every side; here what follows runs once, and reads from the steps that made them.",
    ],
    position: [
      "What comes together here is read from the steps that made it; nothing is copied into one item.",
      "Where a side hands on nothing, n8n may stop here; this goes on.",
    ],
    choose: [],
  }[merging.kind];
  return { ways: [{ targets: document.outputs(node.name) }], notes };
};

/** @throws NoEquivalent where it is come to again: a side may not be there the second time, and what it handed on the first time would be */
function refuseRounds({ name }: N8nNode, document: N8nDocument): void {
  for (let output = 0; output < document.outputCount(name); output += 1)
    if (document.reaches(name, output, name))
      throw new NoEquivalent("it merges its sides again in each round of a loop");
}
