import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "eval-datasets", title: "Datasets" },
  { name: "eval-cases", title: "Cases" },
  { name: "eval-runs", title: "Evaluations" },
  { name: "score-judges", title: "Judges of runs" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Agent Workflows",
    order: 80,
    title: "Evals",
    to: "/eval-datasets",
    also: ["/eval-runs"],
    permissions: ["evals.read"],
  },
];
