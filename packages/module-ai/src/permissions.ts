import type { Permission } from "@oven/module-registry";

/** Editors see providers, prices and limits, and only administrators change them: see RULES in module-roles. */
export const aiPermissions: Permission[] = [
  { id: "ai-aliases.read", title: "See model aliases" },
  { id: "ai-aliases.create", title: "Make model aliases" },
  { id: "ai-aliases.update", title: "Change what a model alias stands for" },
  { id: "ai-aliases.delete", title: "Delete model aliases" },
  ...["ai-providers", "ai-prices", "ai-budgets", "ai-guardrails", "ai-rate-limits"].flatMap((resource) => {
    const what = resource.replace("ai-", "model ").replace("-", " ");
    return [
      { id: `${resource}.read`, title: `See ${what}` },
      { id: `${resource}.create`, title: `Make ${what}` },
      { id: `${resource}.update`, title: `Change ${what}` },
      { id: `${resource}.delete`, title: `Delete ${what}` },
    ];
  }),
  { id: "ai-usage.read", title: "See model usage and cost" },
  { id: "ai.generate", title: "Call models directly" },
  { id: "ai.embed", title: "Compute embeddings" },
  { id: "vector-stores.read", title: "See and search vector stores" },
  { id: "vector-stores.create", title: "Create vector stores" },
  { id: "vector-stores.update", title: "Change vector stores and what they hold" },
  { id: "vector-stores.delete", title: "Delete vector stores" },
  { id: "vector-stores.ask", title: "Ask a model about what a vector store holds" },
];
