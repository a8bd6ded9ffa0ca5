import type { NodeType } from "@oven/contract/node";
import { useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 1_000 }, sort: { field: "id", order: "ASC" as const } };

/** Undefined until they have arrived. They change only with the server. */
export function useNodeTypes(): NodeType[] | undefined {
  return useGetList<NodeType>("node-types", ALL, { staleTime: 600_000 }).data;
}
