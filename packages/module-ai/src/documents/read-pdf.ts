import { readFile } from "node:fs/promises";
import type { DocumentWarning } from "@oven/contract/ai";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import type { ExtractResult } from "./extract.worker.ts";

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document["getPage"]>>;

/** Pages without text that are named. */
const MOST_NAMED = 100;

/** What pdf.js does not have inside: which characters the codes of predefined CMaps mean, and the standard fonts. */
const RESOURCES = new URL("./", import.meta.resolve("pdfjs-dist/package.json"));
const FOLDERS: Record<string, string> = { cMapUrl: "cmaps/", standardFontDataUrl: "standard_fonts/" };

/** Files from disk: the pdf.js of `unpdf` knows `fetch` only, which reads none. */
class PackagedFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = FOLDERS[kind];
    // The name comes from the file that is read.
    if (folder === undefined || !/^[\w.-]+$/.test(filename)) throw new Error(`${kind} has no file ${filename}`);
    return new Uint8Array(await readFile(new URL(`${folder}${filename}`, RESOURCES)));
  }
}

/** Text of pages, parted by form feeds, with a warning of pages that show something and have no text. */
export async function readPdf(data: Uint8Array): Promise<ExtractResult> {
  try {
    const pdf = await getDocumentProxy(data, {
      verbosity: 0,
      useWorkerFetch: false,
      BinaryDataFactory: PackagedFiles,
      cMapUrl: new URL("cmaps/", RESOURCES).href,
      cMapPacked: true,
      standardFontDataUrl: new URL("standard_fonts/", RESOURCES).href,
    });
    const texts: string[] = [];
    const withoutText: number[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const text = await textOf(page);
      texts.push(text);
      if (text.trim() === "" && (await showsSomething(page))) withoutText.push(number);
      page.cleanup();
    }
    return { text: texts.join("\f"), warnings: toWarnings(withoutText, pdf.numPages) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { problem: name === "PasswordException" ? "encrypted" : "damaged", message };
  }
}

async function textOf(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
}

/** Whether the page draws glyphs or pictures. */
async function showsSomething(page: Page): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
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

function toWarnings(pages: readonly number[], of: number): DocumentWarning[] {
  if (pages.length === 0) return [];
  return [{ kind: "pages-without-text", pages: pages.slice(0, MOST_NAMED), count: pages.length, of }];
}
