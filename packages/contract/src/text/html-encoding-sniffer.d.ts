/** The package brings no types. */
declare module "html-encoding-sniffer" {
  export interface SniffOptions {
    /** Reads an XML declaration instead of `<meta>`. */
    xml?: boolean;
    /** The answer when the bytes declare nothing. */
    defaultEncoding?: string;
    /** Bytes in which `<meta>` is looked for; 1,024 by default, and not together with `xml`. */
    maxPrescanBytes?: number;
  }
  export default function htmlEncodingSniffer(bytes: Uint8Array, options?: SniffOptions): string;
}
