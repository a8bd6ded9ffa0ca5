import { hash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isSignedForS3 } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const keys = { keyId: "AKIATEST", secretKey: "a-secret-key-of-the-bucket" };
/** Few, so that lists come in pages. */
const PAGE = 2;

interface Stored {
  content: Buffer;
  at: Date;
}

describe("files in a bucket", () => {
  const clock: TestClock = { now: new Date("2026-10-23T12:00:00Z") };
  const objects = new Map<string, Stored>();
  /** Objects that were fetched, and what is deleted when it is asked for. */
  const fetched: string[] = [];
  const vanishing = new Set<string>();
  let server: Server;
  let triggers: TestTriggers;
  let workflowId: number;
  let endpoint: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader("date", clock.now.toUTCString());
      if (!isSignedForS3(request, Buffer.alloc(0), keys)) {
        response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code><Message>Wrong key</Message></Error>");
        return;
      }
      const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket");
      const key = decodeURIComponent(pathname.slice("/incoming/".length));
      if (key === "") {
        response.writeHead(200).end(list(searchParams));
        return;
      }
      fetched.push(key);
      if (vanishing.delete(key)) objects.delete(key);
      const found = objects.get(key);
      if (found === undefined) response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
      else if (request.headers["if-match"] !== tagOf(found)) response.writeHead(412).end();
      else response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(found.content);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on a port
    triggers = await startTriggers(clock, undefined, { outboundAllow: [endpoint] });
    workflowId = await triggers.workflow("Files");
    for (const [name, value] of [
      ["bucket_key", keys.secretKey],
      ["wrong_key", "another-key-of-the-bucket"],
    ])
      await triggers.oven.call("POST", "secrets", { name, value, hosts: [new URL(endpoint).host] });
  });
  afterAll(async () => {
    await triggers.stop();
    server.close();
  });

  const tagOf = ({ content }: Stored) => `"${hash("md5", content, "hex")}"`;
  function list(query: URLSearchParams): string {
    const found = [...objects].filter(([key]) => key.startsWith(query.get("prefix") ?? "")).sort();
    const from = Number(query.get("continuation-token") ?? 0);
    const shown = found.slice(from, from + PAGE).map(
      ([key, stored]) =>
        `<Contents><Key>${key.replaceAll("&", "&amp;")}</Key><LastModified>${stored.at.toISOString()}</LastModified>
         <ETag>&quot;${tagOf(stored).slice(1, -1)}&quot;</ETag><Size>${stored.content.length}</Size></Contents>`,
    );
    const more = from + PAGE < found.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : "";
    return `<ListBucketResult>${shown.join("")}${more}</ListBucketResult>`;
  }
  const put = (key: string, content: string, at = clock.now) => objects.set(key, { content: Buffer.from(content), at });
  const make = async (config: object = {}) =>
    (
      await triggers.make({
        type: "bucket",
        name: "Files",
        target: { kind: "workflow", workflowId },
        config: { bucket: "incoming", prefix: "in/", endpoint, keyId: keys.keyId, secretKey: "bucket_key", ...config },
      })
    ).id;
  const pass = async (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
    await triggers.tick();
  };
  const arrived = async (id: number) =>
    (await triggers.deliveries(id)).map(({ payload }) => (payload as { key: string }).key); // cast: an object

  it("start one run each: new ones and those with other content, once, and not those that lay there", async () => {
    put("in/old.txt", "old", new Date(clock.now.getTime() - 30 * HOUR));
    put("in/recent.txt", "recent", new Date(clock.now.getTime() - MINUTE));
    const id = await make();
    await pass(0);
    expect(await arrived(id)).toEqual([]);
    put("in/a & b.txt", "first");
    put("in/folder/", "");
    put("elsewhere/c.txt", "no");
    put("in/d.txt", "an upload that began earlier", new Date(clock.now.getTime() - HOUR));
    await pass(MINUTE);
    expect(await arrived(id)).toEqual(["in/d.txt", "in/a & b.txt"]);
    const [, delivery] = await triggers.deliveries(id);
    expect(delivery).toMatchObject({
      decision: "started",
      payload: {
        bucket: "incoming",
        etag: hash("md5", "first", "hex"),
        sizeBytes: 5,
        file: { filename: "a & b.txt", contentType: "text/plain; charset=utf-8", sizeBytes: 5, blob: {} },
      },
    });
    put("in/a & b.txt", "second");
    await pass(MINUTE);
    await pass(MINUTE);
    await pass(30 * HOUR);
    expect(await arrived(id)).toEqual(["in/d.txt", "in/a & b.txt", "in/a & b.txt"]);
    expect(fetched).toEqual(["in/d.txt", "in/a & b.txt", "in/a & b.txt"]);
    await triggers.oven.call("DELETE", `triggers/${id}`);
  });

  it("come in several looks where there are many, without the content of large ones and without what is gone", async () => {
    objects.clear();
    for (let n = 100; n < 130; n++) put(`in/${n}.txt`, `${n}`);
    put("in/large.txt", "x".repeat(50), new Date(clock.now.getTime() - MINUTE));
    vanishing.add("in/101.txt");
    const id = await make({ existing: "take", maxFileBytes: 20 });
    await pass(0);
    expect((await triggers.oven.call("GET", `triggers/${id}`)).body.lastError).toBeNull();
    expect(await arrived(id)).toHaveLength(24);
    await pass(1_000);
    const numbers = Array.from({ length: 30 }, (_, n) => `in/${n + 100}.txt`).filter((key) => key !== "in/101.txt");
    expect(await arrived(id)).toEqual(["in/large.txt", ...numbers]);
    const [large] = await triggers.deliveries(id);
    expect(large?.payload).toMatchObject({ file: { skipped: "It is larger than 20 bytes" } });
    await triggers.oven.call("DELETE", `triggers/${id}`);
  });

  it("say what the store said, and go nowhere that outbound calls may not", async () => {
    const wrong = await make({ secretKey: "wrong_key" });
    const inside = await make({ endpoint: "http://169.254.169.254", secretKey: "bucket_key" });
    await pass(0);
    const errorOf = async (id: number) => (await triggers.oven.call("GET", `triggers/${id}`)).body.lastError;
    expect(await errorOf(wrong)).toBe("The store answered 403: SignatureDoesNotMatch Wrong key");
    // The secret is bound to another host.
    expect(await errorOf(inside)).toContain("169.254.169.254");
  });
});
