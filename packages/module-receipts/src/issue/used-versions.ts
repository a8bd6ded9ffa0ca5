import { isOvenError, type Json } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { hashJson } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import type { PinnedRun } from "@oven/module-workflows";

/** One of the things that a run is made of. */
type UsedVersion = { name: string; version: number | null; hash: string | null };

/**
 * All that a run used besides its own version, as it was pinned when it started: called workflows and agents, and the policies of
 * its tenant as they are now. The hash of what has been deleted since is null.
 */
export async function usedVersions(
  { workflowPlatform, agents }: Pick<ServiceMap, "workflowPlatform" | "agents">,
  { row }: PinnedRun,
): Promise<UsedVersion[]> {
  const used: UsedVersion[] = [];
  for (const [name, version] of Object.entries(row.pinnedCalls ?? {})) {
    const [kind = "", id = ""] = name.split("@")[0]?.split(":") ?? [];
    const hash = await orNull(async () => {
      if (kind === "agent")
        // cast: settings are JSON
        return hashJson((await agents.settingsOf({ id: Number(id), version, sessionId: null })) as unknown as Json);
      // cast: the platform writes the keys
      const { workflows } = workflowPlatform.face(kind as ExecutionKind);
      return (await workflows.pinned(Number(id), version)).version.contentHash;
    });
    used.push({ name, version, hash });
  }
  // cast: rules are JSON
  for (const { id, name, severity, rule } of await workflowPlatform.policies.rows.enabled(row.tenantId))
    used.push({
      name: `policy:${id}`,
      version: null,
      hash: hashJson({ name, severity, rule: rule as unknown as Json }),
    });
  return used.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function orNull(find: () => Promise<string>): Promise<string | null> {
  try {
    return await find();
  } catch (error) {
    if (isOvenError(error) && error.status === 404) return null;
    throw error;
  }
}
