import type { SeedAgent } from "@oven/module-agent-core";

/** Every demo agent. Adding one: its line here. */
export const demoAgents: SeedAgent[] = [
  {
    slug: "shop-assistant",
    name: "Shop assistant",
    description: "Answers questions about orders and about what the shop promises. It may look things up, not refund.",
    settings: {
      model: "simulated:shop-assistant",
      systemPrompt:
        "You answer questions about orders of a small shop for bakers. Look the order up before you answer.",
      toolBindings: ["orders.*", "!orders.refund"],
      maxToolIterations: 5,
    },
  },
];
