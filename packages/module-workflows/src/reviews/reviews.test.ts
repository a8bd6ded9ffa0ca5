import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { hashJson } from "@oven/engine";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Person, ReviewedOven } from "./testing/reviewed-oven.ts";

describe.each(testDatabases(inject("postgresUrl")))("reviews on $name", ({ open }) => {
  let test: TestDatabase;
  let house: ReviewedOven;
  beforeAll(async () => {
    test = await open();
    house = await ReviewedOven.start(test.db);
  });
  afterAll(async () => {
    await house.oven.stop();
    await test.close();
  });

  const decide = (who: Pick<Person, "call">, review: number, body: object = { action: "approve" }) =>
    who.call("POST", `reviews/${review}/decide`, body);
  const ends = (run: number) =>
    expect.poll(async () => (await house.run(run)).status, { interval: 20 }).toBe("completed");
  const logs = (run: number, event: string) =>
    expect.poll(async () => (await house.said(run)).filter((entry) => entry.event === event).length).toBeGreaterThan(0);
  const mine = async (who: Person) =>
    (await who.call("GET", 'reviews?filter={"mine":true,"status":"open"}&range=[0,199]')).body.map(
      ({ id }: { id: number }) => id,
    );

  describe("assignees", () => {
    it("decide by id, e-mail or role, and nobody else does, over decide and over resume [004-222]", async () => {
      const [ada, bob] = [await house.person("operator"), await house.person("editor")];
      const ways = [`user:${ada.id}`, `user:${ada.email}`, "role:operator"];
      for (const assignee of ways) {
        const { run, review } = await house.ask({ assignees: [assignee] });
        const refused = [
          await decide(bob, review),
          await bob.call("POST", `workflow-executions/${run}/resume`, { action: "approve" }),
          await bob.call("POST", `workflow-executions/${run}/resume`, { action: "approve", reviewId: review }),
        ];
        for (const { status, body } of refused) {
          expect(status).toBe(403);
          expect(body.error).toMatchObject({ code: "REVIEW_NOT_YOURS", details: { assignees: [assignee] } });
        }
        expect((await bob.call("GET", `reviews/${review}`)).body).toMatchObject({ status: "open", mayDecide: false });
        expect((await ada.call("GET", `reviews/${review}`)).body).toMatchObject({ mayDecide: true });
        expect((await decide(ada, review)).status).toBe(200);
        await ends(run);
      }
    });

    it("may be passed over by owners and admins, unless the review says no", async () => {
      const [admin, owner] = [await house.person("admin"), await house.person("owner")];
      for (const who of [admin, owner]) {
        const open = await house.ask({ assignees: ["role:operator"] });
        expect((await decide(who, open.review)).status).toBe(200);
        const strict = await house.ask({ assignees: ["role:operator"], policy: { adminsMayDecide: false } });
        expect((await decide(who, strict.review)).body.error.code).toBe("REVIEW_NOT_YOURS");
      }
    });

    it("find theirs with the filter `mine`, and not what they may not decide", async () => {
      const [ada, bob] = [await house.person("operator"), await house.person("editor")];
      const anybody = (await house.ask({})).review;
      const byName = (await house.ask({ assignees: [`user:${ada.email}`] })).review;
      const byRole = (await house.ask({ assignees: ["role:operator"] })).review;
      const own = (await house.ask({ policy: { notRequester: true } }, ada)).review;
      const quorum = await house.ask({ policy: { approvals: 2 } });
      expect(await mine(ada)).toEqual(expect.arrayContaining([anybody, byName, byRole, quorum.review]));
      expect(await mine(ada)).not.toContain(own);
      expect(await mine(bob)).toEqual(expect.arrayContaining([anybody, own, quorum.review]));
      for (const review of [byName, byRole]) expect(await mine(bob)).not.toContain(review);
      await decide(ada, quorum.review, { action: "approve", digest: quorum.digest });
      expect(await mine(ada)).not.toContain(quorum.review);
      const { body } = await ada.call("GET", 'reviews?filter={"mine":"yes"}');
      expect(body.error.code).toBe("INVALID_LIST_QUERY");
    });
  });

  it("refuses whoever started the run where a second pair of eyes is asked for, admins too", async () => {
    const [ada, bob] = [await house.person("admin"), await house.person("operator")];
    const { run, review } = await house.ask({ policy: { notRequester: true } }, ada);
    const refused = await decide(ada, review);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: "REVIEW_NOT_YOURS", message: expect.stringMatching(/asked for/) });
    expect((await decide(bob, review)).status).toBe(200);
    await ends(run);
  });

  describe("a quorum", () => {
    it("of three with twenty who vote at once takes three votes and goes on once", async () => {
      const voters = await house.people(20, "operator");
      const { run, review, digest } = await house.ask({ policy: { approvals: 3 } });
      const answers = await Promise.all(voters.map((who) => decide(who, review, { action: "approve", digest })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      for (const { status, body } of answers.filter((answer) => answer.status !== 200))
        expect([status, body.error.code]).toEqual([409, "REVIEW_DECIDED"]);
      await ends(run);
      const votes = await test.db.query<{ user_id: number; digest: string }>(
        "select user_id, digest from review_votes where review_id = $1",
        [review],
      );
      expect(new Set(votes.map((vote) => vote.user_id)).size).toBe(3);
      expect(votes.every((vote) => vote.digest === digest)).toBe(true);
      const signals = "select id from run_signals where execution_id = $1 and type = 'decision'";
      expect(await test.db.query(signals, [run])).toHaveLength(1);
      expect((await house.said(run)).filter(({ event }) => event === "review.decided")).toHaveLength(1);
      expect((await house.review(review)).votes).toHaveLength(3);
    });

    it("counts nobody twice", async () => {
      const ada = await house.person("operator");
      const { run, review, digest } = await house.ask({ policy: { approvals: 2 } });
      const approve = { action: "approve", digest };
      const answers = await Promise.all(Array.from({ length: 8 }, () => decide(ada, review, approve)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
      expect((await decide(ada, review, approve)).body.error.code).toBe("REVIEW_VOTED");
      expect((await decide(ada, review, { action: "reject", reason: "no" })).body.error.code).toBe("REVIEW_VOTED");
      expect(await house.review(review)).toMatchObject({ status: "open", votes: [{ userId: ada.id }] });
      expect((await house.run(run)).status).toBe("paused");
      await logs(run, "review.voted");
      expect((await ada.call("GET", `reviews/${review}`)).body.mayDecide).toBe(false);
    });

    it("ends with one rejection", async () => {
      const [ada, bob] = await house.people(2, "operator");
      if (!ada || !bob) throw new Error("nobody");
      const { run, review, digest } = await house.ask({ policy: { approvals: 3 } });
      await decide(ada, review, { action: "approve", digest });
      expect((await decide(bob, review, { action: "reject", reason: "too much" })).body.status).toBe("decided");
      await ends(run);
      expect(await house.run(run)).toMatchObject({ outcome: "late", output: "REVIEW_REJECTED" });
    });

    it("begins anew with an edit, which its author does not approve a second time", async () => {
      const [ada, bob, eve] = await house.people(3, "operator");
      if (!ada || !bob || !eve) throw new Error("nobody");
      const { run, review, digest } = await house.ask({ policy: { approvals: 2 } });
      await decide(ada, review, { action: "approve", digest });
      const { body: edited } = await decide(bob, review, { action: "edit", digest, data: { amount: 7 } });
      const changed = hashJson({ tool: null, proposal: { amount: 7 } });
      expect(edited).toMatchObject({ status: "open", proposal: { amount: 7 }, digest: changed });
      expect(edited.votes).toMatchObject([{ userId: bob.id, action: "edit" }]);
      const again = await decide(bob, review, { action: "approve", digest: changed });
      expect(again.body.error).toMatchObject({ code: "REVIEW_VOTED", message: expect.stringMatching(/your edit/) });
      expect((await decide(eve, review, { action: "approve", digest })).body.error.code).toBe("REVIEW_CHANGED");
      expect((await decide(eve, review, { action: "approve" })).body.error.code).toBe("DIGEST_REQUIRED");
      expect((await house.run(run)).status).toBe("paused");
      expect((await decide(ada, review, { action: "approve", digest: changed })).body.status).toBe("decided");
      await ends(run);
      expect((await house.run(run)).output).toMatchObject({
        data: { amount: 7 },
        reviewer: ada.id,
        review: { id: review, digest: changed },
      });
    });

    it("takes the votes of keys as their owner's", async () => {
      const { review, digest } = await house.ask({ policy: { approvals: 2 } });
      const ada = await house.person("operator");
      await decide(ada, review, { action: "approve", digest });
      const second = await decide(await house.keyOf(ada), review, { action: "approve", digest });
      expect(second.body.error.code).toBe("REVIEW_VOTED");
    });
  });

  describe("stages", () => {
    const stages = [
      { assignees: ["role:operator"], approvals: 1 },
      { when: "args.amount > 1000", assignees: ["role:editor"], approvals: 1 },
    ];

    it("ask one after the other those whose condition holds on what is proposed", async () => {
      const [lead, finance] = [await house.person("operator"), await house.person("editor")];
      const small = await house.ask({ policy: { stages } });
      expect((await decide(lead, small.review, { action: "approve", digest: small.digest })).body.status).toBe(
        "decided",
      );
      const { run, review, digest } = await house.ask({ policy: { stages }, proposal: { amount: 5_000 } });
      expect((await decide(finance, review, { action: "approve", digest })).body.error.code).toBe("REVIEW_NOT_YOURS");
      const { body } = await decide(lead, review, { action: "approve", digest });
      expect(body).toMatchObject({ status: "open", stage: 1, assignees: ["role:editor"], mayDecide: false });
      expect(body.stages).toEqual([
        { assignees: ["role:operator"], approvals: 1 },
        { assignees: ["role:editor"], approvals: 1 },
      ]);
      expect((await house.run(run)).status).toBe("paused");
      expect((await decide(finance, review, { action: "approve", digest })).body.status).toBe("decided");
      await ends(run);
      expect((await house.run(run)).output).toMatchObject({ action: "approve", data: { amount: 5_000 } });
    });

    it("begin anew with an edit, by what it makes of the proposal", async () => {
      const [lead, finance] = [await house.person("operator"), await house.person("editor")];
      const { run, review, digest } = await house.ask({ policy: { stages } });
      const { body } = await decide(lead, review, { action: "edit", digest, data: { amount: 2_000 } });
      expect(body).toMatchObject({ status: "open", stage: 1, assignees: ["role:editor"], proposal: { amount: 2_000 } });
      const less = await decide(finance, review, { action: "edit", digest: body.digest, data: { amount: 900 } });
      expect(less.body).toMatchObject({ status: "open", stage: 0, assignees: ["role:operator"], votes: [] });
      const { digest: lower } = less.body;
      expect((await decide(lead, review, { action: "approve", digest: lower })).body.status).toBe("decided");
      await ends(run);
      expect((await house.run(run)).output).toMatchObject({ data: { amount: 900 }, review: { digest: lower } });
    });

    it("ask more people, not fewer, where a condition cannot be computed; a rejection of one stage ends it", async () => {
      const lead = await house.person("operator");
      const finance = await house.person("editor");
      const { run, review, digest } = await house.ask({ policy: { stages }, proposal: { amount: "5000" } });
      expect((await decide(lead, review, { action: "approve", digest })).body).toMatchObject({
        stage: 1,
        status: "open",
      });
      const { body } = await decide(finance, review, { action: "reject", digest, reason: "too much" });
      expect(body).toMatchObject({ status: "decided", action: "reject" });
      await ends(run);
    });

    it("leave it to the assignees where no condition holds", async () => {
      const [lead, auditor] = [await house.person("operator"), await house.person("editor")];
      const only = [{ when: "args.amount > 1000", assignees: ["role:operator"], approvals: 1 }];
      const { review, digest } = await house.ask({ policy: { stages: only }, assignees: ["role:editor"] });
      expect((await decide(lead, review, { action: "approve", digest })).body.error.code).toBe("REVIEW_NOT_YOURS");
      expect((await decide(auditor, review, { action: "approve", digest })).body.status).toBe("decided");
    });
  });

  it("one of fifty people wins, and the others are told", async () => {
    const people = await house.people(50, "operator");
    const { run, review } = await house.ask({});
    const answers = await Promise.all(people.map((who) => decide(who, review)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error?.code === "REVIEW_DECIDED")).toHaveLength(49);
    await ends(run);
    const winner = people[answers.findIndex(({ status }) => status === 200)]?.id;
    expect((await house.run(run)).output).toMatchObject({ reviewer: winner });
    expect((await house.review(review)).votes).toMatchObject([{ userId: winner }]);
  });

  describe("delegation", () => {
    it("hands a review on: the new one decides, the old one no more, and the log keeps it", async () => {
      const [ada, bob] = await house.people(2, "operator");
      if (!ada || !bob) throw new Error("nobody");
      const { run, review } = await house.ask({ assignees: [`user:${ada.id}`] });
      const refused = await bob.call("POST", `reviews/${review}/delegate`, { to: `user:${bob.id}` });
      expect(refused.body.error.code).toBe("REVIEW_NOT_YOURS");
      const { body } = await ada.call("POST", `reviews/${review}/delegate`, {
        to: `user:${bob.email}`,
        reason: "away",
      });
      expect(body.assignees).toEqual([`user:${bob.email.toLowerCase()}`]);
      await logs(run, "review.delegated");
      expect((await house.said(run)).at(-1)?.fields).toMatchObject({
        reviewId: review,
        nodeId: "ask",
        by: ada.id,
        to: `user:${bob.email.toLowerCase()}`,
        reason: "away",
      });
      expect((await decide(ada, review)).body.error.code).toBe("REVIEW_NOT_YOURS");
      expect((await decide(bob, review)).status).toBe(200);
      await ends(run);
      const late = await bob.call("POST", `reviews/${review}/delegate`, { to: `user:${ada.id}` });
      expect(late.body.error.code).toBe("REVIEW_DECIDED");
    });

    it("does not take a role off, and goes to nobody who is not there", async () => {
      const [ada, bob] = await house.people(2, "operator");
      if (!ada || !bob) throw new Error("nobody");
      const { review } = await house.ask({ assignees: ["role:operator"] });
      for (const to of ["user:999999", "user:nobody@example.com", "role:nothing"]) {
        const { status, body } = await ada.call("POST", `reviews/${review}/delegate`, { to });
        expect([status, body.error.code]).toEqual([422, "ASSIGNEE_UNKNOWN"]);
      }
      expect((await ada.call("POST", `reviews/${review}/delegate`, { to: "everybody" })).status).toBe(400);
      const { body } = await ada.call("POST", `reviews/${review}/delegate`, { to: "role:editor" });
      expect(body.assignees).toEqual(["role:operator", "role:editor"]);
    });

    it("does not let whoever started the run in", async () => {
      const [ada, bob] = await house.people(2, "operator");
      if (!ada || !bob) throw new Error("nobody");
      const { review } = await house.ask({ assignees: [`user:${bob.id}`], policy: { notRequester: true } }, ada);
      await bob.call("POST", `reviews/${review}/delegate`, { to: `user:${ada.id}` });
      expect((await decide(ada, review)).body.error.code).toBe("REVIEW_NOT_YOURS");
    });
  });

  describe("that propose the very same", () => {
    it("are decided together, each once and each run with it; what one refuses holds nothing up", async () => {
      const [ada, other] = [await house.person("operator"), await house.person("auditor")];
      const [first, second, decided, foreign] = [
        await house.ask({}),
        await house.ask({}),
        await house.ask({}),
        await house.ask({ assignees: [`user:${other.id}`] }),
      ];
      await decide(ada, decided.review, { action: "reject", reason: "no" });
      const found = await ada.call(
        "GET",
        `reviews?filter={"digest":"${first.digest}","status":"open","id_gte":${first.review}}`,
      );
      const [a, b, c, d] = [first, second, decided, foreign].map(({ review }) => review);
      expect(found.body.map(({ id }: { id: number }) => id)).toEqual([a, b, d]);
      const { status, body } = await ada.call("POST", "reviews/decide", {
        ids: [a, a, c, d, b],
        action: "approve",
        digest: first.digest,
      });
      expect(status).toBe(200);
      expect(
        body.map(({ id, review, error }: { id: number; review: object | null; error: { code: string } | null }) => {
          return [id, review !== null, error?.code ?? null];
        }),
      ).toEqual([
        [a, true, null],
        [c, false, "REVIEW_DECIDED"],
        [d, false, "REVIEW_NOT_YOURS"],
        [b, true, null],
      ]);
      for (const { run } of [first, second]) await ends(run);
      expect(await house.review(foreign.review)).toMatchObject({ status: "open" });
    });

    it("must show the same title and the same reasons: one that differs is decided by itself", async () => {
      const [first, titled, reasoned, same] = [
        await house.ask({}),
        await house.ask({ title: "Another order" }),
        await house.ask({ context: { because: "another reason" } }),
        await house.ask({}),
      ];
      expect(new Set([first, titled, reasoned, same].map(({ digest }) => digest)).size).toBe(1);
      const ids = [first, titled, reasoned, same].map(({ review }) => review);
      const { body } = await house.oven.call("POST", "reviews/decide", {
        ids,
        action: "approve",
        digest: first.digest,
      });
      expect(body.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
        null,
        "REVIEW_DIFFERS",
        "REVIEW_DIFFERS",
        null,
      ]);
      expect(await house.review(titled.review)).toMatchObject({ status: "open" });
    });

    it("must be what was shown: another digest decides none of them", async () => {
      const { review } = await house.ask({});
      const digest = hashJson({ tool: null, proposal: { amount: 6 } });
      const { body } = await house.oven.call("POST", "reviews/decide", { ids: [review], action: "approve", digest });
      expect(body).toMatchObject([{ id: review, review: null, error: { code: "REVIEW_CHANGED" } }]);
      const without = await house.oven.call("POST", "reviews/decide", { ids: [review], action: "approve" });
      expect(without.body.error.code).toBe("INVALID_REQUEST");
      expect(await house.review(review)).toMatchObject({ status: "open" });
    });
  });

  it("say what the tool may do that they release, where a module knows it, and nothing otherwise", async () => {
    const pay = { id: "pay", effect: "at-most-once", tags: ["money"], needsApproval: false, permissions: [] } as const;
    house.knowTools((id) => (id === "pay" ? pay : undefined));
    const [known, unknown, none] = [
      await house.ask({ tool: "pay" }),
      await house.ask({ tool: "else" }),
      await house.ask({}),
    ];
    expect(await house.review(known.review)).toMatchObject({ risk: { effect: "at-most-once", tags: ["money"] } });
    for (const { review } of [unknown, none]) expect(await house.review(review)).toMatchObject({ risk: null });
  });

  it("keeps what people write, says in the log that they did, and takes nothing after the decision", async () => {
    const [ada, viewer] = [await house.person("operator"), await house.person("viewer")];
    const { run, review } = await house.ask({});
    const { status, body } = await ada.call("POST", `reviews/${review}/comments`, { text: "  Is it insured?  " });
    expect(status).toBe(201);
    expect(body).toMatchObject({ reviewId: review, userId: ada.id, userName: "The operator", text: "Is it insured?" });
    await logs(run, "review.commented");
    expect((await house.said(run)).at(-1)?.fields).toMatchObject({ by: ada.id, commentId: body.id, reviewId: review });
    expect((await viewer.call("GET", `reviews/${review}/comments`)).body).toEqual([body]);
    expect((await viewer.call("POST", `reviews/${review}/comments`, { text: "me too" })).status).toBe(403);
    expect((await ada.call("POST", `reviews/${review}/comments`, { text: " " })).status).toBe(400);
    expect((await house.run(run)).status).toBe("paused");
    await decide(ada, review);
    const late = await ada.call("POST", `reviews/${review}/comments`, { text: "too late" });
    expect(late.body.error.code).toBe("REVIEW_DECIDED");
  });

  describe("a deadline", () => {
    const soon = () => new Date(Date.now() + 150).toISOString();

    it("rejects by itself", async () => {
      const { run, review } = await house.ask({ dueAt: soon(), policy: { onDeadline: { action: "reject" } } });
      await ends(run);
      expect(await house.run(run)).toMatchObject({ outcome: "late", output: "REVIEW_REJECTED" });
      expect(await house.review(review)).toMatchObject({ status: "decided", action: "reject", decidedBy: null });
      expect((await decide(house.oven, review)).body.error.code).toBe("REVIEW_DECIDED");
    });

    it("approves what was shown, and not what somebody edited without enough approvals", async () => {
      const onDeadline = { action: "approve" as const };
      const plain = await house.ask({ dueAt: soon(), policy: { onDeadline } });
      await ends(plain.run);
      const review = { id: plain.review, digest: plain.digest };
      expect((await house.run(plain.run)).output).toMatchObject({ action: "approve", data: { amount: 5 }, review });
      const ada = await house.person("operator");
      const dueAt = new Date(Date.now() + 1_500).toISOString();
      const edited = await house.ask({ dueAt, policy: { approvals: 2, onDeadline } });
      const edit = { action: "edit", digest: edited.digest, data: { amount: 5_000 } };
      expect((await decide(ada, edited.review, edit)).status).toBe(200);
      await ends(edited.run);
      expect(await house.run(edited.run)).toMatchObject({ outcome: "late", output: "REVIEW_EXPIRED" });
      expect((await house.review(edited.review)).status).toBe("expired");
    });

    it("asks others, who find it among theirs", async () => {
      const [ada, bob] = [await house.person("operator"), await house.person("editor")];
      const onDeadline = { escalateTo: ["role:editor"], dueIn: "P1D" };
      const { run, review } = await house.ask({ dueAt: soon(), assignees: ["role:operator"], policy: { onDeadline } });
      await logs(run, "review.escalated");
      expect(await mine(bob)).toContain(review);
      const { escalation, createdAt } = await house.review(review);
      expect(escalation).toEqual({ at: expect.any(String), from: ["role:operator"] });
      expect(Date.parse(escalation.at)).toBeGreaterThan(Date.parse(createdAt));
      expect((await decide(ada, review)).body.error.code).toBe("REVIEW_NOT_YOURS");
      expect((await decide(bob, review)).status).toBe(200);
      await ends(run);
    });

    it("leaves what a person decides while it comes", async () => {
      const ada = await house.person("operator");
      const dueAt = new Date(Date.now() + 700).toISOString();
      const { run, review } = await house.ask({ dueAt, policy: { onDeadline: { action: "reject" } } });
      const signal = { reviewId: review, nodeId: "ask", visit: 1, item: null, action: "approve", data: { amount: 5 } };
      const decided = { ...signal, reason: null, reviewer: ada.id, decidedAt: dueAt };
      await test.db.transaction(async (tx) => {
        await tx.query("update reviews set status = 'decided', action = 'approve', decided_by = $2 where id = $1", [
          review,
          ada.id,
        ]);
        await tx.query(
          "insert into run_signals (execution_id, tenant_id, type, data, dedupe_key) values ($1, 1, 'decision', $2::json, $3)",
          [run, JSON.stringify(decided), `review:${review}`],
        );
        // Nobody sees it yet; the deadline comes, and has to wait for it.
        await expect.poll(() => Date.now() - Date.parse(dueAt), { interval: 10 }).toBeGreaterThan(400);
      });
      await ends(run);
      expect(await house.review(review)).toMatchObject({ status: "decided", action: "approve", decidedBy: ada.id });
      expect(await house.run(run)).toMatchObject({ outcome: null, output: { action: "approve", reviewer: ada.id } });
    });

    it("and ten people at the same instant: one decision, and the run follows it", async () => {
      const people = await house.people(10, "operator");
      const dueAt = new Date(Date.now() + 1_000).toISOString();
      const asked = await Promise.all(
        people.map(() => house.ask({ dueAt, policy: { onDeadline: { action: "reject" } } })),
      );
      await expect.poll(() => Date.now() >= Date.parse(dueAt) - 5, { interval: 1 }).toBe(true);
      await Promise.all(asked.map(({ review }, index) => decide(people[index] ?? house.oven, review)));
      for (const { run, review } of asked) {
        await ends(run);
        const { action, decidedBy } = await house.review(review);
        const { outcome } = await house.run(run);
        expect([action, outcome, decidedBy === null]).toEqual(
          action === "approve" ? ["approve", null, false] : ["reject", "late", true],
        );
        const said = (await house.said(run)).filter(({ event }) => event === "review.decided");
        expect(said).toMatchObject([{ fields: { action } }]);
      }
    });
  });

  it("is not there for a key that is bound to another workflow", async () => {
    const ada = await house.person("operator");
    const { review } = await house.ask({});
    const bound = await house.keyOf(ada, ["workflow:999999"]);
    const service = house.reviews;
    const principal = { kind: "api-key" as const, userId: ada.id, tenantId: 1, permissions: ["*"] };
    const other = { ...principal, workflows: ["workflow:999999"] };
    await expect(service.decide(other, review, { action: "approve" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const params = { sort: { field: "id", order: "ASC" as const }, range: { first: 0, last: 0 }, filter: {} };
    expect((await service.list(other, params)).total).toBe(0);
    expect((await decide(bound, review)).status).toBeGreaterThanOrEqual(403);
    const { workflowId } = await house.review(review);
    const own = { ...principal, workflows: [`workflow:${workflowId}`] };
    expect((await service.list(own, params)).rows).toMatchObject([{ id: review }]);
    expect((await service.decide(own, review, { action: "approve" })).status).toBe("decided");
  });

  describe("a release", () => {
    const positionOf = (executionId: number, visit = 1, item = "p1") => ({
      tenantId: 1,
      executionId,
      nodeId: "pay",
      visit,
      item,
    });

    it("lets one call through, however often that very call asks, and no other", async () => {
      const { run, review } = await house.ask({});
      const use = (visit: number, item?: string) => house.reviews.useRelease(review, positionOf(run, visit, item));
      const first = await Promise.all(Array.from({ length: 10 }, (_, index) => use(index + 1)));
      expect(first.filter((used) => used)).toHaveLength(1);
      const visit = first.indexOf(true) + 1;
      expect(await use(visit)).toBe(true);
      expect(await use(visit + 1)).toBe(false);
      expect(await use(visit, "p2")).toBe(false);
    });

    it("is taken over by a run that tries the ended one again, unless the call was answered", async () => {
      const setUp = async (status: string) => {
        const { run, review } = await house.ask({});
        const { run: again } = await house.ask({});
        await test.db.query("update workflow_executions set retry_of = $1 where id = $2", [run, again]);
        expect(await house.reviews.useRelease(review, positionOf(run))).toBe(true);
        await test.db.query(
          `insert into node_executions (tenant_id, execution_id, node_id, node_type, node_version, visit, item, attempt, status, input, started_at)
           values (1, $1, 'pay', 'shop.pay', 1, 1, 'p1', 1, $2, '{}', now())`,
          [run, status],
        );
        return { review, again };
      };
      const failed = await setUp("failed");
      expect(await house.reviews.useRelease(failed.review, positionOf(failed.again))).toBe(true);
      const answered = await setUp("completed");
      expect(await house.reviews.useRelease(answered.review, positionOf(answered.again))).toBe(false);
      const stranger = await house.ask({});
      expect(await house.reviews.useRelease(failed.review, positionOf(stranger.run))).toBe(false);
    });
  });

  it("is found with the run that asks, and with every run around that one", async () => {
    const other = await house.ask({});
    const { run, review } = await house.ask({});
    const { body: asking } = await house.oven.call("GET", `workflow-executions/${run}`);
    const { body: outer } = await house.oven.call("POST", "workflows", {
      name: "Around",
      definition: {
        initial: "sub",
        states: {
          sub: { invoke: { src: "core.callWorkflow", input: { workflow: asking.workflowId }, onDone: "done" } },
          done: { type: "final" },
        },
      },
    });
    const started = await house.oven.call("POST", `workflows/${outer.id}/execute?wait=20`, {});
    expect(started.body.status).toBe("paused");
    const found = async (family: unknown) =>
      house.oven.call("GET", `reviews?filter=${encodeURIComponent(JSON.stringify({ family, status: "open" }))}`);
    const ids = async (family: number) => (await found(family)).body.map(({ id }: { id: number }) => id);
    expect(await ids(run)).toEqual([review]);
    const [inner, ...more] = await ids(started.body.id);
    expect(more).toEqual([]);
    expect([review, other.review]).not.toContain(inner);
    expect((await found("all")).body.error.code).toBe("INVALID_LIST_QUERY");
  });

  it("is never decided by reading it", async () => {
    const { run, review } = await house.ask({ policy: { onDeadline: { action: "approve" } } });
    const paths = ["", "/decide", "/delegate", "/comments", "?action=approve", "/decide?action=approve"];
    for (const path of paths) await house.oven.call("GET", `reviews/${review}${path}`);
    await house.oven.call("GET", `workflow-executions/${run}/resume?action=approve`);
    expect((await house.review(review)).status).toBe("open");
    expect((await house.run(run)).status).toBe("paused");
    expect(await test.db.query("select id from run_signals where execution_id = $1", [run])).toEqual([]);
  });
});
