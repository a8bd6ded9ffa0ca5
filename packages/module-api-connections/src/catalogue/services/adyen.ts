import type { CataloguedService } from "@oven/contract/api";

export const adyen: CataloguedService = {
  slug: "adyen",
  name: "Adyen Checkout",
  category: "money",
  description: "Payment sessions, payment links, captures and refunds.",
  documentation: "https://docs.adyen.com/api-explorer/Checkout/71/overview",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/Adyen/adyen-openapi/main/json/CheckoutService-v71.json",
  },
  serverUrl: "https://checkout-test.adyen.com/v71",
  auth: {
    type: "api-key",
    in: "header",
    name: "X-API-Key",
  },
  steps: [
    "In the Customer Area, open Developers, API credentials, and generate an API key.",
    "The server is that of tests; the live address has your own prefix.",
  ],
  operations: [
    "POST /paymentLinks",
    "GET /paymentLinks/{linkId}",
    "POST /sessions",
    "GET /sessions/{sessionId}",
    "POST /payments/{paymentPspReference}/refunds",
    "POST /payments/{paymentPspReference}/captures",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
