import type { DocumentChunk, KnowledgeDocument, QueryVectorsAnswer } from "@oven/contract/ai";
import { surround, TEXT_SAMPLES } from "@oven/contract/text/testing";
import type { Database } from "@oven/db";
import { testDatabases } from "@oven/db/testing";
import { makeDocx, makePdf } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { countWords, type OpenStores, openStores, stranger } from "../embeddings/testing/open-stores.ts";
import { MAX_DOCUMENT_BYTES } from "./document-size.ts";
import { DOCX } from "./file-kind.ts";
import { readPage } from "./read-page.ts";
import { readUpload } from "./upload.ts";

const count = countWords("cat", "dog", "ship", "rain");
const params = { id: "library" };
const guide = "# Guide\n\n## Pets\n\nThe cat sleeps.\n\n## Sea\n\nThe ship sails.\n";

describe.each(testDatabases(inject("postgresUrl")))("documents on $name", ({ open }) => {
  let db: Database;
  let close: () => Promise<void>;
  let stores: OpenStores;
  let embed: (text: string) => number[] | { status: number } = count;

  const openAgain = async () => {
    stores = await openStores(db, { embed: (text) => embed(text) });
  };
  beforeAll(async () => {
    ({ db, close } = await open());
    await openAgain();
    const body = { name: "Library", embeddingModel: "openai:e" };
    await stores.invoke("POST", "vector-stores", { body });
  });
  beforeEach(async () => {
    embed = count;
    await db.query("delete from ai_documents");
    stores.server.embeddingRequests.length = 0;
  });
  afterAll(async () => {
    await stores.close();
    await close();
  });

  const add = (body: object) =>
    stores.invoke<KnowledgeDocument>("POST", "vector-stores/[id]/documents", { params, body });
  const get = (id: number) =>
    stores.invoke<KnowledgeDocument>("GET", "vector-stores/[id]/documents/[documentId]", {
      params: { ...params, documentId: String(id) },
    });
  async function settled(id: number): Promise<KnowledgeDocument> {
    await expect.poll(async () => (await get(id)).status).toMatch(/ready|failed/);
    return get(id);
  }
  const added = async (body: object) => settled((await add(body)).id);
  const find = async (query: string, more: object = {}) => {
    const body = { query, mode: "vector", topK: 1, ...more };
    return (await stores.invoke<QueryVectorsAnswer>("POST", "vector-stores/[id]/query", { params, body })).matches;
  };
  const textOf = async (id: number) => {
    const of = { params: { ...params, documentId: String(id) } };
    return (await stores.invoke<{ text: string }>("GET", "vector-stores/[id]/documents/[documentId]/text", of)).text;
  };
  const embedded = () => stores.server.embeddingRequests.flatMap(({ body }) => body.input as string[]); // cast: the wire format

  it("takes Markdown in, and cites the passage by document, headings and offsets [004-061]", async () => {
    const first = await add({ title: "Handbook", text: guide, metadata: { lang: "en" } });
    expect(["queued", "running", "ready"]).toContain(first.status);
    const document = await settled(first.id);
    expect(document).toMatchObject({ status: "ready", chunks: 2, progress: { done: 2, total: 2 }, error: null });
    const [match] = await find("Where is the ship?", { filter: { lang: "en" } });
    expect(match).toMatchObject({
      text: "The ship sails.",
      source: { documentId: document.id, title: "Handbook", chunk: 1, headings: ["Guide", "Sea"] },
      metadata: { lang: "en", document: document.key, tokens: 4 },
    });
    const { text } = await stores.invoke<{ text: string }>("GET", "vector-stores/[id]/documents/[documentId]/text", {
      params: { ...params, documentId: String(document.id) },
    });
    expect(text.slice(match?.source?.start, match?.source?.end)).toBe("The ship sails.");
    expect(embedded()).toContain("Handbook › Guide › Sea\nThe ship sails.");
  });

  it.each([
    [
      "text/html",
      Buffer.from("<h1>Sea</h1><script>cat()</script><p>The <b>ship</b> sails.</p>"),
      "The **ship** sails.",
      ["Sea"],
    ],
    ["application/pdf", Buffer.from(makePdf(["The cat sleeps.", "The ship sails."])), "The ship sails.", ["Page 2"]],
    ["text/plain", Buffer.from("The ship sails.\r\n"), "The ship sails.", []],
    [DOCX, Buffer.from(makeDocx(["The ship sails."])), "The ship sails.", []],
  ])("reads %s", async (mediaType, data, text, headings) => {
    const document = await added({ title: "File", mediaType, data: data.toString("base64") });
    expect(document).toMatchObject({ status: "ready", error: null });
    expect((await find("ship"))[0]).toMatchObject({ text, source: { headings } });
  });

  it.each([
    ["an encrypted PDF", "application/pdf", makePdf(["secret"], { encrypted: true }), "DOCUMENT_ENCRYPTED"],
    ["a PDF that is none", "application/pdf", Buffer.from("hello"), "DOCUMENT_UNREADABLE"],
    ["a PDF of pictures", "application/pdf", makePdf([""]), "DOCUMENT_EMPTY"],
    ["a Word document that is none", DOCX, Buffer.from("hello"), "DOCUMENT_UNREADABLE"],
    ["text in another encoding", "text/plain", Buffer.from([0x66, 0xfc, 0x72]), "DOCUMENT_UNREADABLE"],
  ])("says what is wrong with %s, and keeps what was there", async (_name, mediaType, data, code) => {
    await added({ key: "same", title: "Before", text: guide });
    const body = { key: "same", title: "After", mediaType, data: Buffer.from(data).toString("base64") };
    const document = await added(body);
    expect(document).toMatchObject({ status: "failed", error: { code, fix: expect.any(String) } });
    expect((await find("ship"))[0]?.text).toBe("The ship sails.");
  });

  it.each([
    ["Japanese", "90ms-RKSJ-H", "Japan1", "93fa967b8cea", "日本語"],
    ["Japanese", "UniJIS-UTF16-H", "Japan1", "65e5672c8a9e", "日本語"],
    ["simplified Chinese", "GBK-EUC-H", "GB1", "c4e3bac3cac0bde7", "你好世界"],
    ["traditional Chinese", "ETen-B5-H", "CNS1", "a741a66ea540acc9", "你好世界"],
    ["Korean", "KSCms-UHC-H", "Korea1", "bec8b3e7c7cfbcbcbfe4", "안녕하세요"],
  ])("reads a PDF with %s text in the character map %s", async (_language, cmap, ordering, codes, text) => {
    const pdf = makePdf(["A ship", { cmap, ordering, codes: new Uint8Array(Buffer.from(codes, "hex")) }]);
    const document = await added({
      title: "File",
      mediaType: "application/pdf",
      data: Buffer.from(pdf).toString("base64"),
    });
    expect(document).toMatchObject({ status: "ready", warnings: [] });
    expect(await textOf(document.id)).toBe(`A ship\f${text}`);
  });

  it("warns of pages that show something and have no text, but not of empty ones", async () => {
    const pdf = makePdf(["A ship", { picture: true }, "", { picture: true }]);
    const body = {
      key: "scan",
      title: "Scan",
      mediaType: "application/pdf",
      data: Buffer.from(pdf).toString("base64"),
    };
    const document = await added(body);
    const warnings = [{ kind: "pages-without-text", pages: [2, 4], count: 2, of: 4 }];
    expect(document).toMatchObject({ status: "ready", warnings });
    // New content has none of its own yet.
    expect(await added({ key: "scan", title: "Scan", text: "A dog" })).toMatchObject({ status: "ready", warnings: [] });
  });

  it.each(TEXT_SAMPLES)("reads text and pages in $charset, as they are declared", async (sample) => {
    const { charset, text } = sample;
    const plain = {
      title: "Text",
      mediaType: "text/plain",
      data: Buffer.from(sample.bytes).toString("base64"),
      charset,
    };
    const document = await added(plain);
    expect(document).toMatchObject({ status: "ready", charset: expect.any(String), warnings: [] });
    expect(await textOf(document.id)).toBe(text);
    const page = Buffer.from(surround(`<meta charset="${charset}"><p>`, sample, "</p>")).toString("base64");
    // A page cannot declare inside itself that it is UTF-16.
    const declared = charset.startsWith("utf-16") ? { charset } : {};
    const html = await added({ title: "Page", mediaType: "text/html", data: page, ...declared });
    expect(await textOf(html.id)).toBe(text);
  });

  it("refuses a charset that nobody knows, and takes the same file in again with another one", async () => {
    const body = {
      key: "old",
      title: "Old",
      mediaType: "text/plain",
      data: Buffer.from("f\xfcr", "latin1").toString("base64"),
    };
    await expect(add({ ...body, charset: "klingon" })).rejects.toMatchObject({
      code: "TEXT_UNDECODABLE",
      path: "$.charset",
    });
    expect(await added(body)).toMatchObject({ status: "failed", charset: null });
    const read = await added({ ...body, charset: "latin1" });
    expect([read.status, await textOf(read.id)]).toEqual(["ready", "für"]);
    const other = await added({ ...body, charset: "windows-1251" });
    expect([other.id, await textOf(other.id)]).toEqual([read.id, "fьr"]);
  });

  it("marks what a page has that is no text, and warns of it", async () => {
    const data = Buffer.from('<meta charset="utf-8"><p>Gr\xfc\xdfe</p>', "latin1").toString("base64");
    const document = await added({ title: "Page", mediaType: "text/html", data });
    expect(document).toMatchObject({
      status: "ready",
      warnings: [{ kind: "undecodable", count: 2, charset: "utf-8" }],
    });
    expect(await textOf(document.id)).toBe("Gr\uFFFD\uFFFDe");
  });

  it("does nothing for the same content, replaces by key when it changed, and deletes what was made of it", async () => {
    const first = await added({ key: "guide", title: "Guide", text: guide, metadata: { b: 1, a: 2 } });
    const asked = embedded().length;
    const again = await added({ key: "guide", title: "Guide", text: guide, metadata: { b: 1, a: 2 } });
    expect(again).toEqual(first);
    expect(embedded()).toHaveLength(asked);
    const changed = await added({ key: "guide", title: "Guide", text: "The dog barks." });
    expect(changed).toMatchObject({ id: first.id, status: "ready", chunks: 1 });
    expect((await find("ship dog", { topK: 9 })).map(({ text }) => text)).toEqual(["The dog barks."]);
    await stores.invoke("DELETE", "vector-stores/[id]/documents/[documentId]", {
      params: { ...params, documentId: String(first.id) },
    });
    expect(await find("dog")).toEqual([]);
    await expect(get(first.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("goes on after a restart where it stopped, and embeds no passage twice", async () => {
    const text = Array.from({ length: 80 }, (_, n) => `# Part ${n}\n\nThe ship number ${n} sails.`).join("\n\n");
    const finished: string[] = [];
    const stopped = Promise.withResolvers<void>();
    embed = (passage) => {
      // The second batch is on its way when the process goes; its answer never counts.
      if (finished.length >= 32 && !finished.includes(passage)) stopped.resolve();
      finished.push(passage);
      return count(passage);
    };
    const { id } = await add({ title: "Long", text });
    await stopped.promise;
    await stores.close();
    const [row] = await db.query<{ status: string; done: number }>("select status, done from ai_documents");
    expect(row?.status).toBe("queued");
    const kept = (await db.query<{ key: string }>("select key from ai_vector_items where document_id = $1", [id]))
      .length;
    expect(kept).toBeGreaterThanOrEqual(32);
    expect(kept).toBeLessThan(80);
    embed = count;
    await openAgain();
    expect(await settled(id)).toMatchObject({ status: "ready", chunks: 80 });
    expect(embedded()).toHaveLength(80 - kept);
    expect((await find("ship", { topK: 100 })).length).toBe(80);
  });

  it("takes over from a process that died, once its lease is over", async () => {
    const { id } = await added({ title: "Guide", text: guide });
    const lease = "status = 'running', lease_token = 'of the dead'";
    await db.query(`update ai_documents set ${lease}, lease_until = now() - interval '1 second' where id = $1`, [id]);
    await added({ title: "Another", text: "The dog barks." });
    expect(await settled(id)).toMatchObject({ status: "ready" });
  });

  it("shows a provider's refusal on the document, and is taken in when it is added again", async () => {
    embed = () => ({ status: 400 });
    const failed = await added({ key: "again", title: "Guide", text: guide });
    expect(failed).toMatchObject({ status: "failed", error: { code: "MODEL_REFUSED_REQUEST" } });
    expect(await db.query("select 1 from ai_vector_items where pending")).toEqual([]);
    embed = count;
    expect(await added({ key: "again", title: "Guide", text: guide })).toMatchObject({
      id: failed.id,
      status: "ready",
    });
  });

  it("takes one that failed in again when it is told to, and leaves any other as it is", async () => {
    const retry = (id: number) =>
      stores.invoke<KnowledgeDocument>("POST", "vector-stores/[id]/documents/[documentId]/retry", {
        params: { ...params, documentId: String(id) },
      });
    embed = () => ({ status: 400 });
    const failed = await added({ title: "Guide", text: guide });
    expect(failed.status).toBe("failed");
    expect(await stores.invoke("GET", "vector-stores/[id]", { params })).toMatchObject({
      documents: 1,
      documentsFailed: 1,
      documentsOpen: 0,
      bytes: guide.length,
      changedAt: failed.updatedAt,
    });
    embed = count;
    expect((await retry(failed.id)).error).toBeNull();
    const ready = await settled(failed.id);
    expect(ready).toMatchObject({ status: "ready", chunks: 2 });
    const asked = embedded().length;
    expect(await retry(failed.id)).toEqual(ready);
    expect(embedded()).toHaveLength(asked);
  });

  it("lists the passages of a document in order, without those that are not found yet", async () => {
    const { id } = await added({ key: "guide", title: "Guide", text: guide });
    const chunks = (query: Record<string, string>) =>
      stores.invoke<DocumentChunk[]>("GET", "vector-stores/[id]/documents/[documentId]/chunks", {
        params: { ...params, documentId: String(id) },
        query: { sort: '["chunk","ASC"]', ...query },
      });
    expect(await chunks({})).toMatchObject([
      { chunk: 0, text: "The cat sleeps.", headings: ["Guide", "Pets"] },
      { chunk: 1, text: "The ship sails.", headings: ["Guide", "Sea"], start: guide.indexOf("The ship") },
    ]);
    expect((await chunks({ filter: '{"q":"ship"}' })).map(({ chunk }) => chunk)).toEqual([1]);
    expect((await chunks({ range: "[0,0]" })).map(({ chunk }) => chunk)).toEqual([0]);
    // New content, of which a part is written and the rest must wait.
    embed = (text) => (text.includes("late") ? { status: 503 } : count(text));
    const parts = Array.from({ length: 32 }, (_, n) => `# Part ${n}\n\nA new ship, number ${n}.`);
    await add({ key: "guide", title: "Guide", text: [...parts, "# End\n\nA late ship."].join("\n\n") });
    await expect.poll(() => get(id)).toMatchObject({ status: "queued", progress: { done: 32, total: 33 } });
    expect((await chunks({})).map(({ text }) => text)).toEqual(["The cat sleeps.", "The ship sails."]);
  });

  it("waits and tries again when a provider is down, and shows no part of a document before it is whole", async () => {
    await added({ key: "again", title: "Guide", text: guide });
    embed = (text) => (text.includes("late") ? { status: 503 } : count(text));
    const parts = Array.from({ length: 32 }, (_, n) => `# Part ${n}\n\nA new ship, number ${n}.`);
    const { id } = await add({ key: "again", title: "Guide", text: [...parts, "# End\n\nA late ship."].join("\n\n") });
    await expect
      .poll(() => get(id))
      .toMatchObject({
        ...{ status: "queued", progress: { done: 32, total: 33 } },
        error: { code: "MODEL_UNAVAILABLE" },
      });
    const found = async () => (await find("ship", { topK: 50 })).map(({ text }) => text);
    expect((await found()).toSorted()).toEqual(["The cat sleeps.", "The ship sails."]);
    expect((await find("ship", { topK: 50, mode: "text" })).map(({ text }) => text)).toEqual(["The ship sails."]);
    embed = count;
    await db.query("update ai_documents set due_at = now()");
    await added({ title: "Wakes it", text: "The dog barks." });
    expect(await settled(id)).toMatchObject({ status: "ready", error: null });
    expect(await found()).toHaveLength(34);
    expect(await found()).not.toContain("The ship sails.");
  });

  it("knows nothing of another tenant's documents", async () => {
    const { id } = await added({ title: "Mine", text: guide });
    const one = { params: { ...params, documentId: String(id) }, principal: stranger };
    for (const [method, path] of [
      ["GET", "vector-stores/[id]/documents"],
      ["GET", "vector-stores/[id]/documents/[documentId]"],
      ["GET", "vector-stores/[id]/documents/[documentId]/text"],
      ["GET", "vector-stores/[id]/documents/[documentId]/chunks"],
      ["POST", "vector-stores/[id]/documents/[documentId]/retry"],
      ["DELETE", "vector-stores/[id]/documents/[documentId]"],
    ] as const) {
      await expect(stores.invoke(method, path, one)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("refuses a document of 50 MB, however it comes", async () => {
    const data = new Uint8Array(50_000_000);
    const principal = { kind: "user" as const, userId: 1, tenantId: 1, permissions: ["*"] };
    const adding = stores.services.documents.add(principal, "library", {
      title: "Big",
      mediaType: "text/plain",
      data,
      metadata: {},
    });
    await expect(adding).rejects.toMatchObject({ code: "DOCUMENT_TOO_LARGE", details: { limit: MAX_DOCUMENT_BYTES } });
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const upload = new Request("http://localhost/", { method: "POST", headers, body: data });
    await expect(readUpload(upload)).rejects.toMatchObject({ code: "BODY_TOO_LARGE", status: 413 });
  });
});

describe("a page", () => {
  const read = (response: Response, url: string) =>
    readPage(
      { fetch: async () => response, addressesOf: async () => [] },
      { url, metadata: { team: "support" } },
      AbortSignal.timeout(5_000),
    );

  it("is a document whose key is its address", async () => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    expect(await read(new Response("<h1>Hi</h1>", { headers }), "https://docs.example.com/start")).toMatchObject({
      title: "docs.example.com/start",
      key: "https://docs.example.com/start",
      mediaType: "text/html",
      metadata: { team: "support", url: "https://docs.example.com/start" },
    });
  });

  it.each(TEXT_SAMPLES)("keeps what its answer declares: $charset", async ({ charset, bytes }) => {
    const headers = { "content-type": `text/html; charset="${charset}"` };
    expect(await read(new Response(bytes, { headers }), "https://docs.example.com/")).toMatchObject({
      charset: new TextDecoder(charset).encoding,
      data: bytes,
    });
  });

  it.each([
    [new Response("no", { status: 403 }), "CONTENT_UNAVAILABLE"],
    [new Response("x", { headers: { "content-type": "video/mp4" } }), "DOCUMENT_TYPE_UNKNOWN"],
  ])("that cannot be read says why (%#)", async (response, code) => {
    await expect(read(response, "https://docs.example.com/")).rejects.toMatchObject({ code });
    expect(response.body?.locked === true || response.bodyUsed).toBe(true);
  });
});

describe("uploads", () => {
  const upload = (parts: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.set(name, value);
    return readUpload(new Request("http://localhost/", { method: "POST", body: form }));
  };

  it("take the type from the name's ending, else from the part", async () => {
    const metadata = '{"lang":"en"}';
    expect(await upload({ file: new File(["# Hi"], "notes.MD"), title: "Notes", key: "n", metadata })).toMatchObject({
      title: "Notes",
      key: "n",
      mediaType: "text/markdown",
      metadata: { lang: "en" },
    });
    expect(await upload({ file: new File(["x"], "page", { type: "text/html; charset=utf-8" }) })).toMatchObject({
      title: "page",
      mediaType: "text/html",
    });
  });

  it.each(TEXT_SAMPLES)("keep that the file is in $charset, by its part or by a field", async ({ charset, bytes }) => {
    const known = new TextDecoder(charset).encoding;
    const file = new File([bytes], "old.txt", { type: `text/plain; charset=${charset}` });
    expect(await upload({ file })).toMatchObject({ charset: known, data: bytes });
    expect(await upload({ file: new File([bytes], "old.txt"), charset })).toMatchObject({ charset, data: bytes });
  });

  it("ask for text recognition, and in which languages", async () => {
    const file = new File(["x"], "scan.pdf");
    expect((await upload({ file })).recognition).toBeUndefined();
    expect((await upload({ file, recognizeText: "true" })).recognition).toEqual(["eng"]);
    const recognitionLanguages = "deu, eng";
    expect((await upload({ file, recognizeText: "true", recognitionLanguages })).recognition).toEqual(["deu", "eng"]);
    expect((await upload({ file, recognizeText: "false" })).recognition).toBeNull();
  });

  it.each([
    ["no file", { title: "x" }, "UPLOAD_INVALID"],
    ["an unclear wish", { file: new File(["x"], "a.pdf"), recognizeText: "perhaps" }, "UPLOAD_INVALID"],
    ["an unknown language", { file: new File(["x"], "a.pdf"), recognitionLanguages: "tlh" }, "UPLOAD_INVALID"],
    ["metadata that is no object", { file: new File(["x"], "a.txt"), metadata: "[1]" }, "UPLOAD_INVALID"],
    ["metadata that is no JSON", { file: new File(["x"], "a.txt"), metadata: "{" }, "UPLOAD_INVALID"],
    ["a type that cannot be read", { file: new File(["x"], "a.xlsx") }, "DOCUMENT_TYPE_UNKNOWN"],
  ])("refuse %s", async (_name, parts, code) => {
    await expect(upload(parts as Record<string, string | File>)).rejects.toMatchObject({ code }); // cast: rows of the table
  });

  it("refuse what is no form", async () => {
    const request = new Request("http://localhost/", { method: "POST", body: "x" });
    await expect(readUpload(request)).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", status: 415 });
  });
});
