import type { Json } from "@oven/contract";
import { findState, OutputTypes } from "@oven/scope";
import type { NodeCatalog } from "../ports.ts";

/**
 * An example of what this very step answers: by the schema that it asks a model for, or that of the tool it names, too.
 * @returns undefined where the node declares nothing
 */
export function exampleFor(
  catalog: NodeCatalog,
  { src, version, input }: { src: string; version?: number; input: unknown },
): Json | undefined {
  const entry = catalog.get(src, version);
  if (entry?.example === undefined) return undefined;
  const document = { states: { step: { invoke: { src, input: input as Json } } } }; // cast: the input of a node is JSON
  const step = findState(document, "step");
  const types = new OutputTypes(document, { outputOf: () => entry.outputSchema?.() });
  return entry.example(step === undefined ? undefined : types.of(step));
}
