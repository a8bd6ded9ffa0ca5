import { fileURLToPath } from "node:url";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import type { ScannedPage } from "@oven/testing";

const FONT = import.meta
  .resolve("pdfjs-dist/package.json")
  .replace("package.json", "standard_fonts/LiberationSans-Regular.ttf");
const WIDTH = 1_200;
const MARGIN = 100;
const LINE = 60;
/** A scan at 144 dots per inch. */
const PIXELS_PER_POINT = 2;

interface Look {
  /** Height of the letters in pixels. */
  letters?: number;
  points?: { width: number; height: number };
}

/** A page that is a picture of lines of text, as a scanner makes it. */
export async function drawScan(lines: readonly string[], { letters = 36, points }: Look = {}): Promise<ScannedPage> {
  GlobalFonts.registerFromPath(fileURLToPath(FONT), "Scanned");
  const height = 2 * MARGIN + LINE * lines.length;
  const canvas = createCanvas(WIDTH, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, WIDTH, height);
  context.fillStyle = "black";
  context.font = `${letters}px Scanned`;
  for (const [index, line] of lines.entries()) context.fillText(line, MARGIN, MARGIN + LINE * (index + 0.75));
  const picture = new Uint8Array(await canvas.encode("jpeg", 90));
  const own = { width: WIDTH / PIXELS_PER_POINT, height: height / PIXELS_PER_POINT };
  return { picture, filter: "DCTDecode", width: WIDTH, height, points: points ?? own };
}
