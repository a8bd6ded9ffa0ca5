import { decodeText } from "@oven/contract/text";

/**
 * The text of a chosen file, without a byte order mark.
 * @throws OvenError TEXT_UNDECODABLE for bytes that are no text; `File.text()` would put U+FFFD in their place
 */
export async function readTextFile(file: File): Promise<string> {
  return decodeText(new Uint8Array(await file.arrayBuffer()), { what: file.name, fix: "Save the file as UTF-8." }).text;
}
