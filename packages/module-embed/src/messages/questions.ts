import { OvenError, type Principal } from "@oven/contract";
import type { DecideEmbedQuestion, EmbedQuestion } from "@oven/contract/embed";
import type { Review } from "@oven/contract/review";
import type { ServiceMap } from "@oven/module-registry";

/**
 * What a visitor may answer of what a run waits for: a question without assignees, of the run itself, that releases no
 * call of a tool. All others are for the people of the installation, and a visitor reads nothing of them.
 */
export class Questions {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  async of(principal: Principal, executionId: number): Promise<EmbedQuestion[]> {
    return (await this.#open(principal, executionId)).map(({ id, title, proposal, digest }) => ({
      id,
      title,
      text: typeof proposal === "string" ? proposal : null,
      digest,
    }));
  }

  /**
   * Decides in the name of the person who saved the embed; the reason says that a visitor did.
   * @throws OvenError NOT_FOUND, and as deciding a review does
   */
  async decide(
    principal: Principal,
    executionId: number,
    { question, action, digest }: DecideEmbedQuestion,
    by: string,
  ): Promise<void> {
    const open = await this.#open(principal, executionId);
    if (!open.some(({ id }) => id === question))
      throw new OvenError("NOT_FOUND", "There is no such question", { status: 404 });
    await this.#services.workflowPlatform.reviews.decide(principal, question, { action, digest, reason: by });
  }

  async #open(principal: Principal, executionId: number): Promise<Review[]> {
    const reviews = await this.#services.workflowPlatform.reviews.open(principal, executionId);
    return reviews.filter(
      ({ executionId: run, assignees, stages, tool, mayDecide, actions }) =>
        run === executionId &&
        mayDecide &&
        tool === null &&
        assignees.length === 0 &&
        stages.length === 0 &&
        actions.includes("approve") &&
        actions.includes("reject"),
    );
  }
}
