import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Database } from "@oven/db";
import { testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type OpenServices, openServices } from "../nodes/testing/open-services.ts";
import type { MemoryOwner } from "./memory-owner.ts";

const CONCEPTS = [/blue/gi, /dog/gi];
/** The longer a text speaks of something else, the less alike it is. */
const embed = (text: string) => [...CONCEPTS.map((concept) => text.match(concept)?.length ?? 0), text.length / 100];
const call = { caller: { tenantId: 1, userId: null } };
const actor = { kind: "system" as const, id: null };
const agent: MemoryOwner = { tenantId: 1, agentId: 1, agentWorkflowId: null, userId: null };

describe.each(testDatabases(inject("postgresUrl")))("memory on $name", ({ open }) => {
  let db: Database;
  let close: () => Promise<void>;
  let services: OpenServices;

  beforeAll(async () => {
    ({ db, close } = await open());
    services = await openServices([], { embed, withMemory: true, db });
  });
  beforeEach(async () => {
    await db.query("delete from agent_memory");
    await db.query("delete from ai_vector_items");
  });
  afterAll(async () => {
    await services.close();
    await close();
  });

  const remember = (owner: MemoryOwner, key: string, content: string) =>
    services.services.agentMemory.remember({ owner, facts: [{ key, content }], actor }, call);
  const recall = async (owner: MemoryOwner, query: string, topK = 1) => {
    const { memories } = await services.services.agentMemory.recall({ owner, query, strategy: "semantic", topK }, call);
    return memories.map(({ content }) => content);
  };

  it("gives an owner's own memories their places, however much better those of others fit", async () => {
    const users = [1, 2].map((userId) => ({ ...agent, userId }));
    const others = [...users, { ...agent, agentId: 2 }, { ...agent, agentId: null, agentWorkflowId: 1 }];
    for (const owner of others) {
      for (const n of [1, 2, 3]) await remember(owner, `k${n}`, `blue blue ${n} of ${owner.userId}`);
    }
    await remember(agent, "mine", `A long text of mine that says blue only once and then goes on about the weather`);
    expect(await recall(agent, "blue")).toEqual([expect.stringContaining("A long text of mine")]);
    for (const owner of users) {
      await remember(owner, "dog", `dog of ${owner.userId}`);
      expect(await recall(owner, "dog")).toEqual([`dog of ${owner.userId}`]);
    }
  });

  it("asks the rows whose a memory is, not the vector store, which others may write to", async () => {
    await remember(agent, "k", "blue");
    const other = { ...agent, agentId: 2 };
    await db.query(`update ai_vector_items set metadata = '{"owner": "agent:2"}'`);
    expect(await recall(other, "blue")).toEqual([]);
  });

  it("writes one memory when many learn the same at once", async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => remember(agent, "colour", n % 2 === 0 ? "Likes blue" : "likes  blue.")),
    );
    expect(await db.query("select id from agent_memory")).toHaveLength(1);
    expect(await db.query("select id from ai_vector_items")).toHaveLength(1);
  });

  it("says that a memory is not found any more when its store is deleted, and heals it when it is saved", async () => {
    const { agentMemory, vectorStores } = services.services;
    await remember(agent, "colour", "Likes blue");
    await vectorStores.remove(1, "agent-memory");
    const params = { sort: { field: "id", order: "ASC" as const }, range: { first: 0, last: 9 }, filter: {} };
    const [entry] = (await agentMemory.list(SYSTEM_PRINCIPAL, params)).entries;
    expect(entry).toMatchObject({ content: "Likes blue", embedded: false });
    expect(await agentMemory.update(SYSTEM_PRINCIPAL, entry?.id ?? 0, {}, call)).toMatchObject({ embedded: true });
    expect(await recall(agent, "blue")).toEqual(["Likes blue"]);
  });

  it("keeps neither row nor vector of a memory that could not be written whole", async () => {
    const owner = { ...agent, agentWorkflowId: 1 };
    await expect(remember(owner, "k", "blue")).rejects.toThrow();
    expect(await db.query("select id from agent_memory")).toEqual([]);
    expect(await db.query("select id from ai_vector_items")).toEqual([]);
  });
});
