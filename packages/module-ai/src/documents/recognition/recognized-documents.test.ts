import type { KnowledgeDocument, QueryVectorsAnswer } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { testDatabases } from "@oven/db/testing";
import { makePdf, SCANNER_PICTURES, type ScannedPage } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { countWords, type OpenStores, openStores, stranger } from "../../embeddings/testing/open-stores.ts";
import { documentRoutes } from "../../routes/documents.routes.ts";
import { drawScan } from "../testing/draw-scan.ts";

const TIMEOUT = 120_000;
const store = { id: "library" };

describe.each(testDatabases(inject("postgresUrl")))(
  "documents with text recognition on $name",
  { timeout: TIMEOUT },
  ({ open }) => {
    let db: Database;
    let close: () => Promise<void>;
    let stores: OpenStores;
    let scan: ScannedPage;

    const openWith = async (variables: Record<string, string>) => {
      stores = await openStores(db, { embed: countWords("ship", "whale", "cat"), variables });
    };
    beforeAll(async () => {
      ({ db, close } = await open());
      await openWith({ OVEN_RECOGNITION_PAGES: "2" });
      await stores.invoke("POST", "vector-stores", { body: { name: "Library", embeddingModel: "openai:e" } });
      scan = await drawScan(["The whale sings below the ice."]);
    });
    beforeEach(() => db.query("delete from ai_documents"));
    afterAll(async () => {
      await stores.close();
      await close();
    });

    const of = (id: number) => ({ params: { ...store, documentId: String(id) } });
    const get = (id: number) =>
      stores.invoke<KnowledgeDocument>("GET", "vector-stores/[id]/documents/[documentId]", of(id));
    async function settled({ id }: { id: number }): Promise<KnowledgeDocument> {
      await expect.poll(async () => (await get(id)).status, { timeout: TIMEOUT }).toMatch(/ready|failed/);
      return get(id);
    }
    const add = (pages: Parameters<typeof makePdf>[0], more: object = {}) => {
      const data = Buffer.from(makePdf(pages)).toString("base64");
      const body = { key: "scan", title: "Scan", mediaType: "application/pdf", data, ...more };
      return stores.invoke<KnowledgeDocument>("POST", "vector-stores/[id]/documents", { params: store, body });
    };
    const recognize = (id: number, more: object = {}) =>
      stores.invoke<KnowledgeDocument>("POST", "vector-stores/[id]/documents/[documentId]/recognize", {
        ...of(id),
        body: {},
        ...more,
      });
    const find = async (query: string) => {
      const body = { query, mode: "text", topK: 5 };
      const path = "vector-stores/[id]/query";
      const { matches } = await stores.invoke<QueryVectorsAnswer>("POST", path, { params: store, body });
      return matches.map(({ text, source }) => ({ text, headings: source?.headings }));
    };

    it("leaves scans as they are unless they are asked for, and recognizes them when they are", async () => {
      const pages = ["A ship", scan, { picture: true }] as const;
      const before = await settled(await add(pages));
      expect(before).toMatchObject({
        status: "ready",
        recognition: null,
        warnings: [{ kind: "pages-without-text", pages: [2, 3], count: 2, of: 3 }],
      });
      expect(await find("whale")).toEqual([]);
      expect(await recognize(before.id)).toMatchObject({
        status: "queued",
        recognition: { done: 0, languages: ["eng"] },
      });
      expect(await settled(before)).toMatchObject({
        id: before.id,
        status: "ready",
        recognition: { languages: ["eng"], done: 2, total: 2, pages: [2] },
        warnings: [{ kind: "pages-without-text", pages: [3], count: 1, of: 3 }],
      });
      expect(await find("whale")).toEqual([{ text: "The whale sings below the ice.", headings: ["Page 2"] }]);
      expect(await find("ship")).toHaveLength(1);
      // It is as it was asked for.
      expect(await recognize(before.id)).toMatchObject({ status: "ready" });
    });

    it("keeps what was asked for a key until it is told otherwise", async () => {
      const first = await settled(await add(["A ship", scan], { recognizeText: true }));
      expect(first).toMatchObject({ recognition: { languages: ["eng"], pages: [2] }, warnings: [] });
      expect(await add(["A ship", scan])).toEqual(first);
      const both = await add(["A ship", scan], { recognizeText: true, recognitionLanguages: ["deu", "eng"] });
      expect(await settled(both)).toMatchObject({
        id: first.id,
        recognition: { languages: ["deu", "eng"], pages: [2] },
      });
      const off = await settled(await add(["A ship", scan], { recognizeText: false }));
      expect(off).toMatchObject({ id: first.id, recognition: null, warnings: [{ kind: "pages-without-text" }] });
      expect(await find("whale")).toEqual([]);
    });

    it("reads a file that is nothing but a scan after it failed", async () => {
      const failed = await settled(await add([scan]));
      expect(failed).toMatchObject({ status: "failed", error: { code: "DOCUMENT_EMPTY" } });
      await recognize(failed.id);
      expect(await settled(failed)).toMatchObject({ status: "ready", error: null, recognition: { pages: [1] } });
      expect(await find("whale")).toHaveLength(1);
    });

    it("reads as many pages as the installation allows", async () => {
      const small = SCANNER_PICTURES.slice(0, 3);
      expect(await settled(await add(["A ship", ...small], { recognizeText: true }))).toMatchObject({
        recognition: { done: 2, total: 2, pages: [2, 3] },
        warnings: [
          { kind: "pages-without-text", pages: [4] },
          { kind: "pages-not-recognized", reason: "limit", pages: [4], count: 1 },
        ],
      });
    });

    it("goes on behind the pages that are read when another attempt is made", async () => {
      const { id } = await settled(await add([scan], { recognizeText: true }));
      await db.query("update ai_document_pages set text = 'A cat from before'");
      // As a process leaves it that ends while the passages are embedded.
      await db.query("delete from ai_vector_items where document_id = $1", [id]);
      await db.query("update ai_documents set status = 'queued', done = 0 where id = $1", [id]);
      await settled(await add(["Wakes it"], { key: "other" }));
      await settled({ id });
      expect(await find("cat")).toHaveLength(1);
      expect(await find("whale")).toEqual([]);
      // New content is read anew.
      await settled(await add([scan, "A ship"]));
      expect(await find("whale")).toHaveLength(1);
    });

    it("stops for a document that is deleted meanwhile", async () => {
      const { id } = await add([scan, scan], { recognizeText: true });
      await expect.poll(async () => (await get(id)).status, { timeout: TIMEOUT }).toBe("running");
      await stores.invoke("DELETE", "vector-stores/[id]/documents/[documentId]", of(id));
      await settled(await add(["A cat"], { key: "next" }));
      expect(await find("whale")).toEqual([]);
      expect(await db.query("select page from ai_document_pages")).toEqual([]);
    });

    it("is for those who may add documents, to PDFs of their own tenant", async () => {
      const accessOf = (path: string) =>
        documentRoutes.find((route) => route.method === "POST" && route.path === path)?.access;
      const route = "vector-stores/[id]/documents/[documentId]/recognize";
      expect(accessOf(route)).toEqual(accessOf("vector-stores/[id]/documents/upload"));
      const body = { key: "text", title: "Text", text: "A cat", recognizeText: true };
      const text = await stores.invoke<KnowledgeDocument>("POST", "vector-stores/[id]/documents", {
        params: store,
        body,
      });
      expect(await settled(text)).toMatchObject({ status: "ready", recognition: null });
      await expect(recognize(text.id)).rejects.toMatchObject({ code: "DOCUMENT_WITHOUT_PAGES", status: 422 });
      await expect(recognize(text.id, { principal: stranger })).rejects.toMatchObject({ code: "NOT_FOUND" });
      const klingon = { body: { languages: ["tlh"] } };
      await expect(recognize(text.id, klingon)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    });
  },
);
