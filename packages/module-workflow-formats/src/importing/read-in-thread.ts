import { OvenError } from "@oven/contract";
import { runInThread } from "@oven/module-registry";
import type { ImportResult } from "./import.worker.ts";
import type { ForeignDraft } from "./read-foreign.ts";

const TIMEOUT_MS = 30_000;
const MAX_MEMORY_MB = 1_024;

/**
 * As `readForeign`, in a thread of its own: whatever a document holds, the server goes on answering.
 * @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID
 */
export async function readInThread(text: string, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<ForeignDraft> {
  const result = await runInThread<ImportResult>({
    file: new URL("./import.worker.ts", import.meta.url),
    name: "import",
    job: text,
    maxMemoryMb: MAX_MEMORY_MB,
    timeoutMs,
    signal,
    toError: (reason, cause) =>
      new OvenError(
        "SOURCE_UNREADABLE",
        reason === "slow"
          ? `The document takes longer than ${timeoutMs / 1_000} s to read`
          : "The document cannot be read: its reader ended early",
        { status: 422, fix: "Split it into several workflows, or report the file.", cause },
      ),
  });
  if ("draft" in result) return result.draft;
  const { code, message, options } = result.refused;
  throw new OvenError(code, message, options);
}
