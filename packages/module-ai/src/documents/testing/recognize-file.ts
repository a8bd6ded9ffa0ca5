import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { extractText } from "../extract-text.ts";

/* Writes the text of the PDF at the given path, with all languages; `fetch <url>` instead shows what a connection in a thread leads to. */
const [what = "", url] = process.argv.slice(2);
if (what === "fetch") new Worker(`await fetch(${JSON.stringify(url)})`, { eval: true });
else {
  const recognition = {
    languages: ["eng", "deu"] as const,
    maxPages: 10,
    known: [],
    onProgress: async () => undefined,
  };
  const document = { mediaType: "application/pdf", charset: null } as const;
  const { text } = await extractText(document, await readFile(what), AbortSignal.timeout(60_000), recognition);
  process.stdout.write(text);
}
