import type { Review, ReviewVote } from "@oven/contract/review";
import type { Database } from "@oven/db";
import { and, asc, eq, inArray } from "@oven/db/drizzle";
import { namesOfUsers } from "../persons/names-of-users.ts";
import type { PolicyTool } from "../policies/graph-facts.ts";
import { reviews, reviewVotes } from "../tables/shared-run-tables.ts";
import { type ReviewRow, toReview } from "./review-row.ts";
import { type Reviewer, refusalOf } from "./reviewer.ts";

/** Finds a tool by its id. */
export type ToolOf = (id: string, tenantId: number) => PolicyTool | undefined;

/** The rows as this person sees them: with names, what others said, and whether they may decide. */
export async function showReviews(
  { db, toolOf }: { db: Database; toolOf: ToolOf },
  reviewer: Reviewer,
  rows: readonly ReviewRow[],
): Promise<Review[]> {
  const votes = await votesOn(db, rows);
  const people = [
    ...rows.flatMap(({ decidedBy, requestedBy }) => [decidedBy ?? [], requestedBy ?? []].flat()),
    ...votes.map(({ userId }) => userId),
  ];
  const nameOf = await namesOfUsers(db, people);
  return rows.map((row) => {
    const said = votes
      .filter(({ reviewId }) => reviewId === row.id)
      .map(({ userId, stage, action, reason, createdAt }): ReviewVote => {
        return { userId, userName: nameOf.get(userId) ?? null, stage, action, reason, at: createdAt.toISOString() };
      });
    const voted = said.some(({ userId }) => userId === reviewer.userId);
    const mayDecide = row.status === "open" && reviewer.decides && !voted && refusalOf(row, reviewer) === undefined;
    const nameOfUser = (id: number | null): string | null => (id === null ? null : (nameOf.get(id) ?? null));
    const names = { decidedByName: nameOfUser(row.decidedBy), requestedByName: nameOfUser(row.requestedBy) };
    return toReview(row, { ...names, votes: said, mayDecide, risk: riskOf(row, toolOf) });
  });
}

function riskOf({ tool: id, tenantId }: ReviewRow, toolOf: ToolOf): Review["risk"] {
  const tool = id === null ? undefined : toolOf(id, tenantId);
  return tool === undefined ? null : { effect: tool.effect, tags: [...tool.tags] };
}

/** Votes about the current proposal, by review. */
async function votesOn({ orm }: Database, rows: readonly ReviewRow[]) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await orm
    .select({ vote: reviewVotes })
    .from(reviewVotes)
    .innerJoin(reviews, and(eq(reviews.id, reviewVotes.reviewId), eq(reviews.round, reviewVotes.round)))
    .where(inArray(reviewVotes.reviewId, ids))
    .orderBy(asc(reviewVotes.id));
  return found.map(({ vote }) => vote);
}
