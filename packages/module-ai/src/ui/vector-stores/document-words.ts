import type { DocumentWarning, KnowledgeDocument, RecognitionLanguage } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

/** Bytes that the server takes of one document. */
export const MOST_BYTES = 20_971_520;
const ENDINGS = ["txt", "md", "markdown", "html", "htm", "pdf", "docx"];
export const ACCEPTED = ENDINGS.map((ending) => `.${ending}`).join(",");

/** How far a document is taken in, in a few words. */
export function toStage({
  status,
  progress,
  error,
  recognition,
}: Pick<KnowledgeDocument, "status" | "progress" | "error" | "recognition">): {
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
      if (isRecognizing({ status, recognition }))
        return {
          tone: "running",
          word: t("recognizing page {{page}} of {{total}}", {
            page: (recognition?.done ?? 0) + 1,
            total: recognition?.total,
          }),
        };
      return progress.total === 0
        ? { tone: "running", word: t("extracting") }
        : {
            tone: "running",
            word: t("embedding {{done}} of {{total}}", { done: progress.done, total: progress.total }),
          };
  }
}

/** Whether text recognition is at work on its pages. */
export function isRecognizing({ status, recognition }: Pick<KnowledgeDocument, "status" | "recognition">): boolean {
  return status === "running" && recognition !== null && recognition.done < recognition.total;
}

/** How many of its steps are through, 0 to 1; null: that is not known, or there is nothing to do. */
export function shareDone(document: Pick<KnowledgeDocument, "status" | "progress" | "recognition">): number | null {
  const { status, progress, recognition } = document;
  if (isRecognizing(document) && recognition !== null) return recognition.done / recognition.total;
  return status === "running" && progress.total > 0 ? progress.done / progress.total : null;
}

/** What of a document is not found although it is ready, or not as it was written. */
export function warningText(warning: DocumentWarning): string {
  if (warning.kind === "undecodable")
    return t(
      "{{count}} characters are not valid {{charset}} and cannot be read. Add the document with its real charset.",
      {
        count: warning.count,
        charset: warning.charset,
      },
    );
  const { count } = warning;
  const pages = listPages(warning.pages, count);
  switch (warning.kind) {
    case "pages-without-text":
      return t("{{count}} of {{of}} pages have no text: {{pages}}.", { count, of: warning.of, pages });
    case "uncertain-text":
      return t("Text recognition is not certain of {{count}} pages: {{pages}}. Letters may be wrong.", {
        count,
        pages,
      });
    case "pages-not-recognized":
      return notRecognizedText(warning.reason, { count, pages });
  }
}

function notRecognizedText(reason: "limit" | "slow" | "failed", values: { count: number; pages: string }): string {
  switch (reason) {
    case "limit":
      return t("{{count}} pages are beyond the limit of text recognition: {{pages}}.", values);
    case "slow":
      return t("Text recognition took too long on {{count}} pages: {{pages}}.", values);
    case "failed":
      return t("{{count}} pages could not be drawn for text recognition: {{pages}}.", values);
  }
}

/** @param count of all; fewer may be named */
export function listPages(pages: readonly number[], count: number): string {
  return pages.length < count ? `${pages.join(", ")}, …` : pages.join(", ");
}

export const LANGUAGES: readonly { id: RecognitionLanguage; name: string }[] = [
  { id: "eng", name: t("English") },
  { id: "deu", name: t("German") },
];

/** The languages by name: "English, German". */
export function languageNames(languages: readonly RecognitionLanguage[]): string {
  return LANGUAGES.filter(({ id }) => languages.includes(id))
    .map(({ name }) => name)
    .join(", ");
}

/** What the button says that recognizes the text of pages; null: there is nothing to recognize. */
export function recognizeLabel(document: KnowledgeDocument): string | null {
  const { mediaType, recognition, warnings, error, status } = document;
  if (mediaType !== "application/pdf" || isOpen(document)) return null;
  const empty = warnings.find((warning) => warning.kind === "pages-without-text");
  const isScan = status === "failed" && error?.code === "DOCUMENT_EMPTY";
  if (recognition !== null) return isScan || warnings.length > 0 ? t("Recognize text in other languages") : null;
  if (empty !== undefined) return t("Recognize text on {{count}} pages", { count: empty.count });
  return isScan ? t("Recognize text") : null;
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
