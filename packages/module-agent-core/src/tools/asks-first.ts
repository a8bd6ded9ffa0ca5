import type { Json } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import { asksAbout } from "@oven/engine";

/** Whether a person must approve a call with these arguments. */
export function asksFirst(
  { needsApproval, approvalWhen }: Pick<ToolInfo, "needsApproval" | "approvalWhen">,
  args: Json,
): boolean {
  return needsApproval && (approvalWhen === undefined || asksAbout(approvalWhen, args));
}
