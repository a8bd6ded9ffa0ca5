import { startMailServer } from "@oven/testing";
import { expect, it } from "vitest";
import { startNotifications } from "../deliveries/testing/start-notifications.ts";

it("a person whose second factor was reset gets a mail about it, whatever they want to be told, and nobody else does", async () => {
  const mail = await startMailServer();
  const one = await startNotifications({ now: new Date() }, { mail: { url: mail.url, from: "oven@example.com" } });
  try {
    const eve = await one.person("viewer");
    await one.person("viewer");
    const reset = await one.oven.call("POST", `users/${eve.id}/reset-second-factor`, {});
    expect(reset.status, JSON.stringify(reset.body)).toBe(204);
    await one.settled();
    expect(mail.mails).toMatchObject([{ to: [eve.email], headers: { subject: "Your second factor was reset" } }]);
    expect(mail.mails[0]?.body).toContain("http://localhost:3000/account");
  } finally {
    await one.stop();
    await mail.stop();
  }
});
