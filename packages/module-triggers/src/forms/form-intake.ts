import { createHash } from "node:crypto";
import { type DataSchema, mayUseWorkflow, OvenError } from "@oven/contract";
import type { FormAnswer, FormSubmission, PublicForm } from "@oven/contract/trigger";
import type { Workflow } from "@oven/contract/workflow";
import type { Clock } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import type { DeliveryIntake } from "../deliveries/delivery-intake.ts";
import { triggerDisabled } from "../deliveries/trigger-disabled.ts";
import type { TriggerStarter } from "../deliveries/trigger-starter.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { type FormConfig, FormConfigSchema } from "./form-config.ts";
import { toFormFields } from "./form-fields.ts";
import { requireFitting } from "./require-fitting.ts";

export interface FormIntakeDeps {
  services: ServiceMap;
  triggers: TriggerService;
  starter: TriggerStarter;
  intake: DeliveryIntake;
  clock: Clock;
}

/** Forms that strangers fill in. */
export class FormIntake {
  readonly #deps: FormIntakeDeps;

  constructor(deps: FormIntakeDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND */
  async show(token: string): Promise<PublicForm> {
    const { trigger, config, workflow } = await this.#find(token);
    const { title, description, submitLabel, order } = config;
    return {
      title: title ?? trigger.name,
      description: description ?? null,
      submitLabel,
      open: workflow !== undefined,
      fields: workflow === undefined ? [] : toFormFields(workflow.definition.payloadSchema, order),
    };
  }

  /** The schema of the values that a form takes. @throws OvenError NOT_FOUND */
  async dataSchema(token: string): Promise<DataSchema> {
    const { workflow } = await this.#find(token);
    return { at: ["values"], schema: workflow?.definition.payloadSchema };
  }

  /** @throws OvenError NOT_FOUND, TRIGGER_DISABLED 409, INVALID_INPUT 400 with a problem per field, TOO_MANY_REQUESTS and TOO_MANY_RUNS 429 */
  async submit(
    token: string,
    { submission, values, website }: FormSubmission,
    address: string | undefined,
  ): Promise<FormAnswer> {
    const { services, intake, clock } = this.#deps;
    const { trigger, config, workflow } = await this.#find(token);
    await services.requestLimits?.admitStranger(address, `form ${trigger.id}`);
    const now = await clock();
    const answer = { message: config.thanks, redirect: config.redirectUrl ?? null };
    if (workflow === undefined) {
      const reason = "TRIGGER_DISABLED: The form was sent while it was closed";
      await intake.refuse(trigger, { decision: "skipped", reason, payload: {} }, now);
      throw triggerDisabled();
    }
    if (website !== "") {
      // A program is told what people are told, so that it learns nothing.
      await intake.refuse(
        trigger,
        { decision: "refused", reason: "A field was filled in that people do not see", payload: {} },
        now,
      );
      return answer;
    }
    requireFitting(workflow.definition.payloadSchema, values);
    const payload = services.secrets.redact(trigger.tenantId, values);
    const bodyHash = createHash("sha256").update(JSON.stringify(values)).digest("hex");
    const { delivery } = await intake.deliver(trigger, { payload, key: `form:${submission}`, bodyHash }, now);
    if (delivery.decision === "refused" || delivery.decision === "failed") throw unusable(delivery.id);
    return answer;
  }

  /** The workflow is absent when the form is closed: it, its trigger or whoever saved it cannot start runs just now. */
  async #find(token: string): Promise<{ trigger: TriggerRow; config: FormConfig; workflow: Workflow | undefined }> {
    const { triggers, starter, services } = this.#deps;
    const trigger = await triggers.ofToken("form", token);
    if (trigger === undefined) throw new OvenError("NOT_FOUND", "There is no form at this address", { status: 404 });
    const config = FormConfigSchema.parse(trigger.config);
    const { targetKind, workflowId } = trigger;
    const principal = trigger.enabled ? await starter.principalOf(trigger) : "closed";
    if (typeof principal === "string" || !mayUseWorkflow(principal, targetKind, workflowId))
      return { trigger, config, workflow: undefined };
    const workflow = await services.workflowPlatform.face(targetKind).workflows.get(principal, String(workflowId));
    return { trigger, config, workflow: workflow.enabled ? workflow : undefined };
  }
}

function unusable(deliveryId: number): OvenError {
  return new OvenError("DELIVERY_REFUSED", "The payload was rejected", {
    status: 422,
    fix: "Whoever made the form sees the reason in its log of deliveries.",
    details: { deliveryId },
  });
}
