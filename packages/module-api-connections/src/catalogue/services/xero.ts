import type { CataloguedService } from "@oven/contract/api";

export const xero: CataloguedService = {
  slug: "xero",
  name: "Xero",
  category: "money",
  description: "Invoices, contacts, payments and reports of bookkeeping.",
  documentation: "https://developer.xero.com/documentation/api/accounting/overview",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/XeroAPI/Xero-OpenAPI/master/xero_accounting.yaml",
  },
  serverUrl: "https://api.xero.com/api.xro/2.0",
  auth: {
    type: "oauth",
    authorizationUrl: "https://login.xero.com/identity/connect/authorize",
    tokenUrl: "https://identity.xero.com/connect/token",
    scope:
      "offline_access accounting.invoices accounting.payments.read accounting.contacts.read accounting.settings.read accounting.reports.profitandloss.read",
    clientIn: "header",
    parameters: {},
  },
  steps: [
    "Create a web app at developer.xero.com, and copy its client id and secret.",
    "Each call names the organization by its tenant id, which GET https://api.xero.com/connections lists.",
  ],
  operations: [
    "GET /Organisation",
    "GET /Contacts",
    "GET /Invoices",
    "GET /Invoices/{InvoiceID}",
    "PUT /Invoices",
    "POST /Invoices/{InvoiceID}/Email",
    "GET /Payments",
    "GET /Reports/ProfitAndLoss",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
