import { type Permission, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";

export const evalPermissions: Permission[] = [
  { id: "evals.read", title: "See datasets, evaluations and their results", roles: READING_ROLES },
  { id: "evals.create", title: "Make datasets and cases", roles: ["editor"] },
  { id: "evals.update", title: "Change datasets and cases", roles: ["editor"] },
  { id: "evals.delete", title: "Delete datasets, cases and evaluations", roles: ["editor"] },
  { id: "evals.run", title: "Run datasets", roles: RUNNING_ROLES },
];
