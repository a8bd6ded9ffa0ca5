import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import type { RecognitionLanguage } from "@oven/contract/ai";
import loadCore from "tesseract.js-core/tesseract-core-simd-lstm.js";

/** The languages, once, and then a picture a message. */
export interface RecognizerSettings {
  languages: readonly RecognitionLanguage[];
}
export interface Picture {
  /** A file that Leptonica reads. */
  file: Uint8Array;
  /** Dots per inch of the page; Tesseract judges the size of letters by it. */
  resolution: number;
}
export type RecognizerAnswer = { text: string; confidence: number } | { error: string };

const LANGUAGE_DATA: Record<RecognitionLanguage, string> = {
  eng: import.meta.resolve("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz"),
  deu: import.meta.resolve("@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz"),
};
const LSTM_ONLY = 1;
/** Tesseract takes no smaller one. */
const LOWEST_RESOLUTION = 70;
const INPUT = "/input";

async function open({ languages }: RecognizerSettings) {
  // What Tesseract says of a picture, such as "Empty page", is in its answer, too.
  const quiet = (): void => undefined;
  const core = await loadCore({ TesseractProgress: quiet, print: quiet, printErr: quiet });
  for (const language of languages)
    core.FS.writeFile(`./${language}.traineddata`, gunzipSync(await readFile(new URL(LANGUAGE_DATA[language]))));
  const api = new core.TessBaseAPI();
  if (api.Init(null, languages.join("+"), LSTM_ONLY) !== 0) throw new Error("the language data cannot be read");
  return { core, api };
}

if (parentPort === null) throw new Error("recognize.worker.ts runs as a worker thread");
const port = parentPort;
const opening = open(workerData as RecognizerSettings); // cast: given by recognizer.ts

async function recognize({ file, resolution }: Picture): Promise<RecognizerAnswer> {
  try {
    const { core, api } = await opening;
    core.FS.writeFile(INPUT, file);
    const isPicture = api.SetImageFile(1, 0) === 0;
    core.FS.unlink(INPUT);
    if (!isPicture) return { error: "the picture cannot be read" };
    api.SetVariable("user_defined_dpi", String(Math.max(LOWEST_RESOLUTION, Math.round(resolution))));
    if (api.Recognize(null) !== 0) return { error: "the recognition failed" };
    return { text: api.GetUTF8Text(), confidence: api.MeanTextConf() };
  } catch (error) {
    return { error: String(error) };
  }
}

port.on("message", async (picture: Picture) => port.postMessage(await recognize(picture)));
