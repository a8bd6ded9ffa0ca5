import { IdOrSlugSchema } from "@oven/contract";
import {
  CreateVectorStoreSchema,
  QueryVectorsAnswerSchema,
  QueryVectorsSchema,
  UpdateVectorStoreSchema,
  UpsertVectorsAnswerSchema,
  UpsertVectorsSchema,
  VectorStoreSchema,
} from "@oven/contract/ai";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  type RouteContext,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { callerOf } from "../usage/caller-of.ts";
import type { StoreCall } from "../vector-stores/query-store.ts";

const PERMISSIONS = {
  read: "vector-stores.read",
  create: "vector-stores.create",
  update: "vector-stores.update",
  delete: "vector-stores.delete",
};
const StoreParams = z.object({ id: IdOrSlugSchema.describe("Id or slug of the vector store") });
/** Texts with their vectors: a batch of 256 with 3,072 numbers each is about 10 MB. */
const ITEMS_LIMIT = 33_554_432;

export function toStoreCall({
  principal,
  signal,
  run,
}: Pick<RouteContext<unknown, unknown, unknown>, "principal" | "signal" | "run">): StoreCall {
  return { caller: callerOf(principal, run), signal };
}

export const vectorStoreRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "vector-stores",
    operation: "vectorStores.list",
    summary: "List vector stores",
    access: { permission: PERMISSIONS.read },
    query: ListQuerySchema,
    response: z.array(VectorStoreSchema),
    effect: "pure",
    handler: async ({ query, principal, services }) => {
      const params = toListParams(query);
      const { stores, total } = await services.vectorStores.list(principal, params);
      return listReply("vector-stores", params, stores, total);
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores",
    operation: "vectorStores.create",
    summary: "Create a vector store",
    description: "Its embedding model is asked once, and fixed: vectors of different models cannot be compared.",
    access: { permission: PERMISSIONS.create },
    body: CreateVectorStoreSchema,
    response: VectorStoreSchema,
    handler: async (context) => created(await context.services.vectorStores.create(context.body, toStoreCall(context))),
  }),
  defineRoute({
    method: "GET",
    path: "vector-stores/[id]",
    operation: "vectorStores.get",
    summary: "One vector store with how much it holds",
    access: { permission: PERMISSIONS.read },
    params: StoreParams,
    response: VectorStoreSchema,
    effect: "pure",
    handler: async ({ params, principal, services }) =>
      ok(await services.vectorStores.get(principal.tenantId, params.id)),
  }),
  defineRoute({
    method: "PUT",
    path: "vector-stores/[id]",
    operation: "vectorStores.update",
    summary: "Rename or describe a vector store",
    access: { permission: PERMISSIONS.update },
    params: StoreParams,
    body: UpdateVectorStoreSchema,
    response: VectorStoreSchema,
    effect: "idempotent",
    handler: async ({ params, body, principal, services }) =>
      ok(await services.vectorStores.update(principal.tenantId, params.id, body)),
  }),
  defineRoute({
    method: "DELETE",
    path: "vector-stores/[id]",
    operation: "vectorStores.delete",
    summary: "Delete a vector store with its items and documents",
    access: { permission: PERMISSIONS.delete },
    params: StoreParams,
    effect: "idempotent",
    handler: async ({ params, principal, services }) => {
      await services.vectorStores.remove(principal.tenantId, params.id);
      return noContent();
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/upsert",
    operation: "vectorStore.upsert",
    summary: "Add texts to a vector store, or replace those with the same key",
    description: "Vectors that are left out are computed by the store's model.",
    access: { permission: PERMISSIONS.update },
    params: StoreParams,
    body: UpsertVectorsSchema,
    response: UpsertVectorsAnswerSchema,
    bodyLimit: ITEMS_LIMIT,
    effect: "idempotent",
    handler: async (context) => {
      const { params, body, services } = context;
      const { keys } = await services.vectorStores.upsert(params.id, body.items, toStoreCall(context));
      return ok({ keys });
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/query",
    operation: "vectorStore.query",
    summary: "Search a vector store by meaning, by words, or both",
    access: { permission: PERMISSIONS.read },
    params: StoreParams,
    body: QueryVectorsSchema,
    response: QueryVectorsAnswerSchema,
    effect: "pure",
    handler: async (context) => {
      const { params, body, services } = context;
      const { matches, warnings } = await services.vectorStores.query(params.id, body, toStoreCall(context));
      return ok({ matches, warnings });
    },
  }),
];
