import { makeDocx, makePdf, makeZip } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { extractFile } from "./extract-file.ts";
import { drawScan } from "./testing/draw-scan.ts";

const bytes = (text: string, encoding: BufferEncoding = "utf8") => new Uint8Array(Buffer.from(text, encoding));
const read = (
  data: Uint8Array,
  name: string | null = null,
  contentType: string | null = null,
  html: "markdown" | "source" = "markdown",
) =>
  extractFile(
    { data, name, contentType, html, recognition: null },
    { signal: AbortSignal.timeout(20_000), recognitionPages: 1 },
  );

describe("the text of a file", () => {
  it.each<[string, Uint8Array, string | null, string | null, string]>([
    ["a PDF, whatever it is called", makePdf(["One", "Two"]), "a.txt", "text/plain", "One\fTwo"],
    ["a Word document without a name", makeDocx(["One", "Two"]), null, "application/octet-stream", "One\nTwo"],
    ["a page", bytes("<h1>Sea</h1><p>The <b>ship</b></p>"), "a.html", null, "# Sea\n\nThe **ship**"],
    ["Markdown", bytes("# Sea\r\n"), "a.md", null, "# Sea\n"],
    ["a table", bytes('a,"b ""c"""\r\n\r\n1,"2\n3"\n'), "a.csv", null, '| a | b "c" |\n| --- | --- |\n| 1 | 2<br>3 |'],
    [
      "a table with fields that are empty",
      bytes("a,,\n,b,"),
      null,
      "text/csv",
      "| a |  |  |\n| --- | --- | --- |\n|  | b |  |",
    ],
    ["JSON", bytes('{"a": 1}'), "a.json", null, '{"a": 1}'],
    ["something that is UTF-8", bytes("Grüße"), null, null, "Grüße"],
    [
      "text in the charset that is declared",
      bytes("Gr\xfc\xdfe", "latin1"),
      null,
      "text/plain; charset=iso-8859-1",
      "Grüße",
    ],
  ])("is that of %s", async (_what, data, name, contentType, expected) => {
    expect((await read(data, name, contentType)).text.trim()).toBe(expected.trim());
  });

  it("is the page itself where that is wanted", async () => {
    const page = "<p>The <b>ship</b></p>";
    expect((await read(bytes(page), "a.htm", null, "source")).text).toBe(page);
  });

  it("is recognized on pages that have none where that is asked for, as far as the installation allows", async () => {
    const scan = await drawScan(["The whale sings below the ice."]);
    const asked = { data: makePdf([scan, scan]), name: null, contentType: null, html: "markdown" } as const;
    const options = { signal: AbortSignal.timeout(60_000), recognitionPages: 1 };
    const { text, warnings } = await extractFile({ ...asked, recognition: ["eng"] }, options);
    expect(text.trim()).toBe("The whale sings below the ice.");
    expect(warnings.map(({ kind }) => kind)).toContain("pages-not-recognized");
  });

  it.each<[string, Uint8Array, string, string]>([
    ["a picture", bytes("\x89PNG\r\n\x1a\n\xff\xfe", "latin1"), "DOCUMENT_TYPE_UNKNOWN", "save it as one of these"],
    ["a spreadsheet", makeZip({ "[Content_Types].xml": "", "xl/workbook.xml": "" }), "DOCUMENT_TYPE_UNKNOWN", "Excel"],
    ["an archive", makeZip({ "a.txt": "a" }), "DOCUMENT_TYPE_UNKNOWN", "a ZIP archive"],
    ["an archive that is cut", makeDocx(["a"]).slice(0, -40), "DOCUMENT_TYPE_UNKNOWN", "damaged"],
    ["an old file of Office", bytes("d0cf11e0a1b11ae100", "hex"), "DOCUMENT_TYPE_UNKNOWN", "before 2007"],
    ["Rich Text", bytes("{\\rtf1 x}"), "DOCUMENT_TYPE_UNKNOWN", "Rich Text"],
    ["a scan", makePdf([{ picture: true }]), "DOCUMENT_EMPTY", "text recognition"],
    ["an encrypted PDF", makePdf(["a"], { encrypted: true }), "DOCUMENT_ENCRYPTED", "without a password"],
    [
      "a Word document of other XML",
      makeZip({ "[Content_Types].xml": "" }),
      "DOCUMENT_UNREADABLE",
      "no document of Word",
    ],
    ["more than 20 MiB", new Uint8Array(20_971_521), "DOCUMENT_TOO_LARGE", "Split it"],
  ])("of %s is an error that says what to do", async (_what, data, code, words) => {
    const error = await read(data).catch((one) => one);
    expect([error.code, `${error.message} ${error.fix}`]).toEqual([code, expect.stringContaining(words)]);
  });
});
