import type { Json, JsonObject } from "@oven/contract";
import type { ResolvedConfig } from "@oven/contract/system";
import { api } from "@oven/ui/api/api-client.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";

/** Keys of the configuration that `$config` reads here, with what each is now. */
export type ConfigKeys = readonly { key: string; schema: JsonObject; value: Json }[];

const NONE: ConfigKeys = [];
/** The module that brings workflows of a kind: `$config` reads its keys. */
const MODULES: Record<WorkflowKind["kind"], string> = {
  workflow: "module-workflows",
  "agent-workflow": "module-workflow-agents",
};

/** The keys of the configuration. People who may not see it get none and can still type a key. */
export function useConfigKeys({ kind }: WorkflowKind): ConfigKeys {
  const may = useCan("config.read");
  const [keys, setKeys] = useState(NONE);
  useEffect(() => {
    if (!may) return;
    const gone = new AbortController();
    api("module-configs/resolve-batch", { query: { moduleName: MODULES[kind] }, signal: gone.signal }).then(
      ({ json }) => {
        const resolved = json as Record<string, ResolvedConfig>; // cast: the shape of the route
        setKeys(Object.entries(resolved).map(([key, { value }]) => ({ key, schema: { type: typeOf(value) }, value })));
      },
      (failure: unknown) => failure, // the picker leaves them out
    );
    return () => gone.abort();
  }, [may, kind]);
  return keys;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
