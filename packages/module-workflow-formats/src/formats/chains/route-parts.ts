import { WorkflowIdSchema } from "@oven/contract/format";
import { z } from "zod";

export const may = (action: string) => ({ permission: `executor-chains.${action}` });
export const OneChain = z.object({ workflow: WorkflowIdSchema });
export const OneRun = z.object({ run: z.string().min(1).max(100) });
