import { databaseClock } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import type { ServiceMap } from "@oven/module-registry";
import { describe, expect, it } from "vitest";
import type { DecisionChannels } from "../decisions/decision-channel.ts";
import { ReplyCodes } from "../decisions/mail/reply-codes.ts";
import { ReviewPosts } from "../decisions/review-posts.ts";
import { DeadlineWatch } from "./deadline-watch.ts";
import { NotificationHost } from "./notification-host.ts";
import { Sender } from "./sender.ts";

describe("the sending of notifications on an embedded database", () => {
  it("takes a message that is due by time alone, though it rests while nothing happens", async () => {
    const db = await createTestPglite();
    const clock = databaseClock(db);
    const services = {} as ServiceMap; // cast: without a mail server nothing is asked of any service
    const environment = { publicUrl: "http://localhost:3000", outboundAllow: [] };
    const channels = {} as DecisionChannels; // cast: no rule posts reviews here
    const posts = new ReviewPosts({ db, services, environment, channels });
    const sender = new Sender({ db, services, environment, mail: undefined, posts, replies: undefined });
    const deadlines = new DeadlineWatch({ db, services });
    const host = new NotificationHost({ db, clock, sender, deadlines, posts, codes: new ReplyCodes({ db }) });
    await db.query(
      `insert into notification_deliveries (tenant_id, rule_key, event_key, channel, recipient, kind, subject, text, link, facts, next_attempt_at)
       values (1, 'r', 'e', 'email', 'a@example.com', 'run.failed', 's', 't', '/', '{}', now() + interval '1 second')`,
    );
    // From here on nothing is written: its first look finds nothing that is due, and it would rest for a minute.
    host.start();
    const read = "select status, reason from notification_deliveries";
    const settled = { status: "skipped", reason: "No mail server is set: OVEN_SMTP_URL" };
    await expect.poll(() => db.query(read), { timeout: 4_000 }).toEqual([settled]);
    await host.stop();
    await db.close();
  });
});
