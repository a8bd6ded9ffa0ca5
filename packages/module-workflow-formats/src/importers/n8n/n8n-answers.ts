import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { N8nData } from "./n8n-references.ts";

/** Behind each request whose answer is read as a text, the step that reads it so. */
export function addAnswers(parts: Map<string, Part>, { texts }: N8nData): void {
  for (const [name, { id, mapping }] of texts) {
    const request = parts.get(name);
    if (request === undefined) continue;
    const key = partKey("answer", name);
    const { ways, endOutput } = request;
    const invoke = { src: "core.transform", input: { mapping } };
    parts.set(key, { id, label: `Answer of ${name}`, invoke, ways, endOutput });
    parts.set(name, { ...request, ways: [{ targets: [key] }] });
  }
}
