import type { JsonObject, Principal } from "@oven/contract";
import type { ServiceMap } from "@oven/module-registry";

/**
 * What the steps of a proposal need beyond those of the published version, in words. A repair never asks for more than what it repairs was
 * published with.
 */
export async function newRights(
  { workflowPlatform: { versionGrants } }: ServiceMap,
  principal: Principal,
  { workflowId, base, definition }: { workflowId: number; base: JsonObject; definition: JsonObject },
): Promise<string[]> {
  const options = { self: { kind: "agent-workflow", id: workflowId } } as const;
  const before = await versionGrants.needs(principal, base, options);
  const after = await versionGrants.needs(principal, definition, options);
  const isKnown = (permission: string): boolean => before.required.has(permission) || before.optional.has(permission);
  const added = [
    ...[...after.required].map(([permission, steps]) => ({ permission, steps })),
    ...[...after.optional].map((permission) => ({ permission, steps: [] })),
  ].filter(({ permission }) => !isKnown(permission));
  const wrong = added.map(({ permission, steps }) =>
    steps.length === 0
      ? `The change may need the permission ${permission}, which the published version does not.`
      : `The change needs the permission ${permission} at ${steps.join(", ")}, which the published version does not.`,
  );
  const open = after.computed.filter((step) => !before.computed.includes(step));
  return before.computed.length > 0 || open.length === 0
    ? wrong
    : [...wrong, `What ${open.join(", ")} needs is known in the run only; the published version has no such step.`];
}
