import { isObject, type JsonObject } from "@oven/contract";
import type { EvalDataset, EvalTargetKind } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { type RaRecord, useGetOne } from "react-admin";

/** Where what a dataset is about is listed. */
export const TARGET_RESOURCES: Readonly<Record<EvalTargetKind, string>> = {
  workflow: "workflows",
  "agent-workflow": "agent-workflows",
  agent: "agents",
};

export const TARGET_WORDS: Readonly<Record<EvalTargetKind, string>> = {
  workflow: t("workflow"),
  "agent-workflow": t("agent workflow"),
  agent: t("agent"),
};

/** An agent is asked in plain words. */
const AGENT_INPUT: JsonObject = {
  type: "object",
  properties: { message: { type: "string", title: t("Message"), "x-multiline": true } },
  required: ["message"],
};

export interface KnownTarget {
  /** Its id until it has arrived, or where it cannot be read. */
  name: string;
  path: string;
  version: number | undefined;
  /** Undefined until it has arrived; null: it has none. */
  inputSchema: JsonObject | null | undefined;
}

/** The workflow or agent that a dataset is about. */
export function useTarget({ kind, id }: EvalDataset["target"]): KnownTarget {
  const resource = TARGET_RESOURCES[kind];
  const { data, error } = useGetOne<RaRecord & { name: string; version: number; definition?: JsonObject }>(
    resource,
    { id },
    { retry: false },
  );
  const schema = data?.definition?.payloadSchema;
  return {
    name: data?.name ?? `${TARGET_WORDS[kind]} ${id}`,
    path: `/${resource}/${id}/show`,
    version: data?.version,
    inputSchema: kind === "agent" ? AGENT_INPUT : isObject(schema) ? schema : data || error ? null : undefined,
  };
}
