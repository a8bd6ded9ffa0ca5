import { z } from "zod";

/** Names that people take for each other, in groups, as `GET /api/agent-workflow-lookalikes` and `GET /api/user-lookalikes` answer them. */
export const LookalikeGroupsSchema = z.array(z.array(z.string()).min(2));
export type LookalikeGroups = z.infer<typeof LookalikeGroupsSchema>;
