import { intersectPermissions, isGranted } from "@oven/contract";
import type { Examiner } from "./examiner.ts";
import { permissionsOf, publishedBy, publisherOf } from "./find-workflows.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";
import type { StoredTrigger } from "./read-triggers.ts";

/** Triggers that start nothing, whose runs are refused at steps, or that have lent more than the version of their workflow may do. */
export async function findTriggers(
  examiner: Examiner,
  workflows: readonly PublishedWorkflow[],
  triggers: readonly StoredTrigger[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const trigger of triggers) {
    const { id, name, tenantId, targetKind, workflowId } = trigger;
    const workflow = workflows.find((one) => one.kind === targetKind && one.id === workflowId);
    const add = (problem: string, fix: string) =>
      findings.push({ ...{ group: "triggers", tenantId, kind: "trigger", id, name }, problem, fix });
    if (workflow === undefined) {
      add(
        `it starts nothing: ${targetKind.replace("-", " ")} ${workflowId} is gone`,
        "Delete it, or give it another workflow.",
      );
      continue;
    }
    if (!workflow.enabled) {
      add(`it starts nothing: ${workflow.name} is switched off`, "Switch it off as well, or the workflow on.");
      continue;
    }
    if (trigger.problem !== null)
      add(`each of its firings is refused: ${trigger.problem}`, "Save it with inputs that its workflow takes.");
    const { who, permissions } = saverOf(trigger);
    const again = `Let a person who may run ${workflow.name} save the trigger again, or switch it off.`;
    if (permissions === undefined) {
      add(`it starts nothing, for ${who}, is disabled or gone`, again);
      continue;
    }
    if (!isGranted(permissions, `${targetKind}s.execute`)) {
      add(`it starts nothing, for ${who}, lacks the permission ${targetKind}s.execute`, again);
      continue;
    }
    const ofSaver = await examiner.missing(workflow, permissions);
    if (ofSaver.length > 0)
      add(
        `runs of ${workflow.name} are refused at steps, for ${who}, lacks ${permissionsOf(ofSaver)}`,
        "Let a person who has these permissions save the trigger again.",
      );
    if (trigger.saverId === workflow.publisherId) continue;
    const lost = (await examiner.missing(workflow, workflow.granted)).filter(({ permission }) =>
      isGranted(permissions, permission),
    );
    if (lost.length > 0)
      add(
        `runs of ${workflow.name} had rights of ${who}, that version ${workflow.version}, published by ${publisherOf(workflow)}, lacks: ${permissionsOf(lost)}`,
        publishedBy(lost).replace("look at it", `look at ${workflow.name}`),
      );
  }
  return findings;
}

/** Triggers of earlier versions: with which credentials they were saved was not written down. */
export function noteOnTriggers(triggers: readonly StoredTrigger[]): string[] {
  const count = triggers.filter(({ isOld, permissions }) => isOld && permissions !== null).length;
  if (count === 0) return [];
  return [
    `${count === 1 ? "One trigger was" : `${count} triggers were`} saved by an earlier version, which did not write down whether a person or an API key did. They have the rights of the user who saved them; save a trigger again with the key to give it the scopes of the key.`,
  ];
}

function saverOf({ saver, keyId, permissions, granted, scopes }: StoredTrigger) {
  const user = saver ?? "a user";
  if (keyId === null)
    return {
      who: `${user}, who saved it`,
      permissions: permissions === null ? undefined : intersectPermissions(granted, permissions),
    };
  const who = `API key ${keyId} of ${user}, which saved it`;
  if (permissions === null || scopes === null) return { who, permissions: undefined };
  return { who, permissions: intersectPermissions(intersectPermissions(granted, scopes), permissions) };
}
