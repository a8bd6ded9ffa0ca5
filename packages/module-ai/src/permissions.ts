import type { Permission } from "@oven/module-registry";

export const aiPermissions: Permission[] = [
  { id: "ai-aliases.read", title: "See model aliases" },
  { id: "ai-aliases.update", title: "Change what a model alias stands for" },
  { id: "ai-providers.read", title: "See model providers" },
  { id: "ai-usage.read", title: "See model usage and cost" },
  { id: "ai.generate", title: "Call models directly" },
  { id: "ai.embed", title: "Compute embeddings" },
  { id: "vector-stores.read", title: "See and search vector stores" },
  { id: "vector-stores.create", title: "Create vector stores" },
  { id: "vector-stores.update", title: "Change vector stores and what they hold" },
  { id: "vector-stores.delete", title: "Delete vector stores" },
  { id: "vector-stores.ask", title: "Ask a model about what a vector store holds" },
];
