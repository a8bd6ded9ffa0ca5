import { type Json, type JsonObject, OvenError, type Problem } from "@oven/contract";
import type { AgentConfig, CreateWorkflow, Definition, MemoryConfig } from "@oven/contract/workflow";
import { contentHash, type NodeCatalog, validateDefinition } from "@oven/engine";

export interface PreparedDefinition {
  definition: JsonObject;
  /** What the columns mirror. */
  agentConfig: JsonObject | null;
  memoryConfig: JsonObject | null;
  mcpExport: boolean;
  contentHash: string;
  warnings: Problem[];
}

type Settings = Pick<CreateWorkflow, "agentConfig" | "memoryConfig" | "mcpExport">;

/**
 * Writes the three settings into the definition (they win), checks it, and mirrors them for the columns.
 * @throws OvenError INVALID_DEFINITION with every problem: path, rule, message and fix
 */
export function prepareDefinition(given: JsonObject, settings: Settings, catalog: NodeCatalog): PreparedDefinition {
  const definition = withSettings(given, settings);
  const { problems } = validateDefinition(definition, catalog);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw invalidDefinition(errors);
  const valid = definition as Definition & JsonObject; // cast: no errors were found in it
  return {
    definition,
    agentConfig: toObject(valid.agentConfig),
    memoryConfig: toObject(valid.memoryConfig),
    mcpExport: valid.mcpExport === true,
    contentHash: contentHash(definition),
    warnings: problems.filter(({ severity }) => severity === "warning"),
  };
}

function withSettings(definition: JsonObject, { agentConfig, memoryConfig, mcpExport }: Settings): JsonObject {
  return {
    ...definition,
    ...(agentConfig == null ? {} : { agentConfig: agentConfig as JsonObject }), // cast: its schema has JSON values only
    ...(memoryConfig == null ? {} : { memoryConfig: memoryConfig as JsonObject }), // cast: as above
    ...(mcpExport === undefined ? {} : { mcpExport }),
  };
}

/** @returns OvenError INVALID_DEFINITION 400, which names the first of the problems and has all of them */
export function invalidDefinition(errors: readonly Problem[]): OvenError {
  const [first] = errors;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  return new OvenError("INVALID_DEFINITION", `${first?.path}: ${first?.message}${more}`, {
    status: 400,
    ...(first === undefined ? {} : { path: first.path, fix: first.fix }),
    details: { problems: errors as unknown as Json }, // cast: problems are plain strings
  });
}

function toObject(config: AgentConfig | MemoryConfig | undefined): JsonObject | null {
  return config === undefined ? null : ({ ...config } as JsonObject); // cast: its schema has JSON values only
}
