import type {
  Agent,
  ModelAlias,
  ModelProvider,
  Role,
  Secret,
  ToolInfo,
  User,
  VectorStore,
  Workflow,
} from "@oven/contract";
import type { Picker } from "@oven/workflow-editor/inspector";
import { useMemo } from "react";
import { type RaRecord, useGetList } from "react-admin";
import { useCan } from "../../components/use-can.ts";

/** Something that can be picked. */
export interface PickChoice {
  value: string;
  label: string;
  /** A line on it. */
  detail: string;
  group: string;
}

const ALL = { pagination: { page: 1, perPage: 500 }, sort: { field: "id", order: "ASC" as const } };
/** Lists are asked for once in a while, not by each field. */
const STALE_MS = 60_000;

function useRows<Row extends RaRecord>(resource: string, permission: string, wanted: boolean): Row[] | undefined {
  const may = useCan(permission);
  return useGetList<Row>(resource, ALL, { enabled: wanted && may, staleTime: STALE_MS }).data;
}

/** What a field of this kind can be picked from, as far as the person may see it. */
export function useChoices(picker: Picker): PickChoice[] {
  const aliases = useRows<ModelAlias>("ai-aliases", "ai-aliases.read", picker === "model");
  const providers = useRows<ModelProvider>("ai-providers", "ai-providers.read", picker === "model");
  const tools = useRows<ToolInfo>("tools", "tools.read", picker === "tool");
  const agents = useRows<Agent>("agents", "agents.read", picker === "agent");
  const stores = useRows<VectorStore>("vector-stores", "vector-stores.read", picker === "vector-store");
  const workflows = useRows<Workflow>("workflows", "workflows.read", picker === "workflow");
  const graphs = useRows<Workflow>("agent-workflows", "agent-workflows.read", picker === "workflow");
  const secrets = useRows<Secret & RaRecord>("secrets", "secrets.update", picker === "secret");
  const users = useRows<User>("users", "users.read", picker === "assignee");
  const roles = useRows<Role & RaRecord>("roles", "roles.read", picker === "assignee");
  return useMemo(() => {
    switch (picker) {
      case "model":
        return modelChoices(aliases ?? [], providers ?? []);
      case "tool":
        return toolChoices(tools ?? []);
      case "agent":
        return (agents ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, "Agents"));
      case "vector-store":
        return (stores ?? []).map(({ slug, name }) => choice(slug, name, "", "Vector stores"));
      case "workflow":
        return [
          ...(workflows ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, "Workflows")),
          ...(graphs ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, "Agent workflows")),
        ];
      case "secret":
        return (secrets ?? []).map(({ name }) => choice(name, name, "", "Secrets"));
      case "assignee":
        return [
          ...(roles ?? []).map(({ name, title }) => choice(`role:${name}`, title, "", "Roles")),
          ...(users ?? []).map(({ id, name, email }) => choice(`user:${id}`, name, email, "People")),
        ];
    }
  }, [picker, aliases, providers, tools, agents, stores, workflows, graphs, secrets, users, roles]);
}

function choice(value: string, label: string, detail: string, group: string): PickChoice {
  return { value, label, detail, group };
}

function modelChoices(aliases: ModelAlias[], providers: ModelProvider[]): PickChoice[] {
  const known = [
    ...new Set(
      aliases.flatMap(({ models, resolvesTo }) => [
        ...models,
        ...(resolvesTo === null ? [] : [`${resolvesTo.providerId}:${resolvesTo.modelId}`]),
      ]),
    ),
  ];
  return [
    ...aliases.map(({ name, model, problem }) => choice(name, name, problem ?? `stands for ${model}`, "Aliases")),
    ...known
      .filter((model) => model.includes(":"))
      .map((model) => {
        const provider = providers.find(({ id }) => model.startsWith(`${id}:`));
        return choice(model, model, provider?.title ?? "", "Models");
      }),
  ];
}

function toolChoices(tools: ToolInfo[]): PickChoice[] {
  const groups = [...new Set(tools.map(({ id }) => id.split(".")[0] ?? id))];
  const patterns = groups.map((group) => {
    const count = tools.filter(({ id }) => id.startsWith(`${group}.`)).length;
    return choice(`${group}.*`, `${group}.*`, `all ${count} of them`, "Patterns");
  });
  const each = tools.map(({ id, title, effect, needsApproval }) =>
    choice(id, id, `${title} · ${effect}${needsApproval ? " · asks for approval" : ""}`, id.split(".")[0] ?? id),
  );
  return [...each, ...patterns];
}
