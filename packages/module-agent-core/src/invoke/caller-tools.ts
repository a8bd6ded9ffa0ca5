import { OvenError } from "@oven/contract";
import { type Agent, type CallerTool, MAX_CALLER_TOOL_BYTES, MAX_CALLER_TOOLS } from "@oven/contract/agent";
import type { ToolInfo } from "@oven/contract/ai";

/** Names that the model decides with by itself. */
const RESERVED: readonly string[] = ["end", "set_next"];

/**
 * A caller's tool never stands for one of the agent's, whatever the run may call of these.
 * @param own all that the agent is bound to
 * @throws OvenError UNSUPPORTED_PARAMETER where the agent takes none, INVALID_INPUT
 */
export function checkCallerTools(
  { name: agent, callerTools: isAllowed }: Pick<Agent, "name" | "callerTools">,
  tools: readonly CallerTool[] = [],
  own: readonly Pick<ToolInfo, "id">[],
): void {
  if (tools.length === 0) return;
  if (!isAllowed)
    throw new OvenError("UNSUPPORTED_PARAMETER", `${agent} takes no tools of its callers`, {
      path: "$.tools",
      fix: "Leave them out, or let the agent's author allow them (Callers may bring tools).",
    });
  if (tools.length > MAX_CALLER_TOOLS) throw refused(`There may be ${MAX_CALLER_TOOLS} tools, not ${tools.length}`);
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  if (bytes > MAX_CALLER_TOOL_BYTES)
    throw refused(`All tools together may have ${MAX_CALLER_TOOL_BYTES} bytes, not ${bytes}`);
  const taken = new Set([...RESERVED, ...own.map(({ id }) => toName(id))]);
  for (const { name } of tools) {
    if (taken.has(name.toLowerCase())) throw refused(`The name ${name} is taken`, "Give the tool another name.");
    taken.add(name.toLowerCase());
  }
}

/** As models know it, whatever they make of upper case. */
function toName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_").toLowerCase();
}

function refused(message: string, fix?: string): OvenError {
  return new OvenError("INVALID_INPUT", message, { path: "$.tools", ...(fix === undefined ? {} : { fix }) });
}
