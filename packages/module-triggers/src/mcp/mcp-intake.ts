import { createHash } from "node:crypto";
import { type JsonObject, mayUseWorkflow, notFound, OvenError, type Principal, toActor, toSlug } from "@oven/contract";
import type { TriggerDelivery } from "@oven/contract/trigger";
import type { Clock, Database } from "@oven/db";
import { violationsOf } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import {
  createRunMcpServer,
  idempotencyKeyOf,
  type McpOffer,
  runInstructions,
  type ServerUse,
  toToolName,
  withFollowing,
} from "@oven/module-workflows";
import type { DeliveryIntake } from "../deliveries/delivery-intake.ts";
import { triggerDisabled } from "../deliveries/trigger-disabled.ts";
import type { TriggerStarter } from "../deliveries/trigger-starter.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { McpConfigSchema } from "./mcp-config.ts";

export interface McpIntakeDeps {
  db: Database;
  services: ServiceMap;
  triggers: TriggerService;
  starter: TriggerStarter;
  intake: DeliveryIntake;
  clock: Clock;
  publicUrl: string;
  signingKey: Uint8Array;
}

type Tools = ReturnType<typeof withFollowing>;

/** Tools that clients of MCP call. Each call is a delivery: written down first, then decided like anything that arrives. */
export class McpIntake {
  readonly #deps: McpIntakeDeps;

  constructor(deps: McpIntakeDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, also for triggers of other kinds */
  async open(principal: Principal, id: number, request: Request): Promise<McpOffer> {
    const { triggers, services, publicUrl, signingKey } = this.#deps;
    const trigger = await triggers.row(principal, id);
    const { type, targetKind, workflowId, name } = trigger;
    if (type !== "mcp" || !mayUseWorkflow(principal, targetKind, workflowId)) throw notFound("MCP trigger", id);
    const tools = await this.#tools(trigger);
    const tool = tools[0]?.name ?? name;
    const platform = services.workflowPlatform;
    const caller = callerOf(principal);
    const deps = {
      runs: platform.face(targetKind).runs,
      reviews: platform.reviews,
      services,
      publicUrl,
      signingKey,
      isOwn: (executionId: number) => this.#isOwn(trigger, caller, executionId),
    };
    const shown = { name: `oven-trigger-${id}`, title: name, instructions: runInstructions(tool, name), tools };
    const createServer = ({ modern = false, views, isEnded }: ServerUse) =>
      createRunMcpServer(
        { ...shown, checksInput: true, modern, views },
        principal,
        { ...deps, ...(isEnded && { isEnded }) },
        async (input, { mcpReq }) => {
          const key = idempotencyKeyOf(mcpReq._meta, request);
          return this.#call(trigger, tools, input, { key: `${caller}${key}`, firedBy: principal.userId });
        },
      );
    const inputSchema = (called: string) => tools.find(({ name: known }) => known === called)?.inputSchema;
    return { createServer, inputSchema, revision: JSON.stringify(tools) };
  }

  /** @returns the run that came of the call */
  async #call(
    trigger: TriggerRow,
    [tool]: Tools,
    input: JsonObject,
    from: { key: string; firedBy: number | null },
  ): Promise<number> {
    const { services, intake, clock } = this.#deps;
    const now = await clock();
    const refusal = trigger.enabled ? invalidInput(tool?.inputSchema ?? {}, input) : triggerDisabled();
    if (refusal !== undefined) {
      const decision = trigger.enabled ? "refused" : "skipped";
      const reason = `${refusal.code}: ${refusal.message}`;
      await intake.refuse(trigger, { decision, reason, payload: {} }, now);
      throw refusal;
    }
    const payload = services.secrets.redact(trigger.tenantId, input);
    const bodyHash = createHash("sha256").update(JSON.stringify(input)).digest("hex");
    const { delivery } = await intake.deliver(trigger, { payload, ...from, bodyHash }, now);
    if (delivery.executionId === null) throw notStarted(delivery);
    return delivery.executionId;
  }

  /** The schemas are those of the workflow that it starts, as whoever saved the trigger may see it. */
  async #tools(trigger: TriggerRow): Promise<Tools> {
    const { starter, services } = this.#deps;
    const { targetKind, workflowId, name, input } = trigger;
    const { tool, description, inputSchema } = McpConfigSchema.parse(trigger.config);
    const owner = await starter.principalOf(trigger);
    const workflow =
      typeof owner === "string" || !mayUseWorkflow(owner, targetKind, workflowId)
        ? undefined
        : await services.workflowPlatform.face(targetKind).workflows.get(owner, String(workflowId));
    const { payloadSchema, outputSchema } = workflow?.definition ?? {};
    return withFollowing({
      name: tool ?? toToolName(toSlug(name)),
      title: name,
      about: description ?? workflow?.description ?? `Runs ${workflow?.name ?? name}.`,
      inputSchema: inputSchema ?? (input === null ? payloadSchema : undefined),
      outputSchema,
    });
  }

  /** Runs of triggers are in the name of whoever saved them; that a client began one, its delivery says. */
  async #isOwn({ id }: TriggerRow, caller: string, executionId: number): Promise<boolean> {
    const rows = await this.#deps.db.query(
      "select 1 from trigger_deliveries where trigger_id = $1 and execution_id = $2 and starts_with(key, $3)",
      [id, executionId, caller],
      "trigger-mcp-own",
    );
    return rows.length > 0;
  }
}

/** Two clients may use the same idempotency key. */
function callerOf(principal: Principal): string {
  const { kind, id } = toActor(principal);
  return `mcp:${kind}:${id}:`;
}

function invalidInput(schema: JsonObject, input: JsonObject): OvenError | undefined {
  const [first, ...more] = violationsOf(schema, input, "$");
  if (first === undefined) return undefined;
  const problems = [first, ...more].map(({ path, message }) => ({ path, message }));
  return new OvenError("INVALID_INPUT", `${first.path}: ${first.message}`, {
    path: first.path,
    fix: "Call it with arguments that fit its inputSchema.",
    details: { problems },
  });
}

function notStarted({ id, decision, reason }: TriggerDelivery): OvenError {
  const isWaiting = decision === "queued" || decision === "received" || decision === "held";
  return new OvenError("DELIVERY_NOT_STARTED", `No run was started: ${reason ?? "it is not decided yet"}`, {
    status: isWaiting ? 429 : 409,
    fix: isWaiting
      ? "It is kept, and starts later: call again with the same idempotency key and arguments to get its run."
      : "See the delivery in the trigger's log.",
    retryable: isWaiting,
    details: { deliveryId: id, decision },
  });
}
