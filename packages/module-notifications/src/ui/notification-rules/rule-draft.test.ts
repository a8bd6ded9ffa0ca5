import { CreateNotificationRuleSchema, type NotificationRule } from "@oven/contract/system";
import { describe, expect, it } from "vitest";
import { NEW_RULE, toBody, toDraft } from "./rule-draft.ts";

const STORED = { id: 1, decisionsPath: null, createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };

describe("the form of a notification rule", () => {
  it.each([
    { channel: { type: "in-app" }, recipients: [{ kind: "starter" }, { kind: "role", role: "admin" }] },
    {
      channel: { type: "email" },
      recipients: [{ kind: "user", userId: 7 }],
      scope: { kind: "agent-workflow", workflowId: 3 },
    },
    {
      channel: { type: "email" },
      events: ["review.opened"],
      recipients: [{ kind: "assignees" }],
      subject: "{{ $.review.title }}",
      text: "Look",
    },
    {
      channel: { type: "webhook", url: "https://a.example.com/x", secret: null },
      quietHours: { from: "20:00", to: "06:30" },
      timezone: "Europe/Vienna",
    },
    { channel: { type: "webhook", url: "https://a.example.com/x", secret: { $secret: "hook" } }, enabled: false },
    {
      channel: { type: "slack", url: { $secret: "slack" }, host: "hooks.slack.com" },
      scope: { kind: "workflow", workflowId: 4 },
    },
    {
      channel: {
        type: "slack-app",
        token: { $secret: "slack-token" },
        signingSecret: { $secret: "slack-signing-secret" },
        conversation: "C0123ABCD",
        host: "slack.com",
      },
      events: ["review.opened"],
    },
    {
      channel: {
        type: "teams",
        appId: "11111111-2222-4333-8444-555555555555",
        directory: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
        password: { $secret: "bot" },
        conversation: "19:abc@thread.tacv2",
        serviceUrl: "https://smba.trafficmanager.net/emea",
        loginHost: "login.microsoftonline.us",
        keysHost: "login.botframework.azure.us",
      },
      events: ["review.opened"],
    },
  ])("gives back what it was filled with: %j", (more) => {
    const body = CreateNotificationRuleSchema.parse({ name: "Rule", events: ["run.failed"], ...more });
    const rule: NotificationRule = { ...STORED, ...body };
    expect(toBody(toDraft(rule))).toEqual(body);
  });

  it("sends nothing that belongs to another channel", () => {
    const draft = { ...NEW_RULE, name: "Rule", url: "https://a.example.com", secret: "s", quiet: true };
    expect(toBody(draft)).toMatchObject({ channel: { type: "email" }, quietHours: null });
    expect(toBody({ ...draft, channel: "webhook" })).toMatchObject({ recipients: [], quietHours: { from: "22:00" } });
  });
});
