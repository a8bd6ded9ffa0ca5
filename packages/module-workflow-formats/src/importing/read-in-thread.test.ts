import { expect, it } from "vitest";
import { readForeign } from "./read-foreign.ts";
import { readInThread } from "./read-in-thread.ts";

const signal = new AbortController().signal;
const source = JSON.stringify({
  name: "Small",
  nodes: [
    { name: "Start", type: "n8n-nodes-base.manualTrigger" },
    { name: "Wait", type: "n8n-nodes-base.wait" },
  ],
  connections: { Start: { main: [[{ node: "Wait", type: "main", index: 0 }]] } },
});

it("a thread reads a document as it is read here", async () => {
  expect(await readInThread(source, signal)).toEqual(await readForeign(source));
});

it("refuses what is refused here, with the same words and place", async () => {
  const text = '{\n  "nodes": []\n  "connections": {}\n}';
  const here = await readForeign(text).catch((error: unknown) => error);
  const { code, message, status, fix, details } = here as Record<string, unknown>; // cast: an OvenError
  await expect(readInThread(text, signal)).rejects.toMatchObject({ code, message, status, fix, details });
});

it("is given up after its time, and with the request", async () => {
  // Takes longer than its time also in a thread that has loaded everything.
  const nodes = Array.from({ length: 1_000 }, (_, index) => ({ name: `Wait ${index}`, type: "n8n-nodes-base.wait" }));
  const large = JSON.stringify({ name: "Large", nodes, connections: {} });
  await expect(readInThread(large, signal, 1)).rejects.toMatchObject({
    code: "SOURCE_UNREADABLE",
    message: expect.stringContaining("takes longer than"),
  });
  const gone = new AbortController();
  const reading = readInThread(source, gone.signal);
  gone.abort(new Error("the sender left"));
  await expect(reading).rejects.toThrow("the sender left");
});
