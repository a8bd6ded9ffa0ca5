const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** The texts of all elements of this name, none of which has elements or attributes: what a store of the S3 protocol answers. */
export function readXml(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, named) => {
      if (named !== undefined) return ENTITIES[named] ?? whole;
      return String.fromCodePoint(
        Math.min(0x10_ffff, decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)),
      );
    }),
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
