import { createTestPglite } from "@oven/db/testing";
import { describe, expect, it } from "vitest";
import type { Models } from "../vector-stores/query-store.ts";
import { IngestWorker } from "./ingest-worker.ts";

describe("the taking in of documents on an embedded database", () => {
  it("tries a document again when it is time, though it rests while nothing happens", async () => {
    const db = await createTestPglite();
    const [store] = await db.query<{ id: number }>(
      `insert into ai_vector_stores (tenant_id, slug, name, embedding_model, dimensions, metric, language) values (1, 's', 's', 'm', 2, 'cosine', 'simple') returning id`,
    );
    await db.query(
      `insert into ai_documents (tenant_id, vector_store_id, key, title, media_type, bytes, content_hash, status, attempts, due_at)
       values (1, $1, 'k', 't', 'text/plain', 1, 'h', 'queued', 1, now() + interval '1 second')`,
      [store?.id],
    );
    const worker = new IngestWorker(db, {} as Models, { recognitionPages: 0 }); // cast: the document has no content to be embedded
    // From here on nothing is written: its first look finds nothing that is due, and it would rest for a minute.
    worker.start();
    const read = "select status, attempts from ai_documents";
    await expect.poll(() => db.query(read), { timeout: 4_000 }).toEqual([{ status: "failed", attempts: 2 }]);
    await worker.stop();
    await db.close();
  });
});
