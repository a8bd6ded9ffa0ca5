import type { CataloguedService } from "@oven/contract/api";

export const square: CataloguedService = {
  slug: "square",
  name: "Square",
  category: "money",
  description: "Payments, orders, customers and invoices of shops.",
  documentation: "https://developer.squareup.com/reference/square",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/square/connect-api-specification/master/api.json",
  },
  serverUrl: "https://connect.squareup.com",
  auth: {
    type: "bearer",
  },
  steps: [
    "Create an application in the Square developer console, and copy its access token.",
    "The token of the sandbox belongs to the server connect.squareupsandbox.com.",
  ],
  operations: [
    "GET /v2/locations",
    "GET /v2/payments",
    "GET /v2/payments/{payment_id}",
    "POST /v2/orders/search",
    "GET /v2/orders/{order_id}",
    "POST /v2/customers/search",
    "GET /v2/customers/{customer_id}",
    "GET /v2/invoices",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
