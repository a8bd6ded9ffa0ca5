import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { PDFPageProxy } from "pdfjs-dist";
import type { Picture } from "./recognize.worker.ts";

type RenderParameters = Parameters<PDFPageProxy["render"]>[0];

/** A PDF measures in points. */
const POINTS_PER_INCH = 72;
const RESOLUTION = 200;
/** Of a page: A4 has 3.9 million at 200 dots per inch, A2 15.5. Larger pages are drawn smaller. */
const MAX_PIXELS = 25_000_000;
/** Tesseract takes no picture with a longer side than 32,767. */
const MAX_SIDE = 16_000;
/** Pixels that are copied at once, four bytes each. */
const BAND_PIXELS = 1_000_000;

/** How large a page is drawn: pixels, and the scale that makes them of points. */
export function pictureSize(points: { width: number; height: number }): {
  width: number;
  height: number;
  scale: number;
} {
  const { width, height } = points;
  const scale = Math.min(
    RESOLUTION / POINTS_PER_INCH,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
  const pixels = (side: number) => Math.max(1, Math.floor(side * scale));
  return { width: pixels(width), height: pixels(height), scale };
}

/** A page as people see it, in grey. */
export async function drawPage(page: PDFPageProxy): Promise<Picture> {
  const { width, height, scale } = pictureSize(page.getViewport({ scale: 1 }));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const parameters = { canvas, canvasContext: context, viewport: page.getViewport({ scale }) };
  await page.render(parameters as unknown as RenderParameters).promise; // cast: a canvas without the DOM
  return { file: toGreymap(context, width, height), resolution: scale * POINTS_PER_INCH };
}

/** A portable greymap: a line of numbers and then a byte a pixel, which is quicker to write and to read than a PNG. */
function toGreymap(context: SKRSContext2D, width: number, height: number): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + width * height);
  file.set(head);
  const rows = Math.max(1, Math.floor(BAND_PIXELS / width));
  let at = head.length;
  for (let top = 0; top < height; top += rows) {
    const { data } = context.getImageData(0, top, width, Math.min(rows, height - top));
    for (let index = 0; index < data.length; index += 4)
      file[at++] = luminance(data[index] ?? 0, data[index + 1] ?? 0, data[index + 2] ?? 0);
  }
  return file;
}

/** By the weights of ITU-R BT.601. */
function luminance(red: number, green: number, blue: number): number {
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
}
