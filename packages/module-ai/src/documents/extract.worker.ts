import { parentPort, workerData } from "node:worker_threads";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { extractText, getDocumentProxy } from "unpdf";

/** What the thread is given, and what it answers. */
export interface ExtractJob {
  mediaType: "text/html" | "application/pdf";
  data: Uint8Array;
}
export type ExtractResult = { text: string } | { problem: "encrypted" | "damaged"; message: string };

/** Text of pages, parted by form feeds. */
async function readPdf(data: Uint8Array): Promise<ExtractResult> {
  try {
    const { text } = await extractText(await getDocumentProxy(data, { verbosity: 0 }), { mergePages: false });
    return { text: text.join("\f") };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { problem: name === "PasswordException" ? "encrypted" : "damaged", message };
  }
}

function readHtml(data: Uint8Array): ExtractResult {
  const html = new TextDecoder().decode(data);
  return { text: NodeHtmlMarkdown.translate(html, { ignore: ["script", "style", "noscript", "template", "svg"] }) };
}

const { mediaType, data } = workerData as ExtractJob; // cast: given by extract-text.ts
parentPort?.postMessage(mediaType === "application/pdf" ? await readPdf(data) : readHtml(data));
