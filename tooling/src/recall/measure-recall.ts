import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestPglite } from "@oven/db/testing";
import type { MemoryStrategy } from "../../../packages/contract/src/doors/ai.ts";
import { type Principal, SYSTEM_PRINCIPAL } from "../../../packages/contract/src/index.ts";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { createRuntime, type ServiceMap } from "../../../packages/module-registry/src/index.ts";
import { DOCUMENT_QUESTIONS } from "./document-questions.ts";
import { LANGUAGE_QUESTIONS } from "./language-questions.ts";
import { FACTS, MEMORY_QUESTIONS } from "./memory-facts.ts";

const TOP_K = 5;
const MODEL = "local:use-lite";
const PRINCIPAL: Principal = { ...SYSTEM_PRINCIPAL, userId: null };
const call = { caller: { tenantId: PRINCIPAL.tenantId, userId: null } };

export interface Recall {
  /** Share of the questions whose answer was among the first five, or as many as were asked for, 0 to 1. */
  recall: number;
  /** Share whose answer was the first. */
  first: number;
  missed: string[];
}

/** A fresh installation in memory, with the local embeddings. */
export async function withInstallation<T>(work: (services: ServiceMap) => Promise<T>): Promise<T> {
  const db = await createTestPglite();
  const runtime = await createRuntime({
    db,
    modules: installedModules({ demo: false }),
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "recall-0123456789-0123456789-0123456789",
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });
  try {
    return await work(runtime.services);
  } finally {
    await runtime.stop();
    await db.close();
  }
}

function toRecall(ranks: readonly (readonly [question: string, rank: number])[], topK: number = TOP_K): Recall {
  const share = (limit: number) => ranks.filter(([, rank]) => rank >= 0 && rank < limit).length / ranks.length;
  return {
    recall: share(topK),
    first: share(1),
    missed: ranks.filter(([, rank]) => rank < 0 || rank >= topK).map(([question]) => question),
  };
}

/** A hundred facts written, twenty paraphrased questions asked: semantic, keyword and hybrid. */
export async function measureMemory(
  { agentMemory }: ServiceMap,
  strategies: readonly MemoryStrategy[] = ["semantic", "keyword", "hybrid"],
): Promise<Record<string, Recall>> {
  const owner = { tenantId: PRINCIPAL.tenantId, agentId: 1, agentWorkflowId: null, userId: null };
  const facts = FACTS.map(([key, content]) => ({ key, content }));
  await agentMemory.remember({ owner, facts, actor: { kind: "system", id: null } }, call);
  const results: Record<string, Recall> = {};
  for (const strategy of strategies) {
    const ranks: [string, number][] = [];
    for (const [query, wanted] of MEMORY_QUESTIONS) {
      const { memories } = await agentMemory.recall({ owner, query, strategy, topK: TOP_K }, call);
      ranks.push([query, memories.findIndex(({ key }) => key === wanted)]);
    }
    results[strategy] = toRecall(ranks);
  }
  return results;
}

/** The project's own documents (those `wanted`) taken in, thirty questions asked: by meaning, by words, by both. */
export async function measureDocuments(
  { vectorStores, documents }: ServiceMap,
  root: string,
  wanted: (document: string) => boolean = () => true,
): Promise<{ files: number; passages: number; results: Record<string, Recall> }> {
  await vectorStores.create(
    { name: "Docs", slug: "docs", embeddingModel: MODEL, metric: "cosine", language: "english" },
    call,
  );
  const files = ["", "guides", "decisions"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name))
      .filter(wanted),
  );
  for (const key of files) {
    const data = readFileSync(join(root, "docs", key));
    const title = /^# (.+)$/m.exec(data.toString("utf8"))?.[1] ?? key;
    await documents.add(PRINCIPAL, "docs", { key, title, mediaType: "text/markdown", data, metadata: {} });
  }
  const listed = await untilReady(documents);
  const results: Record<string, Recall> = {};
  for (const mode of ["vector", "text", "hybrid"] as const) {
    const ranks: [string, number][] = [];
    for (const [query, document] of DOCUMENT_QUESTIONS.filter(([, document]) => wanted(document))) {
      const { matches } = await vectorStores.query("docs", { query, mode, topK: TOP_K, rerank: false }, call);
      ranks.push([query, matches.findIndex(({ metadata }) => metadata.document === document)]);
    }
    results[mode] = toRecall(ranks);
  }
  const passages = listed.reduce((sum, { chunks }) => sum + chunks, 0);
  return { files: files.length, passages, results };
}

/** Thirty sentences a language in one store, and words of each looked for as they stand in it. */
export async function measureLanguages({ vectorStores }: ServiceMap): Promise<Record<string, Recall>> {
  await vectorStores.create(
    { name: "Languages", slug: "languages", embeddingModel: MODEL, metric: "cosine", language: "simple" },
    call,
  );
  const results: Record<string, Recall> = {};
  for (const [language, questions] of Object.entries(LANGUAGE_QUESTIONS)) {
    const items = questions.map(([, text], index) => ({ key: `${language}-${index}`, text, metadata: { language } }));
    await vectorStores.upsert("languages", items, call);
  }
  for (const [language, questions] of Object.entries(LANGUAGE_QUESTIONS)) {
    const ranks: [string, number][] = [];
    for (const [index, [query]] of questions.entries()) {
      // Another way to write the same characters must find the same.
      const asked = index % 2 === 0 ? query : query.normalize("NFD");
      const { matches } = await vectorStores.query(
        "languages",
        { query: asked, mode: "text", topK: 3, rerank: false },
        call,
      );
      ranks.push([query, matches.findIndex(({ key }) => key === `${language}-${index}`)]);
    }
    results[language] = toRecall(ranks, 3);
  }
  return results;
}

async function untilReady(documents: ServiceMap["documents"]) {
  const params = { sort: { field: "id", order: "ASC" as const }, range: { first: 0, last: 999 }, filter: {} };
  for (;;) {
    const { documents: all } = await documents.list(PRINCIPAL, "docs", params);
    const failed = all.find(({ status }) => status === "failed");
    if (failed !== undefined) throw new Error(`${failed.key}: ${failed.error?.message}`);
    if (all.every(({ status }) => status === "ready")) return all;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
