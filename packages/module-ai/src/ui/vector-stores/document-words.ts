import type { DocumentWarning, KnowledgeDocument } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

/** Bytes that the server takes of one document. */
export const MOST_BYTES = 20_971_520;
const ENDINGS = ["txt", "md", "markdown", "html", "htm", "pdf"];
export const ACCEPTED = ENDINGS.map((ending) => `.${ending}`).join(",");

/** How far a document is taken in, in a few words. */
export function toStage({ status, progress, error }: Pick<KnowledgeDocument, "status" | "progress" | "error">): {
  tone: StatusTone;
  word: string;
} {
  switch (status) {
    case "ready":
      return { tone: "completed", word: t("ready") };
    case "failed":
      return { tone: "failed", word: t("failed") };
    case "queued":
      return error === null ? { tone: "queued", word: t("queued") } : { tone: "paused", word: t("tried again soon") };
    case "running":
      return progress.total === 0
        ? { tone: "running", word: t("extracting") }
        : {
            tone: "running",
            word: t("embedding {{done}} of {{total}}", { done: progress.done, total: progress.total }),
          };
  }
}

/** What of a document is not found although it is ready. */
export function warningText(warning: DocumentWarning): string {
  if (warning.kind === "undecodable")
    return t(
      "{{count}} characters are not valid {{charset}} and cannot be read. Add the document with its real charset.",
      {
        count: warning.count,
        charset: warning.charset,
      },
    );
  const { count, of, pages } = warning;
  const named = pages.length < count ? `${pages.join(", ")}, …` : pages.join(", ");
  return t("{{count}} of {{of}} pages have no text: {{pages}}. Run pictures of text through text recognition first.", {
    count,
    of,
    pages: named,
  });
}

export function isOpen({ status }: Pick<KnowledgeDocument, "status">): boolean {
  return status === "queued" || status === "running";
}

/** Why a file would be refused, told before it is sent; null: it may be sent. */
export function fileProblem({ name, size }: Pick<File, "name" | "size">): string | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!ENDINGS.includes(ending))
    return t("It is none of {{kinds}}. Save it as one of them.", { kinds: ENDINGS.join(", ") });
  if (size > MOST_BYTES) return t("It has more than 20 MiB. Split it into several files.");
  return size === 0 ? t("It is empty.") : null;
}
