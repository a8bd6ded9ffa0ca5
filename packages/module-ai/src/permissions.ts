import type { Permission } from "@oven/module-registry";

export const aiPermissions: Permission[] = [
  { id: "ai-aliases.read", title: "See model aliases" },
  { id: "ai-aliases.update", title: "Change what a model alias stands for" },
  { id: "ai-providers.read", title: "See model providers" },
  { id: "ai-usage.read", title: "See model usage and cost" },
  { id: "ai.generate", title: "Call models directly" },
];
