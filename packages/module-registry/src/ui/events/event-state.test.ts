import type { EventDelivery, LoggedEvent } from "@oven/contract/system";
import { expect, it } from "vitest";
import { toEventState } from "./event-state.ts";

const delivery = (status: EventDelivery["status"]): EventDelivery => ({
  listener: "module-x:*",
  status,
  attempts: 1,
  lastError: null,
  nextAttemptAt: "2026-01-01T00:00:00Z",
  deliveredAt: null,
});
const event = (deliveredAt: string | null, ...statuses: EventDelivery["status"][]): LoggedEvent => ({
  id: 1,
  name: "a.b.c",
  at: "2026-01-01T00:00:00Z",
  tenantId: 1,
  actor: { kind: "system", id: null },
  payload: {},
  executionId: null,
  deliveredAt,
  deliveries: statuses.map(delivery),
});

it.each([
  ["failed", event("2026-01-01T00:00:00Z", "delivered", "failed")],
  ["delivered", event("2026-01-01T00:00:00Z", "delivered")],
  ["delivered", event("2026-01-01T00:00:00Z")],
  ["pending", event(null, "delivered", "pending")],
] as const)("an event is %s by the worst of its deliveries", (state, logged) => {
  expect(toEventState(logged)).toBe(state);
});
