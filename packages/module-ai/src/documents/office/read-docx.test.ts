import { makeDocx, makeZip } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { readDocx } from "./read-docx.ts";
import { Archive } from "./unzip.ts";

const word = (xml: string): Uint8Array => makeDocx([], xml);
const p = (inside: string): string => `<w:p>${inside}</w:p>`;
const r = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;

describe("the text of a Word document", () => {
  it("has a line for each paragraph and a table as Markdown, in their order", () => {
    const data = makeDocx([
      "Dear Ann,",
      "a\tb\nc <d> & e",
      [
        ["Item", "Price"],
        ["Tea\ngreen", "3"],
      ],
      "Bye",
    ]);
    expect(readDocx(data)).toBe(
      "Dear Ann,\na\tb\nc <d> & e\n| Item | Price |\n| --- | --- |\n| Tea<br>green | 3 |\n\nBye",
    );
  });

  it.each<[string, string, string]>([
    [
      "runs, links and insertions in one line",
      p(`${r("one ")}<w:hyperlink>${r("two")}</w:hyperlink><w:ins>${r(" three")}</w:ins>`),
      "one two three",
    ],
    [
      "no text that was deleted or moved away",
      p(`${r("stays")}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>${r("moved")}</w:moveFrom>`),
      "stays",
    ],
    ["no tab stops of its settings", p(`<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${r("x")}`), "x"],
    [
      "a drawn text once",
      p(
        `<mc:AlternateContent><mc:Choice><w:txbxContent>${p(r("box"))}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p(r("box"))}</w:txbxContent></mc:Fallback></mc:AlternateContent>${r("around")}`,
      ),
      "box\naround",
    ],
    ["no codes of fields", p(`<w:r><w:instrText>PAGE</w:instrText></w:r>${r("7")}`), "7"],
    ["breaks of pages as nothing", p(`${r("a")}<w:r><w:br w:type="page"/></w:r>${r("b")}`), "ab"],
    ["characters by their numbers", p(r("&#228;&#x1F34E;&lt;&amp;lt;")), "ä\u{1F34E}<&lt;"],
    [
      "a cell over several columns in each",
      `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p(r("all"))}</w:tc></w:tr><w:tr><w:tc>${p(r("a"))}</w:tc><w:tc>${p(r("b"))}</w:tc></w:tr></w:tbl>`,
      "| all | all |\n| --- | --- |\n| a | b |\n",
    ],
    [
      "a table in a table as lines of its cell",
      `<w:tbl><w:tr><w:tc>${p(r("x"))}<w:tbl><w:tr><w:tc>${p(r("in"))}</w:tc><w:tc>${p(r("ner"))}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>`,
      "| x<br>in ner |\n| --- |\n",
    ],
    ["no table without text", `<w:tbl><w:tr><w:tc>${p("")}</w:tc></w:tr></w:tbl>${p(r("x"))}`, "x"],
  ])("has %s", (_what, xml, expected) => {
    expect(readDocx(word(xml))).toBe(expected);
  });

  it("is found where the package says", () => {
    const relations = `<Relationships><Relationship Type="http://x/officeDocument" Target="/word/document2.xml"/></Relationships>`;
    const document = `<w:document xmlns:w="w"><w:body>${p(r("here"))}</w:body></w:document>`;
    expect(readDocx(makeZip({ "_rels/.rels": relations, "word/document2.xml": document }))).toBe("here");
  });

  it.each<[string, () => Uint8Array, string]>([
    ["no archive", () => new Uint8Array(Buffer.from("hello")), "no ZIP archive"],
    ["an archive of something else", () => makeZip({ "a.txt": "a" }), "no document of Word"],
    ["an archive that is cut", () => makeDocx(["text"]).slice(0, -30), "no ZIP archive"],
    [
      "a document type with entities",
      () => makeZip({ "word/document.xml": `<!DOCTYPE a [<!ENTITY b "c">]><a/>` }),
      "document type",
    ],
    ["a tag without an end", () => word('<w:p w:x="'), "ends early"],
    [
      "more text than is read",
      () =>
        word(
          `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99"/></w:tcPr>${p(r("x".repeat(400_000)))}</w:tc></w:tr></w:tbl>`,
        ),
      "more than 20000000 characters",
    ],
  ])("of %s is an error", (_what, make, message) => {
    expect(() => readDocx(make())).toThrow(message);
  });
});

describe("an archive", () => {
  it("unpacks no more than 64 MiB of a file, whatever its directory says", () => {
    const bomb = makeZip({ big: new Uint8Array(65 * 1_048_576) });
    expect(() => new Archive(bomb).read("big")).toThrow("bytes, and 67108864 are read");
    // The directory lies.
    const at = Buffer.from(bomb).lastIndexOf(Buffer.from("big")) - 46;
    Buffer.from(bomb.buffer).writeUInt32LE(10, at + 24);
    expect(() => new Archive(bomb).read("big")).toThrow(/larger than/);
  });

  it("refuses entries that are not where it says", () => {
    const data = makeZip({ a: "text" });
    const at = Buffer.from(data).lastIndexOf("PK\x01\x02", undefined, "latin1");
    Buffer.from(data.buffer).writeUInt32LE(7, at + 42);
    expect(() => new Archive(data).read("a")).toThrow("not where the archive says");
    expect(() => new Archive(data).read("b")).toThrow("has no b");
  });
});
