import { readFile } from "node:fs/promises";
import { decodeText } from "@oven/contract/text";

/** The first line of the file. A passphrase on the command line would be in the list of processes and the shell's history. */
export async function readPassphrase(path: string): Promise<string> {
  const { text } = decodeText(await readFile(path), { what: path });
  return text.split(/\r?\n/)[0] ?? "";
}
