import { TokenBuckets } from "@oven/module-registry";
import { describe, expect, it } from "vitest";
import { PASSWORD, startAccess } from "../testing/start-access.ts";
import { Attempts } from "./attempts.ts";
import { placeOf, toNetwork } from "./caller-place.ts";

describe("attempts", () => {
  it("are counted while they are made, forgotten when right, and again allowed when the window has passed them", () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    const limits = [{ key: "a", most: 2 }];
    attempts.begin(limits)();
    attempts.begin(limits);
    now = 60_000;
    attempts.begin(limits);
    expect(() => attempts.begin(limits)).toThrow(
      expect.objectContaining({ code: "TOO_MANY_ATTEMPTS", status: 429, retryAfterMs: 14 * 60_000 }),
    );
    now = 15 * 60_000;
    attempts.begin(limits);
    expect(() => attempts.begin(limits)).toThrow();
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
  it("slow down guessing per account and per address, and let the right password of others through", async () => {
    const access = await startAccess();
    const signIn = (email: string, password: string, address: string) =>
      access.call("POST", "auth/sign-in/email", { body: { email, password }, address });
    const guesses = await Promise.all(
      Array.from({ length: 14 }, () => signIn("olga@example.com", "wrong password", "6.6.6.6")),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refused = await signIn("OLGA@example.com", PASSWORD, "6.6.6.6");
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "TOO_MANY_ATTEMPTS" } } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signIn("olga@example.com", PASSWORD, "7.7.7.7")).status).toBe(200);
    // Many accounts from one place.
    for (let count = 0; count < 40; count++) await signIn(`nobody${count}@example.com`, "x", "6.6.6.6");
    expect((await signIn("fresh@example.com", "x", "6.6.6.6")).status).toBe(429);
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
