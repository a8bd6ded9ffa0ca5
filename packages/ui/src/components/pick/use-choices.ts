import type { Json } from "@oven/contract";
import type { Role, Secret, User } from "@oven/contract/access";
import type { Agent, CatalogTool } from "@oven/contract/agent";
import type { ModelAlias, ModelPrice, ProviderModels, VectorStore } from "@oven/contract/ai";
import type { Table } from "@oven/contract/table";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useMemo } from "react";
import { type RaRecord, useGetList } from "react-admin";
import { formatMoney } from "../format.ts";
import { useAnswer } from "../use-answer.ts";
import { useCan } from "../use-can.ts";
import type { Picker } from "./picker.ts";

/** Something that can be picked. */
export interface PickChoice {
  value: string;
  label: string;
  /** A line on it. */
  detail: string;
  group: string;
  /** Says something about the list; it cannot be picked. */
  isNote?: boolean;
}

const ALL = { pagination: { page: 1, perPage: 500 }, sort: { field: "id", order: "ASC" as const } };
/** Lists are asked for once by the fields of a form; what was made elsewhere meanwhile is there in the next one. */
const STALE_MS = 5_000;

function useRows<Row extends RaRecord>(resource: string, permission: string, wanted: boolean): Row[] | undefined {
  const may = useCan(permission);
  return useGetList<Row>(resource, ALL, { enabled: wanted && may, staleTime: STALE_MS }).data;
}

/** The workflow whose versions are asked for, as the form has it. */
interface VersionOf {
  workflow?: Json | undefined;
  kind?: Json | undefined;
}

/** What a field of this kind can be picked from, as far as the person may see it. */
export function useChoices(picker: Picker, { workflow, kind }: VersionOf = {}): PickChoice[] {
  const aliases = useRows<ModelAlias>("ai-aliases", "ai-aliases.read", picker === "model");
  const providers = useRows<ProviderModels>("ai-models", "ai-providers.read", picker === "model");
  const prices = useRows<ModelPrice>("ai-prices", "ai-prices.read", picker === "model");
  const tools = useRows<CatalogTool>("tools", "tools.read", picker === "tool");
  const agents = useRows<Agent>("agents", "agents.read", picker === "agent");
  const stores = useRows<VectorStore>("vector-stores", "vector-stores.read", picker === "vector-store");
  const tables = useRows<Table>("tables", "tables.read", picker === "table");
  const workflows = useRows<Workflow>("workflows", "workflows.read", picker === "workflow");
  const graphs = useRows<Workflow>("agent-workflows", "agent-workflows.read", picker === "workflow");
  const secrets = useRows<Secret & RaRecord>("secrets", "secrets.update", picker === "secret");
  const resource = kind === "agent-workflow" ? "agent-workflows" : "workflows";
  const isKnown = (typeof workflow === "string" && /^[\w-]+$/.test(workflow)) || typeof workflow === "number";
  const isVersion = picker === "workflow-version" && isKnown;
  const { data: versions } = useAnswer<WorkflowVersion[]>(isVersion ? `${resource}/${workflow}/versions` : null);
  const users = useRows<User>("users", "users.read", picker === "assignee");
  const roles = useRows<Role & RaRecord>("roles", "roles.read", picker === "assignee");
  return useMemo(() => {
    switch (picker) {
      case "model":
        return modelChoices(aliases ?? [], providers ?? [], prices ?? []);
      case "tool":
        return toolChoices(tools ?? []);
      case "agent":
        return (agents ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, "Agents"));
      case "vector-store":
        return (stores ?? []).map(({ slug, name }) => choice(slug, name, "", t("Vector stores")));
      case "table":
        return (tables ?? []).map(({ slug, name }) => choice(slug, name, "", t("Tables")));
      case "workflow":
        return [
          ...(workflows ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, "Workflows")),
          ...(graphs ?? []).map(({ slug, name, version }) => choice(slug, name, `v${version}`, t("Agent workflows"))),
        ];
      case "workflow-version":
        return (versions ?? []).map(({ version, description }, index) =>
          choice(
            String(version),
            `v${version}`,
            index === 0 ? ["latest", description].filter(Boolean).join(" · ") : (description ?? ""),
            "",
          ),
        );
      case "secret":
        return (secrets ?? []).map(({ name }) => choice(name, name, "", "Secrets"));
      case "assignee":
        return [
          ...(roles ?? []).map(({ name, title }) => choice(`role:${name}`, title, "", "Roles")),
          ...(users ?? []).map(({ id, name, email }) => choice(`user:${id}`, name, email, "People")),
        ];
    }
  }, [
    picker,
    aliases,
    providers,
    prices,
    tools,
    agents,
    stores,
    tables,
    workflows,
    graphs,
    versions,
    secrets,
    users,
    roles,
  ]);
}

function choice(value: string, label: string, detail: string, group: string): PickChoice {
  return { value, label, detail, group };
}

/** Aliases first, then what each provider says it has; a provider that does not answer says so in its place. */
function modelChoices(aliases: ModelAlias[], providers: ProviderModels[], prices: ModelPrice[]): PickChoice[] {
  const costOf = (model: string): string => {
    const [provider, id] = [model.slice(0, model.indexOf(":")), model.slice(model.indexOf(":") + 1)];
    const ofProvider = prices.filter(({ providerId }) => providerId === provider);
    const price = ofProvider.find(({ modelId }) => modelId === id) ?? ofProvider.find(({ modelId }) => modelId === "*");
    if (price === undefined) return "";
    const [input, output] = [formatMoney(price.inputMicros), formatMoney(price.outputMicros)];
    return t("{{input}} in, {{output}} out per million tokens", { input, output });
  };
  const named = aliases.map(({ name, model, problem }) =>
    choice(
      name,
      name,
      problem ?? [t("stands for {{model}}", { model }), costOf(model)].filter(Boolean).join(" · "),
      t("Aliases"),
    ),
  );
  const listed = providers.flatMap(({ id, title, models, truncated, problem }): PickChoice[] => [
    ...models.map((model) => choice(`${id}:${model}`, `${id}:${model}`, costOf(`${id}:${model}`), title)),
    ...(truncated ? [note(`${id}:`, t("There are more; type the name"), title)] : []),
    ...(problem === null ? [] : [note(`${id}:`, t("Not listed: {{message}}", { message: problem.message }), title)]),
  ]);
  // What an alias stands for, of a provider that could not be asked.
  const known = [...new Set(aliases.flatMap(({ models }) => models))].filter(
    (model) => model.includes(":") && listed.every(({ value }) => value !== model),
  );
  return [...named, ...listed, ...known.map((model) => choice(model, model, costOf(model), t("In aliases")))];
}

function note(value: string, label: string, group: string): PickChoice {
  return { value, label, detail: "", group, isNote: true };
}

function toolChoices(tools: CatalogTool[]): PickChoice[] {
  const groups = Map.groupBy(tools, ({ group }) => group);
  const patterns = [...groups].map(([group, { length }]) =>
    choice(`${group}.*`, `${group}.*`, t("all {{total}} of them", { total: length }), "Patterns"),
  );
  const each = tools.map(({ id, title, effect, needsApproval, group }) =>
    choice(
      id,
      id,
      [title, effect, ...(needsApproval ? [t("asks for approval")] : [])].join(" · "),
      toGroupTitle(group),
    ),
  );
  return [...each, ...patterns];
}

/** `mcp.shop` and `api.shop` are connections named shop. */
function toGroupTitle(group: string): string {
  if (group.startsWith("api.")) return t("Connected API {{name}}", { name: group.slice("api.".length) });
  return group.startsWith("mcp.") ? t("Connected server {{slice}}", { slice: group.slice("mcp.".length) }) : group;
}
