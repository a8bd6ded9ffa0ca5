import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { Execution } from "@oven/contract/run";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useMemo } from "react";
import { useGetList } from "react-admin";
import { reviewerFields } from "./reviewer-fields.ts";

const ALL = { pagination: { page: 1, perPage: 100 }, sort: { field: "id", order: "ASC" as const } };
const NONE: ReadonlySet<string> = new Set();

/** The names of the people who decided in a run, by the field of its result that holds their id. */
export function useReviewerNames(
  { id, output, status }: Pick<Execution, "id" | "output" | "status">,
  definition: JsonObject | undefined,
): Readonly<Record<string, string>> {
  const mayRead = useCan("reviews.read");
  const fields = useMemo(() => (definition === undefined ? NONE : reviewerFields(definition)), [definition]);
  const isAsked = mayRead && status === "completed" && fields.size > 0;
  const { data } = useGetList<Review>("reviews", { ...ALL, filter: { executionId: id } }, { enabled: isAsked });
  return useMemo(() => {
    const names = new Map((data ?? []).map(({ decidedBy, decidedByName }) => [decidedBy, decidedByName]));
    const result: Record<string, Json | undefined> = isObject(output) ? output : {};
    return Object.fromEntries(
      [...fields].flatMap((field): [string, string][] => {
        const value = getOwn(result, field);
        const name = typeof value === "number" ? names.get(value) : null;
        return name == null ? [] : [[field, name]];
      }),
    );
  }, [data, fields, output]);
}
