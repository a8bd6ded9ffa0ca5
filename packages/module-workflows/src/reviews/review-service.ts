import { setImmediate } from "node:timers/promises";
import {
  type DataSchema,
  isOvenError,
  type JsonObject,
  type ListParams,
  notFound,
  OvenError,
  type Principal,
  type Problem,
} from "@oven/contract";
import type {
  BatchDecided,
  BatchDecision,
  Decision,
  Delegation,
  ReleasedToolCall,
  Review,
  ReviewComment,
  TriedCondition,
  TryCondition,
} from "@oven/contract/review";
import type { Database } from "@oven/db";
import { and, desc, eq, inArray, sql } from "@oven/db/drizzle";
import { requireCondition } from "@oven/engine";
import { invalidListQuery, listRows, type Releases, visibleTo } from "@oven/module-registry";
import { familyOf, type RunKinds } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { Reservation } from "../runtime/worker-host.ts";
import { reviews } from "../tables/shared-run-tables.ts";
import { decidedError, requireOpen, requireSameShown } from "./check-decision.ts";
import { decideReview } from "./decide.ts";
import { decideWithCommit } from "./decide-with-commit.ts";
import { findReview } from "./find-review.ts";
import { isMine } from "./is-mine.ts";
import { isReleased } from "./is-released.ts";
import { checkAssignees } from "./known-assignees.ts";
import { tryCondition } from "./past-proposals.ts";
import type { ReviewEventDeps } from "./review-event.ts";
import type { ReviewRow } from "./review-row.ts";
import { addComment, commentsOn, delegateReview } from "./review-talk.ts";
import { isRequester, reviewerOf } from "./reviewer.ts";
import { showReviews, type ToolOf } from "./show-reviews.ts";
import { type ReleasedPosition, useRelease } from "./use-release.ts";

interface Deps {
  db: Database;
  kinds: RunKinds;
  store: SqlStore;
  toolOf: ToolOf;
  events: ReviewEventDeps["events"];
  wake(executionId: number): Promise<void>;
  /** Takes a free place of this process's worker; undefined when it has none. */
  reserve(): Reservation | undefined;
}

/** What people are asked. A review is decided once, by compare-and-set, and bound to the digest of what was shown. */
export class ReviewService implements Releases {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * `filter.mine`: what asks the caller, by name, by role, or everybody; without what they have voted on or must not decide.
   * `filter.family`: of that run and of the runs inside it.
   */
  async list(principal: Principal, params: ListParams): Promise<{ rows: Review[]; total: number }> {
    const { id, executionId, executionKind, workflowId, status, nodeId, tool, digest } = reviews;
    const { dueAt, decidedBy, decidedAt, createdAt } = reviews;
    const dates = { dueAt, decidedAt, createdAt };
    const fields = { id, executionId, executionKind, workflowId, status, nodeId, tool, digest, decidedBy, ...dates };
    const listing = { table: reviews, fields, search: [reviews.title, reviews.workflowName], tenant: reviews.tenantId };
    const { mine, family, ...filter } = params.filter;
    const where = and(
      family === undefined ? undefined : inArray(executionId, await this.#familyOf(family)),
      mine === undefined ? undefined : isMine(await reviewerOf(this.#deps.db, principal), mine),
      principal.workflows === undefined
        ? undefined
        : inArray(sql`${reviews.executionKind} || ':' || ${reviews.workflowId}`, principal.workflows),
    );
    const asked = { ...params, filter };
    const { rows, total } = await listRows(this.#deps.db.orm, principal, asked, {
      ...listing,
      ...(where ? { where } : {}),
    });
    return { rows: await this.#shown(principal, rows), total };
  }

  /** @throws OvenError INVALID_LIST_QUERY */
  async #familyOf(family: unknown): Promise<number[]> {
    if (typeof family !== "number" || !Number.isSafeInteger(family))
      throw invalidListQuery("filter", "takes the id of a run for `family`");
    return familyOf(this.#deps.db, this.#deps.kinds.all(), family);
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Review> {
    const [review] = await this.#shown(principal, [await findReview(this.#deps.db, principal, id)]);
    if (review === undefined) throw notFound("review", id);
    return review;
  }

  /** @throws OvenError NOT_FOUND, REVIEW_DECIDED 409 unless it is open */
  async requireUndecided(principal: Principal, id: number): Promise<void> {
    requireOpen(await findReview(this.#deps.db, principal, id));
  }

  /** Whether the caller's own user asked for the run that the review is of. @throws OvenError NOT_FOUND */
  async isRequester(principal: Principal, id: number): Promise<boolean> {
    return isRequester(await findReview(this.#deps.db, principal, id), principal);
  }

  /** Roles and users that steps of a definition would ask and that the caller's tenant does not have. */
  async checkAssignees(principal: Principal, definition: JsonObject): Promise<Problem[]> {
    return checkAssignees(this.#deps.db, principal, definition);
  }

  /** The schema of what a decision hands on. @throws OvenError NOT_FOUND */
  async dataSchema(principal: Principal, id: number): Promise<DataSchema> {
    const { schema } = await findReview(this.#deps.db, principal, id);
    return { at: ["data"], schema: schema ?? undefined };
  }

  /** The open reviews of a run and of its children, oldest first. */
  async open(principal: Principal, executionId: number): Promise<Review[]> {
    const runs = await this.#family(executionId);
    const rows = await this.#deps.db.orm
      .select()
      .from(reviews)
      .where(
        and(visibleTo(principal, reviews.tenantId), inArray(reviews.executionId, runs), eq(reviews.status, "open")),
      )
      .orderBy(reviews.id);
    return this.#shown(principal, rows);
  }

  /** The run and everything below it. */
  #family(executionId: number): Promise<number[]> {
    return familyOf(this.#deps.db, this.#deps.kinds.all(), executionId);
  }

  /**
   * Which review of a run a decision is about.
   * @throws OvenError REVIEW_AMBIGUOUS 400, REVIEW_DECIDED 409, NOT_PAUSED 400
   */
  async findForRun(principal: Principal, executionId: number, decision: Decision): Promise<number> {
    if (decision.reviewId !== undefined) {
      const review = await findReview(this.#deps.db, principal, decision.reviewId);
      if (!(await this.#family(executionId)).includes(review.executionId)) throw notFound("review", decision.reviewId);
      return review.id;
    }
    const [first, ...others] = await this.open(principal, executionId);
    if (first !== undefined && others.length > 0) {
      throw new OvenError("REVIEW_AMBIGUOUS", `Execution ${executionId} waits for ${others.length + 1} reviews`, {
        fix: "Name one as reviewId.",
        details: { reviews: [first, ...others].map(({ id, title, nodeId }) => ({ id, title, nodeId })) },
      });
    }
    if (first !== undefined) return first.id;
    const newest = await this.#newest(principal, executionId);
    if (newest === undefined) {
      throw new OvenError("NOT_PAUSED", `Execution ${executionId} does not wait for a decision`, {
        fix: "Only paused runs can be resumed.",
      });
    }
    throw decidedError(newest);
  }

  /**
   * Decides a review once, or is one of the votes that it needs. What is approved is what was shown; what an edit changed is
   * what runs.
   * @throws OvenError as `castVote`
   */
  async decide(principal: Principal, id: number, decision: Decision): Promise<Review> {
    const { review, reviewer } =
      (await decideWithCommit(this.#deps, principal, id, decision)) ??
      (await decideReview(this.#deps, principal, id, decision));
    // The run goes on first.
    await setImmediate();
    const [shown] = await showReviews(this.#deps, reviewer, [review]);
    if (shown === undefined) throw notFound("review", id);
    return shown;
  }

  /**
   * Applies one decision to several reviews that show the same proposal, title and context; the first is the one that was read.
   * The refusal of one is returned with its id; the others are decided.
   */
  async decideEqual(principal: Principal, { ids, ...decision }: BatchDecision): Promise<BatchDecided[]> {
    const decided: BatchDecided[] = [];
    let read: ReviewRow | undefined;
    for (const id of new Set(ids)) {
      try {
        const row = await findReview(this.#deps.db, principal, id);
        read ??= row;
        requireSameShown(row, read);
        decided.push({ id, review: await this.decide(principal, id, decision), error: null });
      } catch (error) {
        if (!isOvenError(error)) throw error;
        decided.push({ id, review: null, error: error.toBody().error });
      }
    }
    return decided;
  }

  /** What a condition for approvals would have done to past proposals. @throws OvenError INVALID_CONDITION 400 */
  async tryCondition(principal: Principal, body: TryCondition): Promise<TriedCondition> {
    requireCondition(body.when, "$.when");
    return tryCondition(this.#deps, principal, body);
  }

  /** @throws OvenError as `delegateReview` */
  async delegate(principal: Principal, id: number, delegation: Delegation): Promise<Review> {
    const { db, events, wake } = this.#deps;
    await findReview(db, principal, id);
    await wake(await delegateReview(this.#deps, principal, id, delegation));
    events.wake();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async comments(principal: Principal, id: number): Promise<ReviewComment[]> {
    await findReview(this.#deps.db, principal, id);
    return commentsOn(this.#deps.db, id);
  }

  /** @throws OvenError as `addComment` */
  async comment(principal: Principal, id: number, text: string): Promise<ReviewComment> {
    const { db, store } = this.#deps;
    await findReview(this.#deps.db, principal, id);
    const { commentId, executionId } = await addComment(db, store, principal, id, text);
    await this.#deps.wake(executionId);
    const comment = (await commentsOn(db, id)).find((one) => one.id === commentId);
    if (comment === undefined) throw notFound("comment", commentId);
    return comment;
  }

  /** Whether a review of this run, or of a run around it, has released exactly this call. */
  async isReleased(
    executionId: number,
    call: Pick<ReleasedToolCall, "tool" | "arguments" | "review">,
  ): Promise<boolean> {
    return isReleased(this.#deps.db, this.#deps.kinds, executionId, call);
  }

  /** Uses an approval up for one call. @returns false when another call has used it */
  async useRelease(reviewId: number, position: ReleasedPosition): Promise<boolean> {
    return useRelease(this.#deps.db, this.#deps.kinds, reviewId, position);
  }

  async use({ tool, arguments: args, tenantId, release, run }: Parameters<Releases["use"]>[0]): Promise<boolean> {
    const { executionId, nodeId, visit, item } = run;
    if (!(await this.isReleased(executionId, { tool, arguments: args, review: release }))) return false;
    return this.useRelease(release.id, { tenantId, executionId, nodeId, visit, item: item ?? "" });
  }

  async #newest(principal: Principal, executionId: number): Promise<ReviewRow | undefined> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(reviews)
      .where(and(visibleTo(principal, reviews.tenantId), inArray(reviews.executionId, await this.#family(executionId))))
      .orderBy(desc(reviews.id))
      .limit(1);
    return row;
  }

  async #shown(principal: Principal, rows: readonly ReviewRow[]): Promise<Review[]> {
    // Who has seen it may decide it next.
    for (const row of rows) if (row.status === "open") this.#deps.kinds.noteReview(row);
    return showReviews(this.#deps, await reviewerOf(this.#deps.db, principal), rows);
  }
}
