import { CreateEventSubscriptionSchema } from "@oven/contract/trigger";
import { expect, it } from "vitest";
import { NEW_SUBSCRIPTION, toBody, toDraft } from "./subscription-draft.ts";

const ROW = {
  name: "Shop",
  url: "https://shop.example.com/hook",
  events: ["orders.*"],
  secret: "shop-key",
  headers: { "X-Env": "test", Authorization: { $secret: "shop-token", prefix: "Bearer " }, "X-Key": { $secret: "k" } },
};

it("is the same subscription after its form", () => {
  const draft = toDraft({ ...ROW, id: 1, enabled: true, createdAt: "", updatedAt: "" });
  expect(toBody(draft)).toEqual({ ...ROW, enabled: true });
  expect(CreateEventSubscriptionSchema.safeParse(toBody(draft)).success).toBe(true);
});

it("leaves out a header that has no name", () => {
  const header = { key: 1, name: " ", kind: "text" as const, value: "x", prefix: "" };
  const headers = [header, { ...header, key: 2, name: " X-Env " }];
  expect(toBody({ ...NEW_SUBSCRIPTION, headers }).headers).toEqual({ "X-Env": "x" });
});
