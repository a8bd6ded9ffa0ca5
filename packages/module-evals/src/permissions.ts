import type { Permission } from "@oven/module-registry";

export const evalPermissions: Permission[] = [
  { id: "evals.read", title: "See datasets, evaluations and their results" },
  { id: "evals.create", title: "Make datasets and cases" },
  { id: "evals.update", title: "Change datasets and cases" },
  { id: "evals.delete", title: "Delete datasets, cases and evaluations" },
  { id: "evals.run", title: "Run datasets" },
];
