import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { outputsOf } from "./n8n-outputs.ts";
import type { Reading } from "./n8n-reading.ts";

const CHOOSING = new Set(["if", "switch", "langchain.textClassifier"]);

/** @throws NoEquivalent where n8n goes on with an empty item by the first output, beside another one */
export function refuseBothWays({ name, type, spec }: N8nNode, document: N8nDocument): void {
  if (spec.alwaysOutputData === true && CHOOSING.has(type) && document.outputs(name).length > 0)
    throw new NoEquivalent("with “Always Output Data” it also goes on by its first output when it takes another one");
}

/** @throws NoEquivalent where an app is asked once for all items of a list */
export function refuseOnce({ name, part, spec }: N8nNode, lists: Reading["lists"]): void {
  if (part === undefined || spec.executeOnce !== true) return;
  for (const region of lists.values())
    if (typeof region === "object" && (region.body.has(name) || region.collector === name))
      throw new NoEquivalent("it runs once, for the first item of a list");
}

/** @throws NoEquivalent where it goes on by outputs that are not known */
export function refuseOtherOutputs(node: N8nNode, document: N8nDocument): void {
  // The next one is that of errors.
  for (let output = outputsOf(node) + 1; output < document.outputCount(node.name); output += 1)
    if (document.outputs(node.name, output).length > 0)
      throw new NoEquivalent(`it leads on by an output ${output + 1}, and what comes out there is not known`);
}
