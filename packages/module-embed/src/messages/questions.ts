import { getOwn, type Json, OvenError, type Principal } from "@oven/contract";
import type { DecideEmbedQuestion, EmbedQuestion } from "@oven/contract/embed";
import type { Review } from "@oven/contract/review";
import type { FormField } from "@oven/contract/trigger";
import { isObject } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import { requireFitting, toFormFields } from "@oven/module-triggers";

/**
 * What a visitor may answer of what a run waits for: a review or a request for input without assignees, of the run itself, that releases
 * no call of a tool. All others are for the people of the installation, and a visitor reads nothing of them.
 */
export class Questions {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  async of(principal: Principal, executionId: number): Promise<EmbedQuestion[]> {
    return (await this.#open(principal, executionId)).map((review) => {
      const { id, title, proposal, context, digest } = review;
      const fields = isYesOrNo(review) ? null : fieldsOf(review);
      return { id, title, text: toText(fields === null ? proposal : context), fields, digest };
    });
  }

  /**
   * Decides in the name of the person who saved the embed; the reason says that a visitor did.
   * @throws OvenError NOT_FOUND, INVALID_INPUT with a problem for each field, and as deciding a review does
   */
  async decide(principal: Principal, executionId: number, decision: DecideEmbedQuestion, by: string): Promise<void> {
    const { question, action, digest } = decision;
    const review = (await this.#open(principal, executionId)).find(({ id }) => id === question);
    if (review === undefined) throw new OvenError("NOT_FOUND", "There is no such question", { status: 404 });
    if (isYesOrNo(review) !== (action !== "submit"))
      throw new OvenError("ACTION_UNKNOWN", `This question does not offer ${action}`, {
        path: "$.action",
        fix: isYesOrNo(review) ? "Use approve or reject." : "Use submit.",
      });
    if (action === "submit") requireFitting(review.schema ?? undefined, decision.data);
    const { reviews } = this.#services.workflowPlatform;
    const data = action === "submit" ? { data: decision.data } : {};
    await reviews.decide(principal, question, { action, digest, reason: by, ...data });
  }

  async #open(principal: Principal, executionId: number): Promise<Review[]> {
    const reviews = await this.#services.workflowPlatform.reviews.open(principal, executionId);
    return reviews.filter(
      (review) =>
        review.executionId === executionId &&
        review.mayDecide &&
        review.tool === null &&
        review.assignees.length === 0 &&
        review.stages.length === 0 &&
        (isYesOrNo(review) || (review.actions.includes("submit") && fieldsOf(review).length > 0)),
    );
  }
}

function isYesOrNo({ actions }: Review): boolean {
  return actions.includes("approve") && actions.includes("reject");
}

/** The fields of a form, filled in with what is proposed for them. */
function fieldsOf({ schema, proposal }: Review): FormField[] {
  return toFormFields(schema ?? undefined).map((field) => {
    const initial = isObject(proposal) ? getOwn(proposal, field.name) : undefined;
    return initial === undefined ? field : { ...field, initial };
  });
}

function toText(value: Json): string | null {
  return typeof value === "string" ? value : null;
}
