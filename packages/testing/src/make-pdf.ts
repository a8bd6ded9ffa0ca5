/** A line in a font whose codes a predefined CMap explains. */
export interface CodedLine {
  /** Such as `90ms-RKSJ-H`. */
  cmap: string;
  /** Adobe's collection of characters: Japan1, GB1, CNS1, Korea1. */
  ordering: string;
  codes: Uint8Array;
}
/** A page that shows a picture of one pixel. */
export interface PicturePage {
  picture: true;
}

/** A page that a picture fills. */
export interface ScannedPage {
  /** The picture as the file has it, and the filter that reads it. */
  picture: Uint8Array;
  filter: "DCTDecode" | "JPXDecode" | "CCITTFaxDecode" | "JBIG2Decode";
  /** Pixels of the picture. */
  width: number;
  height: number;
  /** Of a picture in black and white. */
  bits?: 1;
  /** Points of the page; absent: 600 and 800. */
  points?: { width: number; height: number };
}
type PdfPage = string | CodedLine | PicturePage | ScannedPage;

/** A PDF with a line of text, a coded line, a small picture or a scan a page; `encrypted`: one that no empty password opens. */
export function makePdf(pages: readonly PdfPage[], { encrypted = false } = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  const later: (() => void)[] = [];
  let next = 4 + pages.length * 2;
  for (const [index, page] of pages.entries()) {
    let font = "3 0 R";
    if (typeof page === "object" && "cmap" in page) {
      font = `${next} 0 R`;
      const first = next;
      later.push(() => addCoded(add, page, first));
      next += 3;
    }
    let pictures = "";
    if (typeof page === "object" && "filter" in page) {
      pictures = `/XObject << /Scan ${next++} 0 R >>`;
      later.push(() => addPicture(add, page));
    }
    const { width, height } = pointsOf(page);
    const resources = `/Resources << /Font << /F1 ${font} >> ${pictures} >>`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ${resources} /Contents ${5 + index * 2} 0 R >>`,
    );
    const stream = contentOf(page);
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  for (const addLater of later) addLater();
  const zeros = "0".repeat(64);
  const encryption = encrypted ? add(`<< /Filter /Standard /V 1 /R 2 /O <${zeros}> /U <${zeros}> /P -4 >>`) : undefined;
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const protection = encryption === undefined ? "" : `/Encrypt ${encryption} 0 R /ID [<${zeros}> <${zeros}>]`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${protection} >>\nstartxref\n${start}\n%%EOF`;
  return new TextEncoder().encode(file);
}

function contentOf(page: PdfPage): string {
  if (typeof page === "object" && "filter" in page) {
    const { width, height } = pointsOf(page);
    return `q ${width} 0 0 ${height} 0 0 cm /Scan Do Q`;
  }
  if (typeof page === "object" && "picture" in page)
    return "q 100 0 0 100 50 600 cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 80> EI Q";
  const shown = typeof page === "string" ? `(${page})` : `<${Buffer.from(page.codes).toString("hex")}>`;
  return `BT /F1 12 Tf 50 700 Td ${shown} Tj ET`;
}

function pointsOf(page: PdfPage): { width: number; height: number } {
  return (typeof page === "object" && "points" in page ? page.points : undefined) ?? { width: 600, height: 800 };
}

function addPicture(add: (body: string) => number, { picture, filter, width, height, bits }: ScannedPage): void {
  const stream = `${Buffer.from(picture).toString("hex")}>`;
  const fax = filter === "CCITTFaxDecode" ? `/DecodeParms [null << /K -1 /Columns ${width} /Rows ${height} >>]` : "";
  const colours = `/ColorSpace /${filter === "DCTDecode" ? "DeviceRGB" : "DeviceGray"} /BitsPerComponent ${bits ?? 8} ${fax}`;
  const kind = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${colours}`;
  add(`<< ${kind} /Filter [/ASCIIHexDecode /${filter}] /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
}

/** A font with nothing inside, as files have it that count on the reader's fonts. */
function addCoded(add: (body: string) => number, { cmap, ordering }: CodedLine, first: number): void {
  const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`;
  const descriptor = "/FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80";
  add(`<< /Type /Font /Subtype /Type0 /BaseFont /Coded /Encoding /${cmap} /DescendantFonts [${first + 1} 0 R] >>`);
  add(`<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Coded ${system} /FontDescriptor ${first + 2} 0 R /DW 1000 >>`);
  add(`<< /Type /FontDescriptor /FontName /Coded /Flags 4 ${descriptor} >>`);
}
