import { expect, it } from "vitest";
import { toRecipientWords } from "./recipient-words.ts";

it("says whom a rule tells, and which way, without the address of a webhook", () => {
  const people = [
    { kind: "starter" },
    { kind: "assignees" },
    { kind: "role", role: "admin" },
    { kind: "user", userId: 7 },
  ] as const;
  expect(toRecipientWords({ channel: { type: "email" }, recipients: [...people] })).toBe(
    "who started it, who is asked, admin, user 7 · by e-mail",
  );
  const webhook = { type: "webhook" as const, url: "https://a.example.com/hooks/token", secret: null };
  expect(toRecipientWords({ channel: webhook, recipients: [] })).toBe("webhook to a.example.com");
  const slack = { type: "slack" as const, url: { $secret: "slack" }, host: "hooks.slack.com" };
  expect(toRecipientWords({ channel: slack, recipients: [] })).toBe("Slack");
});
