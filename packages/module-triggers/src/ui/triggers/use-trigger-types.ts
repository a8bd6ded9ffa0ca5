import type { TriggerType } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { useMemo } from "react";
import { useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 1_000 }, sort: { field: "id", order: "ASC" as const } };

/** The kinds of triggers that are installed. They change only with the server. */
export function useTriggerTypes(): { types: TriggerType[]; error: unknown; titleOf: (id: string) => string } {
  const { data, error } = useGetList<TriggerType>("trigger-types", ALL, { staleTime: 600_000 });
  const types = useMemo(
    () => (data ?? []).map((type) => ({ ...type, title: t(type.title), docs: t(type.docs) })),
    [data],
  );
  return { types, error, titleOf: (id) => types.find((type) => type.id === id)?.title ?? id };
}
