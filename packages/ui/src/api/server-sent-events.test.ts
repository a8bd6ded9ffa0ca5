import { describe, expect, it } from "vitest";
import { readEvents } from "./server-sent-events.ts";

describe("readEvents", () => {
  it("gives id, name and data of whole events, and leaves comments out", async () => {
    const chunks = [
      ": hello\n\nid: 17\nevent: node.completed\nda",
      'ta: {"seq":17}\n',
      "\ndata: a\r\ndata: b\r\n\r\nid: 2\n",
    ];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const events = [];
    for await (const event of readEvents(body)) events.push(event);
    expect(events).toEqual([
      { id: "17", event: "node.completed", data: '{"seq":17}' },
      { id: null, event: "message", data: "a\nb" },
    ]);
  });

  it("gives the events of a body, multi-byte characters split between chunks included", async () => {
    const bytes = new TextEncoder().encode("data: grün\n\ndata: 2\n\n");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const data: string[] = [];
    for await (const event of readEvents(body)) data.push(event.data);
    expect(data).toEqual(["grün", "2"]);
  });

  it("cancels the body when the reader leaves early", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of readEvents(body)) {
      expect(event.data).toBe("1");
      break;
    }
    expect(cancelled).toBe(true);
  });
});
