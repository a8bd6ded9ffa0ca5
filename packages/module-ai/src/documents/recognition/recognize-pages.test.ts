import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makePdf, SCANNER_PICTURES, type ScannedPage } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { extractText } from "../extract-text.ts";
import { drawScan } from "../testing/draw-scan.ts";
import { pictureSize } from "./page-image.ts";
import type { RecognitionJob, RecognitionProgress } from "./recognize-pages.ts";
import { Recognizer } from "./recognizer.ts";

/** A core that is busy with other things takes its time. */
const TIMEOUT = 120_000;
const REFUSE_NETWORK = fileURLToPath(new URL("../testing/refuse-network.ts", import.meta.url));
const RECOGNIZE_FILE = fileURLToPath(new URL("../testing/recognize-file.ts", import.meta.url));
const pdf = { mediaType: "application/pdf", charset: null } as const;

async function recognize(pages: Parameters<typeof makePdf>[0], job: Partial<RecognitionJob> = {}) {
  const progress: RecognitionProgress[] = [];
  const onProgress = async (step: RecognitionProgress) => {
    progress.push(step);
  };
  const recognition = { languages: ["eng"] as const, maxPages: 100, known: [], onProgress, ...job };
  const extracted = await extractText(pdf, makePdf(pages), AbortSignal.timeout(TIMEOUT), recognition);
  return { ...extracted, progress };
}

describe("text recognition", { timeout: TIMEOUT }, () => {
  it("reads pages that are pictures, in their place, and leaves the others as they are", async () => {
    const scan = await drawScan(["The whale sings below the ice.", "Sailors hear it at night."]);
    const { text, warnings, recognizedPages, progress } = await recognize(["A ship", scan, { picture: true }, ""]);
    expect(text.split("\f").map((page) => page.trim())).toEqual([
      "A ship",
      "The whale sings below the ice.\nSailors hear it at night.",
      "",
      "",
    ]);
    expect(recognizedPages).toEqual([2]);
    // The third shows something that is no text; the fourth is empty.
    expect(warnings).toEqual([{ kind: "pages-without-text", pages: [3], count: 1, of: 4 }]);
    expect(progress.map(({ done, total }) => `${done}/${total}`)).toEqual(["0/2", "1/2", "2/2"]);
  });

  it.each(SCANNER_PICTURES.map((page) => [page.filter, page] as const))("reads a scan in %s", async (_filter, page) => {
    expect((await recognize([page])).text.trim()).toBe("The whale sings.");
  });

  it("reads German with the data of German", async () => {
    const scan = await drawScan(["Die Größe des Schiffs überrascht."]);
    expect((await recognize([scan], { languages: ["deu"] })).text.trim()).toBe("Die Größe des Schiffs überrascht.");
  });

  it("reads no more pages than it may, and says which are left", async () => {
    const scan = await drawScan(["The whale sings."]);
    const { warnings, recognizedPages } = await recognize([scan, scan, scan], { maxPages: 1 });
    expect(recognizedPages).toEqual([1]);
    expect(warnings).toEqual([
      { kind: "pages-without-text", pages: [2, 3], count: 2, of: 3 },
      { kind: "pages-not-recognized", reason: "limit", pages: [2, 3], count: 2 },
    ]);
  });

  it("does not read a page again that an earlier attempt has read", async () => {
    const scan = await drawScan(["The whale sings."]);
    const known = [{ page: 1, text: "From before", confidence: 90 }];
    const { text, progress } = await recognize([scan], { known });
    expect(text).toBe("From before");
    expect(progress).toEqual([
      { done: 0, total: 1 },
      { done: 1, total: 1 },
    ]);
  });

  it("warns of a page whose letters it is not certain of", async () => {
    const known = [
      { page: 1, text: "Tha whaIe", confidence: 59 },
      { page: 2, text: "The whale", confidence: 60 },
    ];
    const scan = await drawScan(["The whale"]);
    expect((await recognize([scan, scan], { known })).warnings).toEqual([
      { kind: "uncertain-text", pages: [1], count: 1 },
    ]);
    const tiny = await drawScan(["The whale sings below the ice.", "Sailors hear it at night."], { letters: 6 });
    const { warnings } = await recognize([tiny, scan]);
    expect(warnings).toEqual([{ kind: "uncertain-text", pages: [1], count: 1 }]);
  });

  it("draws a page of any size in a bounded number of pixels", async () => {
    expect(pictureSize({ width: 595, height: 842 })).toMatchObject({ width: 1652, height: 2338 });
    for (const points of [
      { width: 14_400, height: 14_400 },
      { width: 3, height: 14_400 },
      { width: 14_400_000, height: 0.001 },
    ]) {
      const { width, height } = pictureSize(points);
      expect(width * height).toBeLessThanOrEqual(25_000_000);
      expect(Math.max(width, height)).toBeLessThanOrEqual(16_000);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
    }
    const huge: ScannedPage = await drawScan(["The whale sings."], {
      letters: 80,
      points: { width: 14_400, height: 3_120 },
    });
    expect((await recognize([huge])).text.trim()).toBe("The whale sings.");
  });

  it("says of a file without any text that there is none in its pictures either", async () => {
    await expect(recognize([{ picture: true }])).rejects.toMatchObject({
      code: "DOCUMENT_EMPTY",
      fix: expect.stringContaining("Text recognition found none"),
    });
  });

  it("ends when the work is given up", async () => {
    const scan = await drawScan(["The whale sings."]);
    const stop = new AbortController();
    const reading = extractText(pdf, makePdf([scan, scan, scan]), stop.signal, {
      languages: ["eng"],
      maxPages: 100,
      known: [],
      onProgress: async () => stop.abort(new Error("given up")),
    });
    await expect(reading).rejects.toThrow("given up");
  });

  it("connects to nothing, with both languages", async () => {
    const folder = await mkdtemp(join(tmpdir(), "oven-recognition-"));
    try {
      const file = join(folder, "scan.pdf");
      await writeFile(file, makePdf([await drawScan(["The whale sings."])]));
      const run = (...given: string[]) =>
        promisify(execFile)(process.execPath, ["--import", REFUSE_NETWORK, RECOGNIZE_FILE, ...given], { cwd: folder });
      expect(await run(file)).toEqual({ stdout: "The whale sings.\n", stderr: "" });
      // What the test would say if something did, in a thread.
      await expect(run("fetch", "http://127.0.0.1:49151/")).rejects.toMatchObject({
        stderr: expect.stringContaining("a connection was attempted"),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a recognizer", { timeout: TIMEOUT }, () => {
  it("gives up a picture that takes too long, and one that is none", async () => {
    const picture = () => ({ file: new TextEncoder().encode("P5\n2 2\n255\nabcd"), resolution: 200 });
    const hurried = new Recognizer({ languages: ["eng"] }, 1);
    expect(await hurried.recognize(picture())).toEqual({ problem: "slow" });
    const recognizer = new Recognizer({ languages: ["eng"] }, TIMEOUT);
    const broken = { file: new TextEncoder().encode("no picture"), resolution: 200 };
    expect(await recognizer.recognize(broken)).toEqual({ problem: "failed" });
    // In a new thread.
    expect(await recognizer.recognize(picture())).toEqual({ text: "", confidence: expect.any(Number) });
    await recognizer.close();
  });
});
