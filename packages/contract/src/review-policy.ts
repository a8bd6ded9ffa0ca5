import { z } from "zod";
import { DurationSchema } from "./definition.ts";

/** Who is asked: `user:3`, `user:ada@example.com`, `role:support-lead`. */
export const AssigneeSchema = z
  .string()
  .max(320)
  .regex(
    /^(user:[1-9]\d{0,15}|user:[^\s@:]{1,64}@[^\s@:]{1,250}|role:[a-z][a-z0-9-]{0,31})$/,
    "user:<id>, user:<e-mail> or role:<name>",
  );

/** What happens when nobody has decided in time. */
export const OnDeadlineSchema = z.union([
  z.literal("error"),
  z.strictObject({ action: z.enum(["approve", "reject"]), reason: z.string().max(2_000).optional() }),
  /** Others are asked from then on, for as long as `dueIn`; after that it is an error. */
  z.strictObject({ escalateTo: z.array(AssigneeSchema).min(1).max(50), dueIn: DurationSchema }),
]);
export type OnDeadline = z.infer<typeof OnDeadlineSchema>;

/** When people are asked about exactly what is proposed, as CEL over `args`. What cannot be computed asks. */
export const ApprovalConditionSchema = z.string().trim().min(1).max(4_000).meta({ "x-code": "condition" });

/** Who must approve where a condition holds on exactly what is proposed. */
export const ReviewStageSchema = z.strictObject({
  when: ApprovalConditionSchema.optional().describe(
    "CEL over `args`, what is proposed: `args.amount > 1000`. Left out: always",
  ),
  assignees: z.array(AssigneeSchema).min(1).max(50),
  approvals: z.int().min(1).max(20).default(1),
});
export type ReviewStage = z.infer<typeof ReviewStageSchema>;

/** How a review is decided, besides by whom. */
export const ReviewPolicySchema = z.strictObject({
  /** The person who started the run may not decide. */
  notRequester: z.boolean().default(false),
  /** How many different people must approve. */
  approvals: z.int().min(1).max(20).default(1),
  /** Owners and admins may decide though they are not assigned. */
  adminsMayDecide: z.boolean().default(true),
  onDeadline: OnDeadlineSchema.default("error"),
  /** What who decides must hold besides, also where a key decides; absent: nothing. */
  permissions: z.array(z.string()).min(1).max(20).optional(),
  /** Asked one after the other, in place of the assignees, as far as their conditions hold on the proposal as it stands. */
  stages: z.array(ReviewStageSchema).min(1).max(10).optional(),
  /** Who decides where no stage's condition holds: the assignees and approvals that the step has besides its stages. */
  otherwise: z.strictObject({ assignees: z.array(z.string()), approvals: z.int().min(1) }).optional(),
});
export type ReviewPolicy = z.infer<typeof ReviewPolicySchema>;
