import { crc32, deflateRawSync } from "node:zlib";

/** A paragraph of text (`\t` and `\n` are a tab and a line break), or a table of such texts. */
type DocxBlock = string | string[][];

/** A Word document, packed as Word packs it. @param more XML that stands before the end of its body */
export function makeDocx(blocks: readonly DocxBlock[], more = ""): Uint8Array {
  const body = blocks.map((block) => (typeof block === "string" ? paragraph(block) : table(block))).join("");
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  return makeZip({
    "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `${XML}<w:document xmlns:w="${word}"><w:body>${body}${more}<w:sectPr/></w:body></w:document>`,
  });
}

/** A ZIP archive of texts and bytes by name, each deflated. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const named = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(named.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    parts.push(signature(0x04034b50), facts, named, packed);
    directory.push(signature(0x02014b50), Buffer.from([20, 0]), facts, where, named);
    at += 30 + named.length + packed.length;
  }
  const count = Object.keys(files).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return new Uint8Array(Buffer.concat([...parts, ...directory, signature(0x06054b50), end]));
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function paragraph(text: string): string {
  const run = escapeXml(text).replaceAll("\t", "</w:t><w:tab/><w:t>").replaceAll("\n", "</w:t><w:br/><w:t>");
  return `<w:p><w:r><w:t xml:space="preserve">${run}</w:t></w:r></w:p>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc><w:tcPr/>${paragraph(cell)}</w:tc>`).join("");
  return `<w:tbl><w:tblPr/>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
