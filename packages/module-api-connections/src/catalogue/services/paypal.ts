import type { CataloguedService } from "@oven/contract/api";

export const paypal: CataloguedService = {
  slug: "paypal",
  name: "PayPal",
  category: "money",
  description: "Invoices, orders, refunds and disputes.",
  documentation: "https://developer.paypal.com/tools/mcp-server/",
  source: {
    type: "mcp",
    url: "https://mcp.paypal.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
