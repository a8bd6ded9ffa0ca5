import type { Principal } from "@oven/contract";
import type { ChainSchedule } from "@oven/contract/formats/chains.ts";
import type { SchedulePreview } from "@oven/contract/trigger";
import { requirePermission } from "@oven/module-registry";
import type { ChainDeps } from "./chain-compiler.ts";
import type { ChainRow, NewChainRow } from "./chain-store.ts";

/** The trigger of a chain: the only thing that is ever scheduled for it. */
export class ChainSchedules {
  readonly #deps: ChainDeps;

  constructor(deps: ChainDeps) {
    this.#deps = deps;
  }

  /** The zone of a schedule that names none: the user's, else the installation's. */
  async zoneOf(principal: Principal): Promise<string> {
    const { services, store } = this.#deps;
    const own = await store.zoneOf({ tenantId: principal.tenantId, userId: principal.userId ?? 0 });
    if (own !== undefined) return own;
    const { value } = await services.config.resolve({
      module: "module-workflow-formats",
      key: "CHAIN_TIMEZONE",
      tenantId: principal.tenantId,
    });
    return String(value);
  }

  /** What a row holds of a schedule. */
  columns(
    { schedule_type: scheduleType, misfire, overlap }: ChainSchedule,
    timezone: string,
    preview: SchedulePreview | null,
  ): Pick<NewChainRow, "scheduleType" | "scheduleTime" | "cronExpression" | "timezone" | "misfire" | "overlap"> {
    const at = preview?.at ?? null;
    return {
      ...{ scheduleType, timezone, misfire, overlap },
      scheduleTime: at === null ? null : new Date(at),
      cronExpression: preview?.cron ?? null,
    };
  }

  /** In place of the trigger it had. Returns the new one's id; null: it has no schedule. */
  async replace(principal: Principal, row: ChainRow): Promise<number | null> {
    const { rows } = this.#deps.services.triggers;
    await this.drop(principal, row);
    const { scheduleTime, cronExpression, timezone, misfire, overlap, status, name, agentWorkflowId } = row;
    if (scheduleTime === null && cronExpression === null) return null;
    requirePermission(principal, "triggers.create");
    const { id } = await rows.create(principal, {
      type: "schedule",
      name: name.slice(0, 200),
      target: { kind: "agent-workflow", workflowId: agentWorkflowId },
      enabled: status === "active",
      config: {
        timezone,
        misfire,
        ...(cronExpression === null ? { at: scheduleTime?.toISOString() ?? "" } : { cron: cronExpression }),
      },
      filter: null,
      shaping: null,
      input: {},
      overlap,
      overlapCountsPaused: true,
    });
    return id;
  }

  async drop(principal: Principal, { triggerId }: ChainRow): Promise<void> {
    if (triggerId === null) return;
    requirePermission(principal, "triggers.delete");
    await this.#deps.services.triggers.rows.delete(principal, triggerId);
  }

  /** What never fires while its chain is paused or archived. */
  async enable(principal: Principal, { triggerId }: ChainRow, enabled: boolean): Promise<void> {
    if (triggerId === null) return;
    requirePermission(principal, "triggers.update");
    await this.#deps.services.triggers.rows.update(principal, triggerId, { enabled });
  }
}
