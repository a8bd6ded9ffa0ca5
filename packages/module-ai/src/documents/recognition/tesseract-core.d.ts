/** The part of the package that is called here; it has no types of its own. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TessBaseAPI {
    /** @returns 0 when the language data was read */
    Init(dataPath: string | null, languages: string, engineMode: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Takes `/input` of the file system. @returns 0 when it is a picture */
    SetImageFile(exifOrientation: number, angle: number): number;
    /** @returns 0 when it went well */
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    /** @returns the mean of the words' confidences, 0 to 100 */
    MeanTextConf(): number;
  }
  interface TesseractCore {
    TessBaseAPI: new () => TessBaseAPI;
    /** A file system in memory. */
    FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  }
  export default function load(options: {
    TesseractProgress(percent: number): void;
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<TesseractCore>;
}
