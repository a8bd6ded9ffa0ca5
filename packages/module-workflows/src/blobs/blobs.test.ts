import { createHash, randomBytes } from "node:crypto";
import type { Json, JsonObject, Principal } from "@oven/contract";
import { TEXT_SAMPLES } from "@oven/contract/text/testing";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";
import { type BlobPosition, type BlobService, createBlobService } from "./blob-service.ts";
import { summarise, toBlobStub } from "./blob-stub.ts";
import { parseByteRange } from "./byte-range.ts";

const position: BlobPosition = { tenantId: 1, executionId: 7, nodeId: "fetch", visit: 1, item: null };
const owner: Pick<Principal, "tenantId"> = { tenantId: 1 };

describe.each(testDatabases(inject("postgresUrl")))("blobs on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let blobs: BlobService;
  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
    blobs = createBlobService(database.db);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });
  const get = (id: number, headers: Record<string, string> = {}) => oven.fetch(`blobs/${id}`, { headers });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it("comes back byte for byte: 20 MB of noise", async () => {
    const noise = randomBytes(20_000_000);
    const reference = await blobs.write(position, "application/zip", noise);
    expect(reference).toEqual({
      $blob: expect.any(Number),
      mediaType: "application/zip",
      bytes: 20_000_000,
      sha256: createHash("sha256").update(noise).digest("hex"),
      summary: "application/zip",
    });
    expect(noise.equals((await blobs.read(reference.$blob, owner)).data)).toBe(true);
    const response = await get(reference.$blob);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "20000000",
      "content-disposition": `attachment; filename="blob-${reference.$blob}.bin"`,
      "x-content-type-options": "nosniff",
    });
    expect(noise.equals(await bytesOf(response))).toBe(true);
    const part = await get(reference.$blob, { range: "bytes=1048570-3000000" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 1048570-3000000/20000000"]);
    expect(noise.subarray(1_048_570, 3_000_001).equals(await bytesOf(part))).toBe(true);
  });

  it.each(TEXT_SAMPLES)(
    "is text in the $charset that its type declares, also in a browser",
    async ({ charset, text, bytes }) => {
      const reference = await blobs.write(position, `text/plain; charset=${charset}`, bytes);
      expect(await blobs.load({ ...reference }, 1)).toBe(text);
      expect(reference.summary).toBe(text);
      const type = (await get(reference.$blob)).headers.get("content-type") ?? "";
      expect(new TextDecoder(/charset=(.+)/.exec(type)?.[1]).encoding).toBe(new TextDecoder(charset).encoding);
    },
  );

  it("that is no text in its charset is refused in words, and a file that only says it is JSON is text", async () => {
    const latin = await blobs.write(position, "text/plain", new Uint8Array([0x4d, 0xfc]));
    await expect(blobs.load({ ...latin }, 1)).rejects.toMatchObject({ code: "TEXT_UNDECODABLE" });
    const broken = await blobs.write(position, "application/json", new Uint8Array(Buffer.from("{broken")));
    expect(await blobs.load({ ...broken }, 1)).toBe("{broken");
    const long = await blobs.write(
      position,
      "application/json",
      new Uint8Array(Buffer.from('{"id":7615917337495251231}')),
    );
    await expect(blobs.load({ ...long }, 1)).rejects.toMatchObject({ code: "NUMBER_NOT_EXACT", path: "$.id" });
  });

  it("keeps an output as its JSON, which reads back equal", async () => {
    const output: Json = {
      text: "\0 \ud800 😀",
      big: 9_007_199_254_740_991,
      list: [1, null, { deep: true }],
      __proto__: 1,
    };
    const reference = await blobs.writeOutput(position, output);
    expect(await blobs.load(reference, 1)).toEqual(output);
    const { stub, bytes } = toBlobStub(output);
    expect(reference).toEqual({ $blob: reference.$blob, ...stub });
    expect(await bytesOf(await get(reference.$blob))).toEqual(Buffer.from(bytes));
    expect(await blobs.load(await blobs.write(position, "text/plain", Buffer.from("Grüezi")), 1)).toBe("Grüezi");
    expect(await blobs.load(await blobs.write(position, "image/png", Buffer.from([1, 2])), 1)).toBe("AQI=");
    expect(await bytesOf(await get((await blobs.write(position, "image/png", new Uint8Array())).$blob))).toHaveLength(
      0,
    );
  });

  it("is kept once for one node run, however often the step is repeated", async () => {
    const first = await blobs.writeOutput(position, "the same");
    expect(await blobs.writeOutput(position, "the same")).toEqual(first);
    expect((await blobs.writeOutput({ ...position, visit: 2 }, "the same")).$blob).not.toBe(first.$blob);
    expect((await blobs.writeOutput({ ...position, item: "a" }, "the same")).$blob).not.toBe(first.$blob);
  });

  it("is seen by its tenant only, and followed only by a reference that was not made up", async () => {
    const reference = await blobs.writeOutput({ ...position, tenantId: 2 }, "of tenant 2");
    expect((await get(reference.$blob)).status).toBe(404);
    await expect(blobs.load(reference, 1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const mine = await blobs.writeOutput(position, "mine");
    const made: JsonObject[] = [{ ...mine, sha256: "0".repeat(64) }, { $blob: mine.$blob }, {}];
    for (const forged of made) await expect(blobs.load(forged, 1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await blobs.load(mine, 1)).toBe("mine");
  });

  it("is never a page that a browser would run", async () => {
    for (const [mediaType, sent] of [
      ["text/html", "application/octet-stream"],
      ["image/svg+xml", "application/octet-stream"],
      ["TEXT/PLAIN; charset=latin1", "text/plain; charset=windows-1252"],
      ["application/json", "application/json; charset=utf-8"],
      ["constructor", "application/octet-stream"],
    ] as const) {
      const { $blob } = await blobs.write(position, mediaType, Buffer.from("<script>alert(1)</script>"));
      const { headers } = await get($blob);
      expect(headers.get("content-type")).toBe(sent);
      expect(headers.get("content-disposition")).toMatch(/^attachment/);
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
  });

  it("says what a range can be", async () => {
    const { $blob } = await blobs.write(position, "text/plain", Buffer.from("0123456789"));
    const ask = async (range: string) => {
      const response = await get($blob, { range });
      return [response.status, response.status < 300 ? (await bytesOf(response)).toString() : ""];
    };
    expect(await ask("bytes=2-4")).toEqual([206, "234"]);
    expect(await ask("bytes=7-")).toEqual([206, "789"]);
    expect(await ask("bytes=-2")).toEqual([206, "89"]);
    expect(await ask("bytes=10-")).toEqual([416, ""]);
    expect(await ask("bytes=0-1,4-5")).toEqual([200, "0123456789"]);
  });

  it("refuses what is too large", async () => {
    const large = new Uint8Array(64 * 1_048_576 + 1);
    await expect(blobs.write(position, "image/png", large)).rejects.toMatchObject({ code: "BLOB_TOO_LARGE" });
  });
});

describe("a range header", () => {
  it.each([
    [null, undefined],
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=5-100", { start: 5, end: 10 }],
    ["bytes=-100", { start: 0, end: 10 }],
    ["bytes=-0", null],
    ["bytes=10-12", null],
    ["bytes=4-2", undefined],
    ["bytes=-", undefined],
    ["items=0-1", undefined],
    ["bytes=a-b", undefined],
  ])("%s of 10 bytes", (header, range) => {
    expect(parseByteRange(header, 10)).toEqual(range);
  });
});

describe("a summary", () => {
  it("is the beginning of a text, or the shape of a value, and never long", () => {
    expect(summarise("x".repeat(600))).toBe("x".repeat(500));
    expect(
      summarise({
        rows: [
          { id: 1, name: "a" },
          { id: 2, name: "b" },
        ],
        total: 2,
        none: null,
        ok: true,
      }),
    ).toBe("{rows: [2 × {id: number, name: text}], total: number, none: null, ok: boolean}");
    expect(summarise(["y".repeat(50)])).toBe("[1 × text of 50 characters]");
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}${"k".repeat(200)}`, {}]));
    expect(summarise(wide).length).toBeLessThanOrEqual(500);
    expect(summarise({ a: { b: { c: { d: { e: 1 } } } } })).toBe("{a: {b: {c: {d: {…}}}}}");
  });
});
