/** A piece of XML: an element that begins (`isEmpty`: and ends at once), one that ends, or text. Names are without their prefix. */
export type XmlPiece =
  | { type: "open"; name: string; attributes: string; isEmpty: boolean }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

/**
 * Goes through XML piece by piece, without a tree. Entities of a document type are not known, so none can grow.
 * @throws Error for a document type, and where a tag does not end
 */
export function* scanXml(xml: string): Generator<XmlPiece> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf("<", at);
    const end = open < 0 ? xml.length : open;
    if (end > at) yield { type: "text", text: unescapeXml(xml.slice(at, end)) };
    if (open < 0) return;
    if (xml.startsWith("<!--", open)) at = after(xml, "-->", open);
    else if (xml.startsWith("<?", open)) at = after(xml, "?>", open);
    else if (xml.startsWith("<![CDATA[", open)) {
      at = after(xml, "]]>", open);
      yield { type: "text", text: xml.slice(open + 9, at - 3) };
    } else if (xml.startsWith("<!", open)) throw new Error("its XML declares a document type");
    else {
      at = endOfTag(xml, open);
      yield toTag(xml.slice(open + 1, at - 1));
    }
  }
}

/** The value of an attribute by its name without prefix; undefined: it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, key, double, single] of attributes.matchAll(/([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (withoutPrefix(key ?? "") === name) return unescapeXml(double ?? single ?? "");
  return undefined;
}

function toTag(inside: string): XmlPiece {
  if (inside.startsWith("/")) return { type: "close", name: withoutPrefix(inside.slice(1).trim()) };
  const isEmpty = inside.endsWith("/");
  const content = isEmpty ? inside.slice(0, -1) : inside;
  const gap = content.search(/\s/);
  const name = gap < 0 ? content : content.slice(0, gap);
  return { type: "open", name: withoutPrefix(name), attributes: gap < 0 ? "" : content.slice(gap), isEmpty };
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

function after(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  if (at < 0) throw new Error("its XML ends early");
  return at + end.length;
}

/** A `>` in a value of an attribute does not end a tag. */
function endOfTag(xml: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < xml.length; at++) {
    const character = xml[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  throw new Error("its XML ends early");
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
