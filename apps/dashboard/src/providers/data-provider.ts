import type { ApiClient, ApiReply } from "@oven/ui/api/api-client.ts";
import { type JointQuery, readJointList, resourcesOf } from "@oven/ui/api/joint-list.ts";
import { readPages, toTotal } from "@oven/ui/api/read-pages.ts";
import type { DataProvider, Identifier, RaRecord } from "react-admin";

interface ListQuery {
  sort?: { field: string; order: string } | undefined;
  pagination?: { page: number; perPage: number } | undefined;
  filter?: unknown;
}

function toListQuery({ sort, pagination, filter }: ListQuery): Record<string, string> {
  const { page, perPage } = pagination ?? { page: 1, perPage: 25 };
  const first = (page - 1) * perPage;
  return {
    ...(sort === undefined ? {} : { sort: JSON.stringify([sort.field, sort.order]) }),
    range: JSON.stringify([first, first + perPage - 1]),
    filter: JSON.stringify(filter ?? {}),
  };
}

function toRows(reply: ApiReply): RaRecord[] {
  // cast: a list route answers a bare array of rows
  return Array.isArray(reply.json) ? (reply.json as RaRecord[]) : [];
}

/** `meta.force` deletes a workflow together with its live runs. */
function toDeleteQuery(meta: unknown): { query?: Record<string, string> } {
  const force = typeof meta === "object" && meta !== null && "force" in meta && meta.force === true;
  return force ? { query: { force: "true" } } : {};
}

/** Whether the run is long, so that its row has only the newest of its node runs. */
function hasMoreNodes(json: unknown): json is { nodesTotal: number } {
  return typeof json === "object" && json !== null && "nodesTotal" in json;
}

const toId = (id: Identifier): string => encodeURIComponent(String(id));

/** React Admin's verbs over the `ra-data-simple-rest` conventions of the API. */
export function createDataProvider(api: ApiClient): DataProvider {
  const readJoint = (resources: readonly string[], params: ListQuery & { signal?: AbortSignal }) => {
    const query = params as JointQuery; // cast: React Admin sends all three with a list
    return readJointList(resources, query, async (resource, { first, last }, filter) => {
      const asked = { ...toListQuery({ sort: query.sort, filter }), range: JSON.stringify([first, last]) };
      const reply = await api(resource, { query: asked, signal: params.signal });
      const data = toRows(reply);
      return { data, total: toTotal(reply, data) };
    });
  };
  const provider = {
    supportAbortSignal: true,

    async getList(resource: string, params: ListQuery & { signal?: AbortSignal }) {
      const resources = resourcesOf(resource);
      if (resources !== undefined) return readJoint(resources, params);
      const reply = await api(resource, { query: toListQuery(params), signal: params.signal });
      const data = toRows(reply);
      return { data, total: toTotal(reply, data) };
    },

    async getOne(resource: string, params: { id: Identifier; signal?: AbortSignal }) {
      const path = `${resource}/${toId(params.id)}`;
      const { json } = await api(path, { signal: params.signal });
      if (!hasMoreNodes(json)) return { data: json };
      return { data: { ...json, nodes: await readPages(api, `${path}/nodes`, params.signal) } };
    },

    async getMany(resource: string, params: { ids: Identifier[]; signal?: AbortSignal }) {
      const pagination = { page: 1, perPage: Math.max(1, params.ids.length) };
      const query = toListQuery({ pagination, filter: { id: params.ids } });
      return { data: toRows(await api(resource, { query, signal: params.signal })) };
    },

    async getManyReference(
      resource: string,
      params: ListQuery & { target: string; id: Identifier; signal?: AbortSignal },
    ) {
      const filter = { ...(params.filter as object), [params.target]: params.id }; // cast: RA types filters as any
      const reply = await api(resource, { query: toListQuery({ ...params, filter }), signal: params.signal });
      const data = toRows(reply);
      return { data, total: toTotal(reply, data) };
    },

    async create(resource: string, params: { data: unknown }) {
      return { data: (await api(resource, { method: "POST", body: params.data })).json };
    },

    async update(resource: string, params: { id: Identifier; data: unknown }) {
      return { data: (await api(`${resource}/${toId(params.id)}`, { method: "PUT", body: params.data })).json };
    },

    async updateMany(resource: string, params: { ids: Identifier[]; data: unknown }) {
      for (const id of params.ids) await provider.update(resource, { id, data: params.data });
      return { data: params.ids };
    },

    async delete(resource: string, params: { id: Identifier; previousData?: unknown; meta?: unknown }) {
      const reply = await api(`${resource}/${toId(params.id)}`, { method: "DELETE", ...toDeleteQuery(params.meta) });
      // 204 has no body; React Admin wants the record that went.
      return { data: reply.json ?? params.previousData ?? { id: params.id } };
    },

    async deleteMany(resource: string, params: { ids: Identifier[]; meta?: unknown }) {
      for (const id of params.ids) await provider.delete(resource, { id, meta: params.meta });
      return { data: params.ids };
    },
  };
  // cast: React Admin's methods are generic in a record type that no provider can know
  return provider as unknown as DataProvider;
}
