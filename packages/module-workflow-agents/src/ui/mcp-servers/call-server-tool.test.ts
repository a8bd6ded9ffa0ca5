import { expect, it } from "vitest";
import { toTried } from "./call-server-tool.ts";

const message = (body: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...body });

it("takes the structured result, from an answer and from the last message of a stream", () => {
  const answer = message({
    result: { content: [{ type: "text", text: "x" }], structuredContent: { status: "completed" } },
  });
  const expected = { result: { status: "completed" }, error: null, durationMs: 5 };
  expect(toTried(answer, 200, 5)).toEqual(expected);
  const progress = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: {} });
  expect(toTried(`event: message\ndata: ${progress}\n\nevent: message\ndata: ${answer}\n\n`, 200, 5)).toEqual(expected);
  expect(toTried(message({ result: { content: [{ type: "text", text: "only words" }] } }), 200, 5).result).toBe(
    "only words",
  );
});

it("tells a failure in the server's words", () => {
  const failed = message({ result: { isError: true, content: [{ type: "text", text: "no such order" }] } });
  expect(toTried(failed, 200, 1).error?.message).toBe("no such order");
  expect(toTried(message({ error: { code: -32602, message: "bad arguments" } }), 400, 1).error?.message).toBe(
    "bad arguments",
  );
  expect(toTried("<html>", 502, 1).error?.message).toBe("The server answered 502");
});
