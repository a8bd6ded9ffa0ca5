import { isGranted, OvenError, type Principal } from "@oven/contract";
import { type ReviewPolicy, ReviewPolicySchema } from "@oven/contract/review";
import type { Queryable } from "@oven/db";
import type { ReviewRow } from "./review-row.ts";

/** A person with a review. A key stands for the person who made it. */
export interface Reviewer {
  userId: number | null;
  /** As assignees name them: `user:3`, `user:ada@example.com`, `role:lead`. */
  names: ReadonlySet<string>;
  /** Owner, admin, or the server itself. */
  isAdmin: boolean;
  /** Whether their permissions cover deciding at all. */
  decides: boolean;
  /** What the person, or the key that decides for them, may do. */
  permissions: readonly string[];
}

const ADMIN_ROLES = ["owner", "admin"];

export async function reviewerOf(db: Queryable, principal: Principal): Promise<Reviewer> {
  if (principal.userId === null) return toReviewer(principal, undefined);
  const { userId, tenantId } = principal;
  const [person] = await db.query<Person>(personQuery("$1", "$2"), [userId, tenantId], "reviewer");
  return toReviewer(principal, person);
}

export interface Person extends Record<string, unknown> {
  email: string;
  roles: string[];
}

/** @param userId, tenantId placeholders */
export function personQuery(userId: string, tenantId: string): string {
  return `select u.email, array(select r.role::text from user_roles r where r.user_id = u.id and r.tenant_id = ${tenantId}) as roles
    from users u where u.id = ${userId}`;
}

export function toReviewer(principal: Principal, user: Person | undefined): Reviewer {
  const { userId, permissions } = principal;
  const decides = isGranted(permissions, "reviews.decide");
  if (userId === null) return { userId, names: new Set(), isAdmin: principal.kind === "system", decides, permissions };
  const roles = user?.roles ?? [];
  const names = [`user:${userId}`, ...(user ? [`user:${user.email.toLowerCase()}`] : []), ...roles.map(toRoleName)];
  const isAdmin = roles.some((role) => ADMIN_ROLES.includes(role));
  return { userId, names: new Set(names), isAdmin, decides, permissions };
}

function toRoleName(role: string): string {
  return `role:${role}`;
}

const DEFAULT_POLICY = ReviewPolicySchema.parse({});

export function policyOf({ policy }: Pick<ReviewRow, "policy">): ReviewPolicy {
  return policy ?? DEFAULT_POLICY;
}

/** Whether one approval is a vote: several people, or several stages, must approve the same proposal. */
export function needsVotes({ approvals, stages }: ReviewPolicy): boolean {
  return approvals > 1 || stages !== undefined;
}

function isAssigned(assignees: readonly string[], { names }: Reviewer): boolean {
  return assignees.length === 0 || assignees.some((assignee) => names.has(assignee.toLowerCase()));
}

type Asked = Pick<ReviewRow, "id" | "assignees" | "policy" | "requestedBy" | "requesters">;

/** Whether this person asked for the run that the review is of. */
export function isRequester(
  { requestedBy, requesters }: Pick<ReviewRow, "requestedBy" | "requesters">,
  { userId }: { userId: number | null },
): boolean {
  return userId !== null && (requesters ?? [requestedBy]).includes(userId);
}

/** Why this person may not decide the review; undefined: they may. */
export function refusalOf(review: Asked, reviewer: Reviewer): string | undefined {
  const policy = policyOf(review);
  const { notRequester, adminsMayDecide } = policy;
  if ((notRequester || needsVotes(policy)) && reviewer.userId === null) return "It is decided by people only";
  if (notRequester && isRequester(review, reviewer)) return "You asked for this run, so another person must decide";
  const lacking = policy.permissions?.find((permission) => !isGranted(reviewer.permissions, permission));
  if (lacking !== undefined) return `Who decides it needs the permission ${lacking}`;
  if (isAssigned(review.assignees, reviewer) || (adminsMayDecide && reviewer.isAdmin)) return undefined;
  return `It asks ${review.assignees.join(", ")}`;
}

/** @throws OvenError REVIEW_NOT_YOURS 403 */
export function requireReviewer(review: Asked, reviewer: Reviewer): void {
  const refusal = refusalOf(review, reviewer);
  if (refusal === undefined) return;
  throw new OvenError("REVIEW_NOT_YOURS", `Review ${review.id} is not yours to decide. ${refusal}`, {
    status: 403,
    fix: "Ask one of its assignees to decide it, or to delegate it to you.",
    details: { assignees: review.assignees },
  });
}
