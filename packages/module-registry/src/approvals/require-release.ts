import { type Json, OvenError } from "@oven/contract";
import type { ToolRun } from "../define/define-tool.ts";
import type { ServiceMap } from "../define/services.ts";

/** The review that released a call, and the digest of what was approved there. */
export interface Release {
  id: number;
  digest: string;
}

/** A call of something that needs a person's approval. */
export interface GuardedCall {
  /** Id of the tool, or of the operation: `orders.refund`. */
  tool: string;
  arguments: Json;
  tenantId: number;
  release?: Release | undefined;
  /** Absent outside of runs, where no review can be. */
  run?: ToolRun | undefined;
}

/** Reads the reviews of runs; module-workflows brings it. */
export interface Releases {
  /**
   * Whether the review has released exactly this call for this run, and no other call has used it. From then on it is used.
   * The same call may ask again, after a crash or as another attempt.
   */
  use(call: GuardedCall & { release: Release; run: ToolRun }): Promise<boolean>;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    /** Absent where no module brings reviews: then nothing is released. */
    releases?: Releases;
  }
}

/**
 * The one check before anything that needs approval is called, whichever way the call came in.
 * @throws OvenError APPROVAL_NEEDED without a release of exactly this call that no other call has used
 */
export async function requireRelease(
  { releases }: Pick<ServiceMap, "releases">,
  { release, run, ...call }: GuardedCall,
): Promise<void> {
  if (release !== undefined && run !== undefined && (await releases?.use({ ...call, release, run })) === true) return;
  throw approvalNeeded(call.tool);
}

/** @param id of the tool or operation */
export function approvalNeeded(id: string): OvenError {
  return new OvenError("APPROVAL_NEEDED", `${id} is called only after a person has approved exactly this call`, {
    status: 409,
    fix: "Call it in a workflow or by an agent: the run waits for a review, and goes on when it is approved.",
  });
}
