import { z } from "zod";

/** What a version of a workflow may do, or would if it were published now. */
export const GrantReportSchema = z.strictObject({
  /** Permissions that its steps need and that it has, in the order of the alphabet. */
  granted: z.array(z.string()),
  /** Permissions that its steps need and that it lacks: these steps are refused, whoever starts the run. */
  missing: z.array(
    z.strictObject({
      permission: z.string(),
      /** Labels of the steps, such as `pay`, `draft.tools`, or `refund/pay` in a called workflow. */
      steps: z.array(z.string()),
      /** Titles of the roles whose members could publish it with this permission. */
      roles: z.array(z.string()),
    }),
  ),
  /** Steps that choose tools, a workflow or an agent only when they run, or hand on what they may do; they may need more than is listed. */
  computed: z.array(z.string()),
  /** What else it has: for steps that choose only when they run; without such steps, what it was granted earlier and needs no more. */
  beyond: z.array(z.string()),
});
export type GrantReport = z.infer<typeof GrantReportSchema>;
