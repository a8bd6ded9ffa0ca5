import { describe, expect, it } from "vitest";
import { createEventParser, readEvents } from "./server-sent-events.ts";

describe("the event parser", () => {
  it("reads id, name and data, and leaves comments out", () => {
    const parse = createEventParser();
    expect(parse(': hello\n\nid: 17\nevent: node.completed\ndata: {"seq":17}\n\n')).toEqual([
      { id: "17", event: "node.completed", data: '{"seq":17}' },
    ]);
  });

  it("waits for the rest of an event that came in pieces", () => {
    const parse = createEventParser();
    expect(parse("id: 1\nda")).toEqual([]);
    expect(parse("ta: a\n")).toEqual([]);
    expect(parse("data: b\n\nid: 2\n")).toEqual([{ id: "1", event: "message", data: "a\nb" }]);
  });

  it("takes CRLF", () => {
    expect(createEventParser()("data: a\r\n\r\n")).toEqual([{ id: null, event: "message", data: "a" }]);
  });
});

describe("readEvents", () => {
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
