import type { CataloguedService } from "@oven/contract/api";

export const stripe: CataloguedService = {
  slug: "stripe",
  name: "Stripe",
  category: "money",
  description: "Customers, invoices, payments, subscriptions and refunds.",
  documentation: "https://docs.stripe.com/api",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/stripe/openapi/master/openapi/spec3.json",
  },
  serverUrl: "https://api.stripe.com",
  auth: {
    type: "bearer",
  },
  steps: [
    "In the Stripe dashboard, open Developers, API keys, and create a restricted key.",
    "Begin with a key of the test mode; it never moves money.",
  ],
  operations: [
    "GET /v1/customers",
    "GET /v1/customers/search",
    "GET /v1/customers/{customer}",
    "GET /v1/invoices",
    "GET /v1/invoices/{invoice}",
    "GET /v1/subscriptions",
    "GET /v1/payment_intents/{intent}",
    "GET /v1/charges",
    "POST /v1/refunds",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
