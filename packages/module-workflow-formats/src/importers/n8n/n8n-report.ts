import { pathOfFork } from "../../importing/complete/carry-over.ts";
import type { SourceGraph } from "../../importing/complete/source-graph.ts";
import type { Part, TangledFork } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart } from "../../importing/graph/part-key.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { isTrigger, type N8nDocument } from "./n8n-document.ts";

/** What stands in for a place that goes on in several ways at once. */
export const afterFork = ({ from }: TangledFork): string => `After ${nodeOfPart(from) || "start"}`;

interface ReportedImport {
  document: N8nDocument;
  reporter: ImportReporter;
  source: SourceGraph;
  parts: ReadonlyMap<string, Part>;
  tangled: readonly TangledFork[];
}

/** Reports what is not said of single steps: notes, connections and nodes that nothing leads to. */
export function tell({ document, source, reporter, parts, tangled }: ReportedImport): void {
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
