import { EventEmitter } from "node:events";
import { ClientGone } from "@oven/module-registry";
import { beforeEach, describe, expect, it } from "vitest";
import { OpenRequests } from "./open-requests.ts";

describe("requests that are being answered", () => {
  let open: OpenRequests;
  let client: AbortController;
  let response: EventEmitter & { closed: boolean };
  beforeEach(() => {
    open = new OpenRequests();
    client = new AbortController();
    response = Object.assign(new EventEmitter(), { closed: false });
  });
  const watched = () => {
    const request = new Request("http://localhost/api/things", { signal: client.signal });
    return open.watch(request, response as unknown as Parameters<OpenRequests["watch"]>[1]); // cast: what is asked of a response
  };
  const close = () => {
    response.closed = true;
    response.emit("close");
  };

  it("are forgotten once they are answered, and are none where nobody has asked for the signal", () => {
    const request = watched();
    expect([request.url, open.size]).toEqual(["http://localhost/api/things", 0]);
    const { signal } = request;
    expect(request.signal).toBe(signal);
    expect([signal.aborted, open.size]).toEqual([false, 1]);
    close();
    expect([signal.aborted, open.size]).toEqual([false, 0]);
  });

  it("end when their client goes away, and when the server stops", () => {
    const { signal } = watched();
    client.abort();
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(ClientGone);
    client = new AbortController();
    const other = watched().signal;
    open.endAll();
    expect(other.aborted).toBe(true);
    expect(other.reason).not.toBeInstanceOf(ClientGone);
    client = new AbortController();
    expect(watched().signal.aborted).toBe(true);
  });

  it("are not kept where the client was gone, or the answer closed, before anybody asked", () => {
    client.abort();
    expect(watched().signal.aborted).toBe(true);
    client = new AbortController();
    close();
    expect(watched().signal.aborted).toBe(false);
    expect(open.size).toBe(0);
  });
});
