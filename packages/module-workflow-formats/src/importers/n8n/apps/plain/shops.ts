import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import { type App, ownAddress } from "../app-steps.ts";
import { type PlainOperation, plainApp, SUCCESS } from "../plain-app.ts";

/** The header that a credential of Shopify signs in with depends on its kind. */
const CREDENTIALS = { apiKey: "shopifyApi", accessToken: "shopifyAccessTokenApi", oAuth2: "shopifyOAuth2Api" };

const FILTERS =
  "fields! attribution_app_id=attributionAppId! created_at_min=createdAtMin! created_at_max=createdAtMax! updated_at_max=updatedAtMax! updated_at_min=updatedAtMin! processed_at_min=processedAtMin! processed_at_max=processedAtMax! since_id=sinceId! ids! status! financial_status=financialStatus! fulfillment_status=fulfillmentStatus!";

/** @throws NoEquivalent for addresses, which have fields of their own */
function refuseAddress(group: Given): void {
  if (group.get("shippingAddressUi") !== undefined) throw new NoEquivalent("it sets an address");
}

const product =
  (method: "POST" | "PUT", path: string, group: string, fields = ""): PlainOperation =>
  (given) => {
    for (const name of ["imagesUi", "productOptions", "metafieldsUi"])
      if (given.group(group).get(name) !== undefined) throw new NoEquivalent(`it sets ${name} of a product`);
    return { method, path, fields, all: [group], wrap: "product", take: "$json.product" };
  };

export const SHOPIFY: App = plainApp({
  ...{ title: "Shopify", credential: CREDENTIALS.apiKey, oauth: CREDENTIALS.oAuth2, secret: "shopify" },
  ...{ ownAddress: "shopify", base: `${ownAddress("shopify")}/admin/api/2024-07` },
  resource: "order",
  operation: { order: "create", product: "create" },
  operations: {
    "order:get": { method: "GET", path: "/orders/:orderId.json", more: { options: "fields!" }, take: "$json.order" },
    "order:delete": { method: "DELETE", path: "/orders/:orderId.json", take: SUCCESS },
    "order:getAll": {
      ...{ method: "GET", path: "/orders.json", list: "answer.orders", more: { options: FILTERS } },
      paged: { count: "limit", most: 250, isMore: "answer.orders.length >= 250" },
    },
    "order:update": (given) => {
      refuseAddress(given.group("updateFields"));
      return {
        ...{ method: "PUT", path: "/orders/:orderId.json", wrap: "order", take: "$json.order" },
        more: { updateFields: "location_id=locationId! note! source_name=sourceName! tags! email!" },
      };
    },
    "product:get": {
      method: "GET",
      path: "/products/:productId.json",
      take: "$json.product",
      all: ["additionalFields"],
    },
    "product:delete": { method: "DELETE", path: "/products/:productId.json", take: SUCCESS },
    "product:create": product("POST", "/products.json", "additionalFields", "title"),
    "product:update": product("PUT", "/products/:productId.json", "updateFields"),
    "product:getAll": {
      ...{ method: "GET", path: "/products.json", list: "answer.products", all: ["additionalFields"] },
      paged: { count: "limit", most: 250, isMore: "answer.products.length >= 250" },
    },
  },
});
