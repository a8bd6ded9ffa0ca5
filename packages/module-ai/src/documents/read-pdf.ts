import { readFile } from "node:fs/promises";
import { getDocument, OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { ExtractResult } from "./extract.worker.ts";
import { namePages } from "./recognition/named-pages.ts";
import {
  type RecognitionJob,
  type RecognitionProgress,
  type RecognizedPages,
  recognizePages,
} from "./recognition/recognize-pages.ts";

/** What pdf.js does not have inside: which characters the codes of predefined CMaps mean, the standard fonts, and the decoders of JPEG 2000 and JBIG2. */
const RESOURCES = new URL("./", import.meta.resolve("pdfjs-dist/package.json"));
const FOLDERS: Record<string, string> = {
  cMapUrl: "cmaps/",
  standardFontDataUrl: "standard_fonts/",
  wasmUrl: "wasm/",
};
/** Pixels of a picture in a page that is drawn: A4 at 600 dots per inch has 35 million. Larger ones are left out. */
const MAX_IMAGE_PIXELS = 64_000_000;

/** Files from disk, by their names. */
class PackagedFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = FOLDERS[kind];
    // The name comes from the file that is read: it must not lead to another folder.
    if (folder === undefined || !/^[\w.-]+$/.test(filename)) throw new Error(`${kind} has no file ${filename}`);
    return new Uint8Array(await readFile(new URL(`${folder}${filename}`, RESOURCES)));
  }
}

const OPTIONS = {
  verbosity: 0,
  useWorkerFetch: false,
  BinaryDataFactory: PackagedFiles,
  cMapUrl: new URL("cmaps/", RESOURCES).href,
  cMapPacked: true,
  standardFontDataUrl: new URL("standard_fonts/", RESOURCES).href,
  wasmUrl: new URL("wasm/", RESOURCES).href,
};
const NONE: RecognizedPages = { texts: new Map(), warnings: [] };

/** How text of pages is recognized that have none. */
export interface PdfRecognition extends RecognitionJob {
  onProgress(progress: RecognitionProgress): void;
}

/**
 * Text of pages, parted by form feeds, with a warning of pages that show something and have no text.
 * @param recognition absent: those pages are left as they are
 */
export async function readPdf(data: Uint8Array, recognition?: PdfRecognition): Promise<ExtractResult> {
  try {
    // pdf.js takes the bytes over.
    const { texts, withoutText } = await readTexts(recognition === undefined ? data : data.slice());
    const recognized =
      recognition === undefined || withoutText.length === 0 ? NONE : await recognize(data, withoutText, recognition);
    for (const [number, text] of recognized.texts) texts[number - 1] = text;
    const empty = withoutText.filter((number) => !recognized.texts.has(number));
    return {
      text: texts.join("\f"),
      warnings: [
        ...(empty.length === 0 ? [] : [{ kind: "pages-without-text" as const, ...namePages(empty), of: texts.length }]),
        ...recognized.warnings,
      ],
      recognizedPages: [...recognized.texts.keys()],
    };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { problem: name === "PasswordException" ? "encrypted" : "damaged", message };
  }
}

async function readTexts(data: Uint8Array): Promise<{ texts: string[]; withoutText: number[] }> {
  const pdf = await getDocument({ ...OPTIONS, data }).promise;
  const texts: string[] = [];
  const withoutText: number[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const text = await textOf(page);
    texts.push(text);
    if (text.trim() === "" && (await showsSomething(page))) withoutText.push(number);
    page.cleanup();
  }
  await pdf.loadingTask.destroy();
  return { texts, withoutText };
}

async function recognize(
  data: Uint8Array,
  numbers: readonly number[],
  { onProgress, ...job }: PdfRecognition,
): Promise<RecognizedPages> {
  const pdf = await getDocument({ ...OPTIONS, data, maxImageSize: MAX_IMAGE_PIXELS }).promise;
  return recognizePages({ numbers, getPage: (number) => pdf.getPage(number) }, job, onProgress);
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
}

/** Whether the page draws glyphs or pictures. */
async function showsSomething(page: PDFPageProxy): Promise<boolean> {
  const pictures = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintImageMaskXObjectRepeat,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintSolidColorImageMask,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some(
    (operation, index) => pictures.has(operation) || (operation === OPS.showText && hasGlyphs(argsArray[index])),
  );
}

/** Whether what `showText` draws is more than spaces. @param drawn a list with the glyphs, between them numbers that move them */
function hasGlyphs(drawn: unknown): boolean {
  const glyphs: unknown = Array.isArray(drawn) ? drawn[0] : undefined;
  if (!Array.isArray(glyphs)) return false;
  return glyphs.some(
    (glyph: unknown) => typeof glyph === "object" && glyph !== null && !("isSpace" in glyph && glyph.isSpace),
  );
}
