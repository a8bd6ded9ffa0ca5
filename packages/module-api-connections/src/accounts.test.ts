import { type Credentials, invite } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedOven, startConnectedOven } from "./operations/testing/connected-oven.ts";
import { type OrdersApi, startOrdersApi } from "./operations/testing/orders-api.ts";

describe("an API that is signed in at", () => {
  let api: OrdersApi;
  let oven: ConnectedOven;
  let [ada, bob]: Credentials[] = [];
  beforeAll(async () => {
    api = await startOrdersApi();
    oven = await startConnectedOven(api);
    ada = await invite(oven, "ada@example.com", ["admin"]);
    bob = await invite(oven, "bob@example.com", ["operator"]);
    await oven.call("POST", "secrets", {
      ...{ name: "client", value: "secret-of-the-client", hosts: [new URL(api.origin).host] },
    });
  });
  afterAll(async () => {
    await oven.stop();
    await api.close();
  });

  const oauth = () => ({
    ...{ type: "oauth", authorizationUrl: `${api.origin}/authorize`, tokenUrl: `${api.origin}/token` },
    ...{ clientId: "oven", clientSecret: "client", scope: "orders" },
  });

  /** Goes where a person would: to the service's page, and back. */
  async function signIn(begin: string, as: Credentials | undefined, back = as) {
    const { status, body } = await oven.call("POST", begin, {}, as);
    expect(status, JSON.stringify(body)).toBe(200);
    const page = await fetch(body.url, { redirect: "manual" });
    const address = new URL(page.headers.get("location") ?? "");
    return oven.call("GET", `${address.pathname.replace("/api/", "")}${address.search}`, undefined, back);
  }

  async function connect(settings: object): Promise<number> {
    const id = await oven.connect({ name: `shop-${Math.random().toString(36).slice(2, 8)}`, ...settings });
    await oven.approve(id, ["whoAmI"]);
    return id;
  }
  const nameOf = async (id: number): Promise<string> => (await oven.call("GET", `api-connections/${id}`)).body.name;

  it("with one account for all, by a person at the service's page, and renewed when it ends", async () => {
    const id = await connect({ auth: oauth() });
    const tool = `api.${await nameOf(id)}.whoAmI`;
    expect((await oven.call("GET", `api-connections/${id}`)).body).toMatchObject({
      status: "sign-in",
      signedIn: false,
    });
    expect((await oven.step(tool, {})).errorInfo.code).toBe("API_SIGN_IN_NEEDED");
    const answer = await signIn(`api-connections/${id}/authorize`, ada);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `http://localhost:3000/api-connections/${id}/show`,
    ]);
    expect((await oven.call("GET", `api-connections/${id}`)).body).toMatchObject({ status: "ok", signedIn: true });
    expect(api.exchanges.at(-1)?.get("redirect_uri")).toBe(`http://localhost:3000/api/api-connections/${id}/sign-in`);
    const run = await oven.step(tool, {});
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    // What the service says of the token is not for the run.
    expect(run.output.body.who).toMatch(/^\[account:/);
    api.endTokens();
    expect((await oven.step(tool, {})).status).toBe("completed");
    expect(api.exchanges.at(-1)?.get("grant_type")).toBe("refresh_token");
    api.revoke();
    expect((await oven.step(tool, {})).errorInfo.code).toBe("API_SIGN_IN_NEEDED");
    expect((await oven.call("GET", `api-connections/${id}`)).body.signedIn).toBe(false);
  });

  it("renews a token once, however many calls need it at the same time", async () => {
    const id = await connect({ auth: oauth() });
    const tool = `api.${await nameOf(id)}.whoAmI`;
    await signIn(`api-connections/${id}/authorize`, ada);
    api.endTokens();
    const before = api.exchanges.length;
    const runs = await Promise.all(Array.from({ length: 5 }, () => oven.step(tool, {})));
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill("completed"));
    expect(api.exchanges.length - before).toBe(1);
  });

  it("by nobody but the person who began, who may, and once", async () => {
    const id = await connect({ auth: oauth() });
    expect((await oven.call("POST", `api-connections/${id}/authorize`, {}, bob)).status).toBe(403);
    const stolen = await signIn(`api-connections/${id}/authorize`, ada, bob);
    expect(stolen.body.error.code).toBe("API_SIGN_IN_FAILED");
    const forged = await oven.call("GET", `api-connections/${id}/sign-in?code=x&state=forged`, undefined, ada);
    expect(forged.body.error.code).toBe("API_SIGN_IN_FAILED");
    const declined = await oven.call("POST", `api-connections/${id}/authorize`, {}, ada);
    const state = new URL(declined.body.url).searchParams.get("state");
    const back = `api-connections/${id}/sign-in?error=access_denied&state=${state}`;
    expect((await oven.call("GET", back, undefined, ada)).body.error.message).toContain("access_denied");
    expect((await oven.call("GET", back, undefined, ada)).body.error.message).toContain("over already");
    expect((await oven.call("GET", `api-connections/${id}`)).body.signedIn).toBe(false);
  });

  it("as the client itself, without any person", async () => {
    const { authorizationUrl: _page, ...client } = oauth();
    const id = await connect({ auth: { ...client, type: "client-credentials", clientIn: "body" } });
    const run = await oven.step(`api.${await nameOf(id)}.whoAmI`, {});
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    expect(api.exchanges.at(-1)?.get("grant_type")).toBe("client_credentials");
    expect(api.exchanges.at(-1)?.get("client_secret")).toBe("secret-of-the-client");
  });

  it("as the person who starts the run: it waits until they have connected their account, and uses no other", async () => {
    const id = await connect({ auth: oauth(), accounts: "own" });
    const tool = `api.${await nameOf(id)}.whoAmI`;
    await signIn(`api-connections/${id}/account/authorize`, ada);
    const run = await oven.step(tool, {}, bob);
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("paused");
    const [question] = (await oven.call("GET", `reviews?filter={"status":"open","mine":true}`, undefined, bob)).body;
    expect(question).toMatchObject({ executionId: run.id, title: expect.stringContaining("Connect your account") });
    expect(question.context.link).toBe(`http://localhost:3000/account?connect=${id}`);
    // An answer without the account asks again: the account of the admin is not taken in its place.
    const answer = { action: "submit", data: {}, digest: question.digest };
    await oven.call("POST", `reviews/${question.id}/decide`, answer);
    await expect.poll(async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body.status).toBe("paused");
    const before = api.calls.length;
    const back = await signIn(`api-connections/${id}/account/authorize`, bob);
    expect(back.headers.get("location")).toBe("http://localhost:3000/account");
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body.status)
      .toBe("completed");
    expect(api.calls.length - before).toBe(1);
    const [first] = api.exchanges.slice(-1);
    expect(first?.get("grant_type")).toBe("authorization_code");
    const mine = await oven.call("GET", "api-accounts", undefined, bob);
    expect(mine.body).toContainEqual(expect.objectContaining({ connectionId: id, connected: true, how: "oauth" }));
    const owners = (await oven.call("GET", `api-connections/${id}/accounts`)).body;
    expect(owners).toHaveLength(2);
    expect((await oven.call("GET", `api-connections/${id}/accounts`, undefined, bob)).status).toBe(403);
    // Revoked, the next run asks again.
    expect((await oven.call("DELETE", `api-connections/${id}/account`, undefined, bob)).status).toBe(204);
    expect((await oven.step(tool, {}, bob)).status).toBe("paused");
  });

  it("by a key of the person's own, which is in no answer", async () => {
    const id = await connect({ auth: { type: "bearer" }, accounts: "own" });
    const tool = `api.${await nameOf(id)}.whoAmI`;
    const run = await oven.step(tool, {}, bob);
    expect(run.status).toBe("paused");
    const value = "key-of-bob-0001";
    const connected = await oven.call("PUT", `api-connections/${id}/account`, { value }, bob);
    expect(JSON.stringify(connected.body)).not.toContain(value);
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body.status)
      .toBe("completed");
    expect(api.calls.at(-1)).toBe(`GET /me as ${value}`);
    const { output } = (await oven.call("GET", `workflow-executions/${run.id}`)).body;
    expect(JSON.stringify(output)).not.toContain(value);
    const started = await oven.step(tool, {}, ada);
    expect(started.status).toBe("paused");
  });

  it("with user and password, of which only the password is a secret", async () => {
    const id = await connect({ auth: { type: "basic", user: "oven", secret: "shop" } });
    const run = await oven.step(`api.${await nameOf(id)}.whoAmI`, {});
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    expect(api.headers.at(-1)?.get("authorization")).toBe(
      `Basic ${Buffer.from("oven:key-of-the-shop-0001").toString("base64")}`,
    );
  });
});
