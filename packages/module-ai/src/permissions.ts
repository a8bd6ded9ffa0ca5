import { type Permission, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";

/** Editors see providers, prices and limits; only owners and admins change them. */
export const aiPermissions: Permission[] = [
  { id: "ai-aliases.read", title: "See model aliases", roles: READING_ROLES },
  { id: "ai-aliases.create", title: "Make model aliases", roles: ["editor"] },
  { id: "ai-aliases.update", title: "Change what a model alias stands for", roles: ["editor"] },
  { id: "ai-aliases.delete", title: "Delete model aliases", roles: ["editor"] },
  ...["ai-providers", "ai-prices", "ai-budgets", "ai-guardrails", "ai-rate-limits"].flatMap((resource) => {
    const what = resource.replace("ai-", "model ").replace("-", " ");
    return [
      { id: `${resource}.read`, title: `See ${what}`, roles: READING_ROLES },
      { id: `${resource}.create`, title: `Make ${what}` },
      { id: `${resource}.update`, title: `Change ${what}` },
      { id: `${resource}.delete`, title: `Delete ${what}` },
    ];
  }),
  { id: "ai-usage.read", title: "See model usage and cost", roles: READING_ROLES },
  { id: "ai.generate", title: "Call models directly", roles: RUNNING_ROLES },
  { id: "ai.embed", title: "Compute embeddings", roles: RUNNING_ROLES },
  { id: "vector-stores.read", title: "See and search vector stores", roles: READING_ROLES },
  { id: "vector-stores.create", title: "Create vector stores", roles: ["editor"] },
  { id: "vector-stores.update", title: "Change vector stores and what they hold", roles: ["editor"] },
  { id: "vector-stores.delete", title: "Delete vector stores", roles: ["editor"] },
  { id: "vector-stores.ask", title: "Ask a model about what a vector store holds", roles: RUNNING_ROLES },
];
