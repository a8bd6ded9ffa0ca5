import type { RunAgent } from "@oven/contract/node";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition, Workflow } from "@oven/contract/workflow";
import { listStates, type NodeCatalog } from "@oven/engine";

/** A workflow that a definition calls by its literal id or slug. */
export interface CalledWorkflow {
  kind: ExecutionKind;
  /** Id or slug. */
  workflow: string;
  /** The published version it names; left out, the one that is published when the run starts. */
  version?: number;
  /** `$.states.sub.invoke.input.workflow` */
  path: string;
}

/** What a definition calls, where it says so literally: what is computed is known only when it runs. */
export function calledWorkflows(definition: Workflow["definition"], catalog: NodeCatalog): CalledWorkflow[] {
  // cast: published definitions are valid
  return listStates(definition as unknown as Definition).flatMap(({ state, path }) => {
    const { invoke } = state;
    const called = invoke && catalog.get(invoke.src, invoke.version)?.calls?.(invoke.input ?? {});
    return (called ?? []).map((one) => ({ ...one, path: `$.${path.join(".")}.invoke.input.workflow` }));
  });
}

/** Versions by `<kind>:<id>`, or by `<kind>:<id>@<version>` where the call names one. */
export type PinnedCalls = Record<string, number>;

/** Key of the version of the agent that a run belongs to, among the pinned calls. */
export function agentPin(id: number): string {
  return `agent:${id}`;
}

/** The agent of a run, from the run's row. */
export function runAgentOf({
  agentId: id,
  sessionId,
  pinnedCalls,
}: {
  agentId: number | null;
  sessionId: number | null;
  pinnedCalls: PinnedCalls | null;
}): RunAgent | null {
  const version = id === null ? undefined : pinnedCalls?.[agentPin(id)];
  return id === null || version === undefined ? null : { id, version, sessionId };
}

export function pinKey(kind: ExecutionKind, id: number, version?: number): string {
  return version === undefined ? `${kind}:${id}` : `${kind}:${id}@${version}`;
}
