import {
  type Decision,
  type Json,
  type JsonObject,
  type ListParams,
  notFound,
  OvenError,
  type Principal,
  type Review,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { listRows, violationsOf, visibleTo } from "@oven/module-registry";
import { and, desc, eq, inArray } from "drizzle-orm";
import { familyOf, type RunKinds } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import { reviews } from "../tables/shared-run-tables.ts";
import { type ReviewRow, toReview } from "./review-row.ts";

interface Deps {
  db: Database;
  kinds: RunKinds;
  store: SqlStore;
  wake(executionId: number): Promise<void>;
}

/** What people are asked. A review is decided once, by compare-and-set, and bound to the digest of what was shown. */
export class ReviewService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Review[]; total: number }> {
    const { id, executionId, executionKind, workflowId, status, nodeId, tool, dueAt, decidedBy, decidedAt, createdAt } =
      reviews;
    const fields = {
      id,
      executionId,
      executionKind,
      workflowId,
      status,
      nodeId,
      tool,
      dueAt,
      decidedBy,
      decidedAt,
      createdAt,
    };
    const listing = { table: reviews, fields, search: [reviews.title, reviews.workflowName], tenant: reviews.tenantId };
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, listing);
    return { rows: await this.#named(rows), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Review> {
    const [review] = await this.#named([await this.#row(principal, id)]);
    if (review === undefined) throw notFound("review", id);
    return review;
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
    return this.#named(rows);
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
      const review = await this.#row(principal, decision.reviewId);
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
    throw this.#decided(newest);
  }

  /**
   * Decides a review once. What is approved is what was shown; what an edit changed is what runs.
   * @throws OvenError REVIEW_DECIDED 409, REVIEW_CHANGED 409, ACTION_UNKNOWN 400, REASON_REQUIRED 400, INVALID_EDIT 400
   */
  async decide(principal: Principal, id: number, decision: Decision): Promise<Review> {
    const review = await this.#row(principal, id);
    if (review.status !== "open") throw this.#decided(review);
    if (decision.digest !== undefined && decision.digest !== review.digest) {
      throw new OvenError("REVIEW_CHANGED", "What you were shown is not what this review is about", {
        status: 409,
        path: "$.digest",
        fix: "Load the review again and decide on what it shows now.",
        details: { digest: review.digest },
      });
    }
    const data = checkDecision(review, decision);
    const decidedAt = new Date().toISOString();
    const stored = {
      action: decision.action,
      data,
      reason: decision.reason?.trim() || null,
      reviewer: principal.userId,
      decidedAt,
    };
    if (!(await this.#deps.store.decide(id, stored))) throw this.#decided(await this.#row(principal, id));
    await this.#deps.wake(review.executionId);
    return this.get(principal, id);
  }

  async #row(principal: Principal, id: number): Promise<ReviewRow> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(reviews)
      .where(and(visibleTo(principal, reviews.tenantId), eq(reviews.id, id)));
    if (row === undefined) throw notFound("review", id);
    return row;
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

  #decided(review: ReviewRow): OvenError {
    const { status, action, reason, decidedBy, decidedAt } = review;
    const what = status === "decided" ? `decided: ${action}` : status;
    return new OvenError("REVIEW_DECIDED", `This review was ${what} already`, {
      status: 409,
      fix: "Nothing is left to do here; the run shows what followed.",
      details: { decision: { status, action, reason, decidedBy, decidedAt: decidedAt?.toISOString() ?? null } },
    });
  }

  async #named(rows: readonly ReviewRow[]): Promise<Review[]> {
    const ids = [...new Set(rows.flatMap(({ decidedBy }) => (decidedBy === null ? [] : [decidedBy])))];
    const names =
      ids.length === 0
        ? []
        : await this.#deps.db.query<{ id: number; name: string }>(
            "select id, name from users where id = any($1::bigint[])",
            [ids],
          );
    const byId = new Map(names.map(({ id, name }) => [id, name]));
    return rows.map((row) => toReview(row, row.decidedBy === null ? null : (byId.get(row.decidedBy) ?? null)));
  }
}

/** What the decision hands on: the proposal as shown, or as edited. */
function checkDecision(review: ReviewRow, decision: Decision): Json {
  if (!review.actions.includes(decision.action)) {
    throw new OvenError("ACTION_UNKNOWN", `This review does not offer ${decision.action}`, {
      path: "$.action",
      fix: `Use one of ${review.actions.join(", ")}.`,
    });
  }
  if (decision.action === "reject" && (decision.reason ?? "").trim() === "") {
    throw new OvenError("REASON_REQUIRED", "A rejection needs a reason", { path: "$.reason", fix: "Say why." });
  }
  if (decision.action === "approve") return review.proposal;
  // A step that a crash left open: its output can only come from the person.
  if (decision.action === "supply" && decision.data === undefined) {
    throw new OvenError("INVALID_EDIT", "Supplying the step's output needs the output", {
      path: "$.data",
      fix: "Send what the step answered as data, or choose rerun or fail.",
    });
  }
  if (decision.action === "edit" && decision.data === undefined) {
    throw new OvenError("INVALID_EDIT", "An edit needs the edited proposal", {
      path: "$.data",
      fix: "Send it as data.",
    });
  }
  if (decision.data === undefined && decision.action !== "submit") return review.proposal;
  const data = decision.data ?? review.proposal;
  const [first] = review.schema === null ? [] : violationsOf(review.schema as JsonObject, data, "$.data");
  if (first !== undefined) {
    throw new OvenError("INVALID_EDIT", `${first.path}: ${first.message}`, {
      path: first.path,
      fix: "Edit it to fit the review's schema.",
    });
  }
  return data;
}
