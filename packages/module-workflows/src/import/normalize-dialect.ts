import type { JsonObject } from "@oven/contract";
import type { DefinitionChange } from "@oven/contract/workflow";
import { aliasNodes } from "./alias-nodes.ts";
import type { Accepts, Dialect } from "./dialect.ts";
import { keepPositions } from "./keep-positions.ts";
import { loosenGuards, normalizeGuards } from "./normalize-guards.ts";
import { normalizeInvokes } from "./normalize-invokes.ts";
import { normalizeLoops } from "./normalize-loops.ts";
import { normalizePaths, unwrapTemplates } from "./normalize-paths.ts";
import { normalizePayloadSchema } from "./normalize-payload-schema.ts";
import { assignOutputKeys, normalizeTransitions } from "./normalize-transitions.ts";

/** In this order: later rules read what earlier ones wrote. */
const RULES: readonly ((dialect: Dialect) => void)[] = [
  keepPositions,
  normalizePayloadSchema,
  normalizeInvokes,
  aliasNodes,
  normalizeLoops,
  normalizeTransitions,
  assignOutputKeys,
  normalizeGuards,
  normalizePaths,
];

/** What only a document that is not canonical means by a form that is canonical too. */
const RULES_OF_DIALECTS: readonly ((dialect: Dialect) => void)[] = [loosenGuards, unwrapTemplates];

/**
 * A document in any of the known dialects as a canonical definition, and where which rule was applied (places are those of
 * the document, as far as the rules before have left them). Pure; a canonical definition comes back unchanged.
 * @param accepts tells which inputs node types take; without it the namespaces of core, agent and data nodes are believed
 */
export function normalizeDialect(
  document: JsonObject,
  accepts: Accepts = () => undefined,
): { definition: JsonObject; changes: DefinitionChange[] } {
  const dialect: Dialect = { definition: structuredClone(document), changes: [], accepts, renames: new Map() };
  for (const rule of RULES) rule(dialect);
  if (dialect.changes.length > 0) for (const rule of RULES_OF_DIALECTS) rule(dialect);
  return { definition: dialect.definition, changes: dialect.changes };
}
