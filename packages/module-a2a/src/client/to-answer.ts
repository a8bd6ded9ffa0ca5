import type { Part } from "@a2a-js/sdk";
import type { Json, JsonObject } from "@oven/contract";
import type { ToolCallOptions } from "@oven/module-agent-core";
import { type BlobService, NO_RUN } from "@oven/module-workflows";

/** What an agent has made: texts and data in its words, files as artefacts of the run. */
export interface AgentAnswer {
  text: string;
  data?: Json[];
  links?: string[];
  attachments?: JsonObject[];
  /** Given again, the conversation goes on. */
  contextId?: string;
}

export async function toAnswer(
  parts: readonly Part[],
  contextId: string,
  blobs: BlobService,
  { run, principal }: Pick<ToolCallOptions, "run" | "principal">,
): Promise<AgentAnswer> {
  const { executionId, nodeId, visit, item } = run ?? NO_RUN;
  const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
  const data: Json[] = [];
  const links: string[] = [];
  const attachments: JsonObject[] = [];
  for (const { content, mediaType, filename } of parts) {
    if (content?.$case === "data") data.push(content.value as Json); // cast: it came as JSON
    if (content?.$case === "url") links.push(content.value);
    if (content?.$case === "raw") {
      const blob = await blobs.write(
        position,
        mediaType || "application/octet-stream",
        content.value,
        filename.slice(0, 200),
      );
      attachments.push({ ...blob });
    }
  }
  return {
    text: textOf(parts),
    ...(data.length === 0 ? {} : { data }),
    ...(links.length === 0 ? {} : { links }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(contextId === "" ? {} : { contextId }),
  };
}

export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");
}
