import type { Principal } from "@oven/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { defineRoute } from "../define/define-route.ts";
import { AuditContext, claimAudit, expectReply } from "./audit-context.ts";
import type { Act, AuditRecord, AuditTrail } from "./audit-trail.ts";

const principal: Principal = { kind: "api-key", userId: 1, keyId: 2, tenantId: 1, permissions: ["*"] };
const act: Act = {
  route: defineRoute({
    method: "POST",
    path: "things/[id]",
    operation: false,
    summary: "",
    access: "session",
    handler: async () => ({ status: 200 }),
  }),
  request: new Request("http://localhost/api/things/7", { method: "POST" }),
  principal,
  params: { id: "7" },
  arguments: undefined,
};

describe("the audit row of a request", () => {
  let recorded: AuditRecord[];
  const trail: AuditTrail = {
    record: async (record) => void recorded.push(record),
    toRow: ({ status }) => ({ table: "audit_log", columns: [{ name: "status", type: "int", value: status }] }),
  };
  beforeEach(() => {
    recorded = [];
  });
  const statuses = () => recorded.map(({ status }) => status);
  /** A request whose handler does `work`, and is answered with `status` at its end. */
  async function serve(work: () => Promise<void>, status: number): Promise<void> {
    const open = new AuditContext(act, trail);
    await open.serve(work);
    await open.end({ status });
  }

  it("is handed to whoever does what was asked for, and not written again", async () => {
    await serve(async () => {
      expectReply(200);
      const claimed = claimAudit();
      expect(claimed?.row.columns).toEqual([{ name: "status", type: "int", value: 200 }]);
      // It is one row.
      expect(claimAudit()).toBeUndefined();
      claimed?.settle("written");
    }, 200);
    expect(statuses()).toEqual([]);
  });

  it("is written at the end where nobody claimed it, where it was left, and where nobody knew what would be answered", async () => {
    await serve(async () => expectReply(200), 200);
    await serve(async () => {
      expectReply(200);
      claimAudit()?.settle("left");
    }, 200);
    await serve(async () => expect(claimAudit()).toBeUndefined(), 202);
    expect(statuses()).toEqual([200, 200, 202]);
  });

  it("is claimed anew after it was left", async () => {
    await serve(async () => {
      expectReply(200);
      claimAudit()?.settle("left");
      claimAudit()?.settle("written");
    }, 200);
    expect(statuses()).toEqual([]);
  });

  it("is written beside the one that told of another answer", async () => {
    await serve(async () => {
      expectReply(200);
      claimAudit()?.settle("written");
    }, 500);
    expect(statuses()).toEqual([500]);
  });

  it("is one also where the client went away before the answer; with nothing done it says that", async () => {
    await serve(async () => {
      expectReply(200);
      claimAudit()?.settle("written");
    }, 499);
    await serve(async () => expectReply(200), 499);
    expect(statuses()).toEqual([499]);
  });

  it("waits, at the end, for whoever has claimed it and is not done; after the end nobody claims it", async () => {
    const open = new AuditContext(act, trail);
    const claimed = await open.serve(async () => {
      expectReply(200);
      return claimAudit();
    });
    let isEnded = false;
    const ending = open.end({ status: 200 }).then(() => {
      isEnded = true;
    });
    await Promise.resolve();
    expect(isEnded).toBe(false);
    claimed?.settle("left");
    await ending;
    expect(statuses()).toEqual([200]);
    await open.serve(async () => expect(claimAudit()).toBeUndefined());
  });

  it("is nobody's outside of a request", () => {
    expectReply(200);
    expect(claimAudit()).toBeUndefined();
  });
});
