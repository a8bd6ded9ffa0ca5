/** A PDF with one line of text a page; `encrypted`: one that no empty password opens. */
export function makePdf(pages: readonly string[], { encrypted = false } = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [index, text] of pages.entries()) {
    const resources = "/Resources << /Font << /F1 3 0 R >> >>";
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${resources} /Contents ${5 + index * 2} 0 R >>`);
    const stream = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
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
