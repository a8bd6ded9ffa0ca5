import { expect, it } from "vitest";
import { type JointQuery, jointResource, type ReadRange, readJointList, resourcesOf } from "./joint-list.ts";

const rows = {
  cats: [9, 7, 4, 3, 1].map((age) => ({ id: age, age, name: `cat ${age}` })),
  dogs: [8, 7, 2].map((age) => ({ id: age, age, name: `dog ${age}` })),
};

const asked: unknown[] = [];
const read: ReadRange = async (resource, { first, last }, filter) => {
  asked.push([resource, first, last, filter]);
  const all = resource === "cats" ? rows.cats : rows.dogs;
  return { data: all.slice(first, last + 1), total: all.length };
};
const query = (page: number, filter: Record<string, unknown> = {}): JointQuery => ({
  sort: { field: "age", order: "DESC" },
  pagination: { page, perPage: 3 },
  filter,
});
const names = async (given: JointQuery) =>
  (await readJointList(["cats", "dogs"], given, read)).data.map(({ row }) => row.name);

it("pages of two lists in one order show each row once", async () => {
  expect(await names(query(1))).toEqual(["cat 9", "dog 8", "cat 7"]);
  expect(await names(query(2))).toEqual(["dog 7", "cat 4", "cat 3"]);
  expect(await names(query(3))).toEqual(["dog 2", "cat 1"]);
  const { data, total } = await readJointList(["cats", "dogs"], query(2), read);
  expect(total).toBe(8);
  expect(data[0]).toMatchObject({ id: "dogs:7", resource: "dogs" });
});

it("a filter by resource reads that one alone, and only its page", async () => {
  asked.length = 0;
  expect(await names(query(2, { resource: "cats", q: "a" }))).toEqual(["cat 3", "cat 1"]);
  expect(asked).toEqual([["cats", 3, 5, { q: "a" }]]);
});

it("a resource that may not be read is asked for nothing, also when the filter names it", async () => {
  asked.length = 0;
  expect(await readJointList(["cats"], query(1, { resource: "dogs" }), read)).toEqual({ data: [], total: 0 });
  expect(asked).toEqual([]);
});

it("rows without a value come after those with one when ascending, before them when descending", async () => {
  const cost: Record<string, (number | null)[]> = { a: [1, null], b: [2, 3] };
  const ascending: ReadRange = async (resource) => {
    const values = cost[resource] ?? [];
    return { data: values.map((value, id) => ({ id, cost: value })), total: values.length };
  };
  const given = { sort: { field: "cost", order: "ASC" }, pagination: { page: 1, perPage: 10 }, filter: {} };
  const { data } = await readJointList(["a", "b"], given, ascending);
  expect(data.map(({ row }) => row.cost)).toEqual([1, 2, 3, null]);
});

it("pages far behind the first are read in pieces no larger than the API's largest page", async () => {
  const ranges: unknown[] = [];
  const long: ReadRange = async (resource, { first, last }) => {
    ranges.push([resource, first, last]);
    return { data: Array.from({ length: last - first + 1 }, (_, at) => ({ id: first + at })), total: 5_000 };
  };
  const given = { sort: { field: "id", order: "ASC" }, pagination: { page: 42, perPage: 25 }, filter: {} };
  const { data } = await readJointList(["a", "b"], given, long);
  expect(ranges).toEqual([
    ["a", 0, 999],
    ["b", 0, 999],
    ["a", 1_000, 1_049],
    ["b", 1_000, 1_049],
  ]);
  expect(data).toHaveLength(25);
});

it("a joint resource names its parts", () => {
  expect(resourcesOf(jointResource(["agent-workflows", "workflows"]))).toEqual(["agent-workflows", "workflows"]);
  expect(resourcesOf(jointResource(["agent-workflows"]))).toEqual(["agent-workflows"]);
  expect(resourcesOf("agent-workflows")).toBeUndefined();
});
