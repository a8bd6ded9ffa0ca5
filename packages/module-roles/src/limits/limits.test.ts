import { TokenBuckets } from "@oven/module-registry";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PASSWORD, startAccess } from "../testing/start-access.ts";
import { Attempts } from "./attempts.ts";
import { placeOf, toNetwork } from "./caller-place.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("attempts", () => {
  it("cost a wait that doubles from one second to 15, and none again when the window has passed them", () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    const limits = [{ key: "a", free: 2 }];
    attempts.begin(limits)();
    attempts.begin(limits);
    attempts.begin(limits);
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]) {
      expect(() => attempts.begin(limits)).toThrow(
        expect.objectContaining({ code: "TOO_MANY_ATTEMPTS", status: 429, retryAfterMs: waitMs }),
      );
      now += waitMs - 1;
      expect(() => attempts.begin(limits)).toThrow(expect.objectContaining({ retryAfterMs: 1 }));
      now += 1;
      attempts.begin(limits);
    }
    now += 15 * 60_000;
    attempts.begin(limits);
    attempts.begin(limits);
    expect(() => attempts.begin(limits)).toThrow();
  });

  it("do not count when they turn out right, and those of other keys do not either", () => {
    const attempts = new Attempts(() => 0);
    attempts.begin([{ key: "a", free: 1 }]);
    for (let count = 0; count < 20; count++) attempts.begin([{ key: "b", free: 1 }])();
  });

  it("are some 60 in 15 minutes beyond the free ones, however often it is tried", () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    let made = 0;
    for (; now < 15 * 60_000; now += 500) {
      try {
        attempts.begin([{ key: "a", free: 5 }]);
        made++;
      } catch (error) {
        expect(error).toMatchObject({ code: "TOO_MANY_ATTEMPTS" });
      }
    }
    expect(made).toBe(67);
  });
});

describe("token buckets", () => {
  it("let a minute's worth through at once, then as many as fill in", () => {
    let now = 0;
    const buckets = new TokenBuckets(() => now);
    const take = () => buckets.take("a", 60);
    for (let count = 0; count < 60; count++) expect(take()).toBe(0);
    expect(take()).toBe(1_000);
    expect(buckets.take("b", 60)).toBe(0);
    now = 1_000;
    expect([take(), take()]).toEqual([0, 1_000]);
  });
});

it.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("takes %s for %s: one IPv6 customer is one place", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

it.each([
  ["127.0.0.1", undefined],
  ["10.1.2.3", undefined],
  ["::1", undefined],
  [undefined, undefined],
  ["not an address", undefined],
  ["8.8.8.8", "8.8.8.8"],
])("counts for the place of %s as %s: a proxy's address is everybody's", (address, place) => {
  expect(placeOf(address)).toBe(place);
});

describe("limits at the door", () => {
  it("slow down guessing per account and per address, and let the right password pass after a short wait", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const access = await startAccess();
    const signIn = (email: string, password: string, address: string) =>
      access.call("POST", "auth/sign-in/email", { body: { email, password }, address });
    // A proxy's address, which everybody behind it has.
    const guesses = await Promise.all(
      Array.from({ length: 10 }, () => signIn("olga@example.com", "wrong password", "10.0.0.9")),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(5).fill(429)]);
    const refused = await signIn("OLGA@example.com", PASSWORD, "10.0.0.9");
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "TOO_MANY_ATTEMPTS" } } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await signIn("olga@example.com", PASSWORD, "7.7.7.7")).status).toBe(200);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await signIn("olga@example.com", PASSWORD, "10.0.0.9")).status).toBe(200);
    // Many accounts from one public address; without a password none is hashed.
    for (let count = 0; count < 50; count++) {
      const body = { email: `guess${count}@example.com` };
      const failed = await access.call("POST", "auth/sign-in/email", { body, address: "6.6.6.6" });
      expect(failed.status).toBe(400);
    }
    expect((await signIn("olga@example.com", PASSWORD, "6.6.6.6")).status).toBe(429);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await signIn("olga@example.com", PASSWORD, "6.6.6.6")).status).toBe(200);
    await access.stop();
  });

  it("let a known device pass while the account and the address are under attack, and bound its own guesses", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const access = await startAccess();
    const body = { email: "olga@example.com", password: "wrong password" };
    const signIn = (password: string, cookie?: string) =>
      access.call("POST", "auth/sign-in/email", {
        body: { ...body, password },
        address: "6.6.6.6",
        ...(cookie === undefined ? {} : { cookie }),
      });
    // The cookie of the set-up, without that of the session.
    const device = access.owner.cookie.split("; ").find((one) => one.startsWith("oven.device="));
    for (let count = 0; count < 5; count++) expect((await signIn("wrong password")).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(429);
    const signedIn = await signIn(PASSWORD, device);
    expect(signedIn.status).toBe(200);
    expect(signedIn.cookie).toContain("oven.device=");
    const guesses: number[] = [];
    for (let count = 0; count < 7; count++) guesses.push((await signIn("wrong password", device)).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    // Of another account the device is not known.
    const other = await access.call("POST", "auth/sign-in/email", {
      body: { email: (await access.join("vera", ["viewer"])).email, password: "wrong" },
      ...(device === undefined ? {} : { cookie: device }),
      address: "7.7.7.7",
    });
    expect(other.status).toBe(401);
    await access.stop();
  });

  it("answer 429 to whoever guesses keys or one-time tokens, from there only, and let right ones pass", async () => {
    const access = await startAccess();
    const guess = () => access.call("GET", "session", { key: "oven_wrong", address: "2a00:1450::1" });
    for (let count = 0; count < 300; count++) expect((await guess()).status).toBe(401);
    expect(await guess()).toMatchObject({ status: 429, body: { error: { code: "TOO_MANY_ATTEMPTS" } } });
    const { cookie } = access.owner;
    expect((await access.call("GET", "session", { cookie, address: "2a00:1450::1" })).status).toBe(200);
    const neighbour = await access.call("GET", "session", { key: "oven_wrong", address: "2a00:1450:9::1" });
    expect(neighbour.status).toBe(401);
    const accept = () =>
      access.call("POST", "invitations/accept", {
        address: "8.8.8.8",
        body: { token: "x", name: "x", password: PASSWORD },
      });
    for (let count = 0; count < 20; count++) expect((await accept()).status).toBe(403);
    expect((await accept()).status).toBe(429);
    await access.stop();
  });

  it("check a one-time token before they hash a password: a wrong one costs no work", async () => {
    const access = await startAccess();
    const cpuOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const body = { token: "wrong", name: "x", email: "x@example.com", password: PASSWORD };
    await access.db.query("delete from accounts");
    const hashing = await cpuOf(() =>
      access.call("POST", "auth/sign-in/email", { body: { email: "x@example.com", password: PASSWORD } }),
    );
    const wrong = await cpuOf(async () => {
      for (let count = 0; count < 5; count++) {
        expect((await access.call("POST", "setup", { body })).status).toBe(403);
        const { email: _, ...rest } = body;
        expect((await access.call("POST", "invitations/accept", { body: rest })).status).toBe(403);
      }
    });
    // Ten of them, where hashing for each would take ten times as long as the one sign-in.
    expect(wrong).toBeLessThan(hashing * 4);
    await access.stop();
  });

  it("count the requests of a key, of a user and of a tenant, as configured", async () => {
    const access = await startAccess();
    const { cookie } = access.owner;
    const { key } = (await access.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["*"] } })).body;
    const configure = (name: string, value: number) =>
      access.call("POST", "module-configs", {
        cookie,
        body: { moduleName: "module-roles", key: name, value },
      });
    const set = await configure("CALLER_REQUESTS_PER_MINUTE", 5);
    expect(set.status, JSON.stringify(set.body)).toBe(201);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await access.call("GET", "things", { key })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const refused = await access.call("GET", "things", { key });
    expect(refused.body.error.code).toBe("TOO_MANY_REQUESTS");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await access.call("GET", "health")).status).toBe(200);
    await access.stop();
  });
});
