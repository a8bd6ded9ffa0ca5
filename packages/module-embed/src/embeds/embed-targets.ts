import { intersectPermissions, type Json, type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { ChatTarget } from "@oven/contract/agent";
import type { EmbedSettings } from "@oven/contract/embed";
import type { FormField } from "@oven/contract/trigger";
import type { Workflow } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
// What they put into `services`.
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-chat";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-roles";
import { toFormFields } from "@oven/module-triggers";
import type { EmbedRow } from "./embed-row.ts";

type Shown = Pick<EmbedSettings, "mode" | "target" | "input">;

/** What embeds show, and in whose name it runs. */
export class EmbedTargets {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /**
   * The principal that an embed's runs are started as: the one that saved it, with what it might do then and still may.
   * @returns undefined: there is none any more
   */
  async principalOf({ runsAs, runsWithKey, runsWithApp, granted, tenantId }: EmbedRow): Promise<Principal | undefined> {
    const { access } = this.#services;
    const saver =
      runsWithKey !== null
        ? await access.findKey(runsWithKey, tenantId)
        : runsWithApp === null
          ? await access.findPrincipal(runsAs, tenantId)
          : await access.findApp(runsAs, runsWithApp, tenantId);
    if (saver === undefined) return undefined;
    const { keyId, ...bounds } = saver;
    const permissions = intersectPermissions(granted, saver.permissions);
    return { ...bounds, kind: "user", permissions, ...(keyId === undefined ? {} : { through: { keyId } }) };
  }

  /** @throws OvenError FORBIDDEN, NOT_FOUND, INVALID_INPUT where it cannot be shown so, AGENT_DISABLED and WORKFLOW_DISABLED 409 */
  async require(principal: Principal, shown: Shown): Promise<void> {
    if (shown.mode === "form") await this.formOf(principal, shown);
    else await this.chatOf(principal, shown);
  }

  /** @throws OvenError as `require` */
  async chatOf(principal: Principal, { target, input }: Shown): Promise<ChatTarget> {
    const { asks, agents, workflowPlatform } = this.#services;
    const found = await asks.target(principal, target.kind, String(target.id), input);
    const [kind, id] =
      target.kind === "agent"
        ? (["agent-workflow", (await agents.get(principal, String(target.id))).runsWorkflowId] as const)
        : [target.kind, target.id];
    const { definition } = await workflowPlatform.face(kind).workflows.get(principal, String(id));
    refuseMemoryOfUsers(definition);
    return found;
  }

  /** @throws OvenError as `require` */
  async formOf(principal: Principal, { target }: Shown): Promise<{ workflow: Workflow; fields: FormField[] }> {
    if (target.kind === "agent")
      throw new OvenError("INVALID_INPUT", "An agent takes messages, not a form", {
        path: "$.mode",
        fix: "Choose a workflow, or the mode `chat`.",
      });
    requirePermission(principal, `${target.kind}s.execute`);
    const { workflows } = this.#services.workflowPlatform.face(target.kind);
    const workflow = await workflows.get(principal, String(target.id));
    if (!workflow.enabled)
      throw new OvenError("WORKFLOW_DISABLED", `${workflow.name} is disabled`, {
        status: 409,
        fix: "Enable it first.",
      });
    refuseMemoryOfUsers(workflow.definition);
    const fields = toFormFields(workflow.definition.payloadSchema);
    if (fields.length > 0) return { workflow, fields };
    throw new OvenError("INVALID_INPUT", `${workflow.name} names no fields of its input`, {
      path: "$.mode",
      fix: "Give it a payload schema with properties.",
    });
  }
}

/**
 * All visitors' runs have one user, so that a memory of each user would be one of all visitors.
 * @throws OvenError INVALID_INPUT
 */
function refuseMemoryOfUsers(definition: JsonObject): void {
  const isOfUsers = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(isOfUsers);
    if (!isObject(value)) return false;
    if (value.scope === "agent+user" && value.enabled !== false) return true;
    return Object.values(value).some((one) => one !== undefined && isOfUsers(one));
  };
  if (!isOfUsers(definition)) return;
  throw new OvenError("INVALID_INPUT", "It remembers each user apart, and the runs of all visitors have one user", {
    path: "$.target",
    fix: "Switch its memory off, or let everybody share it.",
  });
}
