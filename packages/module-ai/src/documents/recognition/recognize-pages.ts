import type { DocumentWarning, RecognitionLanguage } from "@oven/contract/ai";
import type { PDFPageProxy } from "pdfjs-dist";
import { namePages } from "./named-pages.ts";
import { drawPage } from "./page-image.ts";
import { Recognizer } from "./recognizer.ts";

/** Recognition of one page: a slower one is left out with a warning. Less than the lease of the document. */
const PAGE_TIMEOUT_MS = 90_000;
/** Below it letters are often wrong. */
const CERTAIN = 60;

/** A page that was recognized. */
export interface RecognizedPage {
  /** Counted from 1. */
  page: number;
  /** Empty: there is none in the picture. */
  text: string;
  /** Mean of the words, 0 to 100. */
  confidence: number;
}
/** What of a document is recognized. */
export interface RecognitionJob {
  languages: readonly RecognitionLanguage[];
  /** Pages that are recognized at most. */
  maxPages: number;
  /** What an earlier attempt recognized. */
  known: readonly RecognizedPage[];
}
/** How far the recognition is. */
export interface RecognitionProgress {
  done: number;
  total: number;
  /** The page that is new; absent: one that was known or could not be recognized. */
  recognized?: RecognizedPage;
}
export interface RecognizedPages {
  /** Texts by the number of the page, without those that are empty. */
  texts: ReadonlyMap<number, string>;
  warnings: DocumentWarning[];
}

/**
 * Recognizes the text of pages.
 * @param numbers of the pages, counted from 1
 * @param onProgress called after each page
 */
export async function recognizePages(
  { numbers, getPage }: { numbers: readonly number[]; getPage(number: number): Promise<PDFPageProxy> },
  { languages, maxPages, known }: RecognitionJob,
  onProgress: (progress: RecognitionProgress) => void,
): Promise<RecognizedPages> {
  const left = { limit: numbers.slice(maxPages), slow: [] as number[], failed: [] as number[] };
  const wanted = numbers.slice(0, maxPages);
  const pages = new Map(known.map((one) => [one.page, one]));
  const recognizer = new Recognizer({ languages }, PAGE_TIMEOUT_MS);
  onProgress({ done: 0, total: wanted.length });
  try {
    for (const [index, number] of wanted.entries()) {
      const progress = { done: index + 1, total: wanted.length };
      const result = pages.has(number) ? undefined : await recognizePage(recognizer, await getPage(number));
      if (result === undefined) onProgress(progress);
      else if ("problem" in result) {
        left[result.problem].push(number);
        onProgress(progress);
      } else {
        const recognized = { page: number, ...result };
        pages.set(number, recognized);
        onProgress({ ...progress, recognized });
      }
    }
  } finally {
    await recognizer.close();
  }
  const withText = wanted.flatMap((number) => pages.get(number) ?? []).filter(({ text }) => text.trim() !== "");
  const uncertain = withText.filter(({ confidence }) => confidence < CERTAIN).map(({ page }) => page);
  return { texts: new Map(withText.map(({ page, text }) => [page, text])), warnings: toWarnings(uncertain, left) };
}

async function recognizePage(recognizer: Recognizer, page: PDFPageProxy): ReturnType<Recognizer["recognize"]> {
  try {
    return await recognizer.recognize(await drawPage(page));
  } catch (error) {
    // A page that cannot be drawn keeps none of the others.
    console.warn(`documents: page ${page.pageNumber} cannot be drawn: ${String(error)}`);
    return { problem: "failed" };
  } finally {
    page.cleanup();
  }
}

function toWarnings(
  uncertain: readonly number[],
  left: Record<"limit" | "slow" | "failed", readonly number[]>,
): DocumentWarning[] {
  const reasons = (["limit", "slow", "failed"] as const).filter((reason) => left[reason].length > 0);
  return [
    ...(uncertain.length === 0 ? [] : [{ kind: "uncertain-text" as const, ...namePages(uncertain) }]),
    ...reasons.map((reason) => ({ kind: "pages-not-recognized" as const, reason, ...namePages(left[reason]) })),
  ];
}
