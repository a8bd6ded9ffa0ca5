import { expect, it } from "vitest";
import { WebhookIntake, type WebhookIntakeDeps } from "./webhook-intake.ts";

it("holds no more than 200 requests in memory; whoever comes then is asked to come again", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const refused: string[] = [];
  const parts = {
    triggers: { ofToken: async () => ({ id: 1, tenantId: 1, enabled: false, config: {} }) },
    services: {},
    intake: { refuse: async (_trigger: object, { reason }: { reason: string }) => void refused.push(reason) },
    clock: async () => {
      await gate;
      return new Date("2026-11-01T12:00:00Z");
    },
  } as unknown as WebhookIntakeDeps; // cast: the parts that a switched-off trigger reaches
  const intake = new WebhookIntake(parts);
  const post = () => intake.take("token", new Request("http://localhost/api/hooks/token", { method: "POST" }));
  const held = Array.from({ length: 200 }, post);
  await expect(post()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", status: 429, retryAfterMs: 1_000 });
  open();
  const outcomes = await Promise.allSettled(held);
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(refused).toHaveLength(200);
  // There is room again.
  await expect(post()).rejects.toMatchObject({ code: "TRIGGER_DISABLED" });
});
