import { Client, StreamableHTTPClientTransport as Transport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { exchange, joinPerson, type OAuthPerson, Program, registerClient } from "./testing/oauth-person.ts";
import { insertKey } from "./testing/strangers.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const WAITING = {
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.delay", input: { ms: 3_600_000 }, onDone: "done" } },
    done: { type: "final" },
  },
};
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
const json = async (response: Response): Promise<any> => response.json();

describe("OAuth at an MCP server", () => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  let resource: string;
  let good: string;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    resource = endpoint.urlOf("support-reply").href;
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
    good = (await person.connect({ resource })).access_token;
  });
  afterAll(() => endpoint.close());

  const post = async (url: string | URL, token: string | undefined, body: object = LIST) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const call = (name: string, given: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const hash = (token: string) => `encode(sha256(convert_to(replace('${token}', 'oven_at_', ''), 'UTF8')), 'base64')`;
  /** The stored form is base64url without padding. */
  const expire = async (token: string) => {
    const stored = `rtrim(translate(${hash(token)}, '+/', '-_'), '=')`;
    const ended = await endpoint.oven.db.query(
      `update oauth_access_tokens set expires_at = now() - interval '1 second' where token = ${stored} returning id`,
    );
    expect(ended).toHaveLength(1);
  };
  const toolNames = async (token: string) =>
    (await (await endpoint.connect("support-reply", { key: token })).listTools()).tools.map(({ name }) => name);
  const jwt = (claims: object) =>
    [{ alg: "none", typ: "at+jwt" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");

  it("is described where clients look: the server, what it protects, and the way to a token", async () => {
    const challenged = await post(resource, undefined);
    const header = challenged.headers.get("www-authenticate") ?? "";
    const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(header) ?? [];
    expect(metadata).toBe(`${endpoint.origin}/.well-known/oauth-protected-resource/api/mcp/support-reply`);
    const described = await json(await fetch(metadata));
    expect(described).toMatchObject({
      resource,
      authorization_servers: [`${endpoint.origin}/api/auth`],
      bearer_methods_supported: ["header"],
      scopes_supported: expect.arrayContaining(["agent-workflows.execute", "orders.read", "offline_access"]),
    });
    // An address tells nothing of what is behind it.
    const other = await fetch(metadata.replace("support-reply", "there-is-none"));
    expect((await json(other)).scopes_supported).toEqual(described.scopes_supported);
    const root = await fetch(`${endpoint.origin}/.well-known/oauth-protected-resource`);
    expect((await json(root)).authorization_servers).toEqual(described.authorization_servers);
    for (const path of ["/api/auth", ""]) {
      const server = await (await fetch(`${endpoint.origin}/.well-known/oauth-authorization-server${path}`)).json();
      expect(server).toMatchObject({
        issuer: `${endpoint.origin}/api/auth`,
        authorization_endpoint: `${endpoint.origin}/api/auth/oauth2/authorize`,
        token_endpoint: `${endpoint.origin}/api/auth/oauth2/token`,
        registration_endpoint: `${endpoint.origin}/api/auth/oauth2/register`,
        code_challenge_methods_supported: ["S256"],
        grant_types_supported: ["authorization_code", "refresh_token"],
      });
    }
  });

  it("lists and calls what was allowed, with the person's own rights as they are now", async () => {
    expect(await toolNames(good)).toEqual(["support_reply", "get_run", "answer_review", "cancel_run", "list_runs"]);
    const wider = await person.connect({ resource, scope: "agent-workflows.execute orders.read users.read" });
    expect(await toolNames(wider.access_token)).toContain("orders_get");
    const done = await (await endpoint.connect("support-reply", { key: wider.access_token })).callTool({
      name: "orders_get",
      arguments: { orderId: 8841 },
    });
    expect(done.structuredContent).toMatchObject({ orderId: 8841 });
    await endpoint.oven.call("PUT", `users/${person.id}`, { roles: ["viewer"] });
    const client = await endpoint.connect("support-reply", { key: wider.access_token });
    const asked = async () => {
      const refused = await client.callTool({ name: "support_reply", arguments: { message: "Where is my order?" } });
      return JSON.stringify(refused.content);
    };
    expect(await asked()).toContain("FORBIDDEN");
    await endpoint.oven.call("PUT", `users/${person.id}`, { roles: ["editor"] });
    expect(await asked()).not.toContain("FORBIDDEN");
  });

  it("goes on with a refresh token, which is good once", async () => {
    const first = await person.connect({ resource, scope: "agent-workflows.execute offline_access" });
    const again = { grant_type: "refresh_token", client_id: first.clientId, refresh_token: first.refresh_token ?? "" };
    const second = await exchange(endpoint, { ...again, resource });
    expect(second.status).toBe(200);
    expect(await toolNames((await json(second)).access_token)).toContain("support_reply");
    expect((await exchange(endpoint, { ...again, resource })).status).toBe(400);
    // Who comes with a used one may have stolen it: the whole line ends.
    expect((await post(resource, first.access_token)).status).toBe(401);
  });

  it.each([
    ["v1", () => new LegacyClient({ name: "v1", version: "1.0.0" }), LegacyTransport],
    ["v2", () => new Client({ name: "v2", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } }), Transport],
  ] as const)(
    "is found and gone through by the SDK's own client, %s, from nothing but the address",
    async (_name, make, Way) => {
      const program = new Program();
      const url = new URL(resource);
      const first = new Way(url, { authProvider: program as never }); // cast: each SDK has a type of its own for it
      await expect(make().connect(first as never)).rejects.toThrow(); // cast: as above
      expect(program.asked?.searchParams.get("resource")).toBe(resource);
      const { code, redirected } = await person.consent(program.asked ?? new URL(resource));
      expect(redirected.searchParams.get("iss")).toBe(`${endpoint.origin}/api/auth`);
      await first.finishAuth(code, redirected.searchParams.get("iss") ?? undefined);
      const client = make();
      await client.connect(new Way(url, { authProvider: program as never }) as never); // cast: as above
      const { tools } = await client.listTools();
      // It asked for all that the metadata name; the person has them.
      expect(tools.map(({ name }) => name)).toContain("orders_get");
      await client.close();
    },
  );

  describe("a bad token", () => {
    /** What is sent, and how it is refused. */
    const TABLE: [name: string, send: () => Promise<Response>, status: number, header: RegExp | null][] = [
      ["none", () => post(resource, undefined), 401, /^Bearer realm="oven", resource_metadata=/],
      ["malformed", () => post(resource, "oven_at_"), 401, /error="invalid_token"/],
      [
        "of no alphabet",
        () => post(resource, "%00🔑".normalize()).catch(() => post(resource, "%00")),
        401,
        /invalid_token/,
      ],
      [
        "expired",
        async () => {
          const { access_token } = await person.connect({ resource });
          await expire(access_token);
          return post(resource, access_token);
        },
        401,
        /error="invalid_token", resource_metadata=.* scope="agent-workflows.execute /,
      ],
      ["made for another server", () => post(endpoint.urlOf("oven"), good), 401, /invalid_token.*\/api\/mcp\/oven"/],
      ["made for a server, at the rest of the API", () => post(`${endpoint.origin}/api/api-keys`, good), 401, /Bearer/],
      [
        "of another issuer",
        () => post(resource, jwt({ iss: "https://evil.example", aud: resource, sub: "1", exp: 9_999_999_999 })),
        401,
        /error="invalid_token"/,
      ],
      ["in the query", () => post(`${resource}?access_token=${good}`, undefined), 401, /resource_metadata=/],
      [
        "without the scope that the tool takes",
        () => post(resource, good, call("orders_get", { orderId: 8841 })),
        403,
        /^Bearer error="insufficient_scope", scope="agent-workflows.execute orders.read", resource_metadata=/,
      ],
      [
        "of somebody who is disabled",
        async () => {
          const gone = await joinPerson(endpoint, "gone@example.com", ["editor"]);
          const { access_token } = await gone.connect({ resource });
          expect((await endpoint.oven.call("PUT", `users/${gone.id}`, { disabled: true })).status).toBe(200);
          return post(resource, access_token);
        },
        401,
        /error="invalid_token"/,
      ],
      [
        "of another tenant's person",
        async () => {
          const { userId } = await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
          await endpoint.oven.db.query(
            `insert into oauth_access_tokens (token, client_id, user_id, resources, scopes, expires_at)
             select rtrim(translate(encode(sha256('of-two'), 'base64'), '+/', '-_'), '='), client_id, $1, array[$2],
               array['agent-workflows.execute'], now() + interval '1 hour' from oauth_clients limit 1`,
            [userId, resource],
          );
          return post(resource, "oven_at_of-two", call("orders_get", { orderId: 8841 }));
        },
        404,
        null,
      ],
    ];
    it.each(TABLE)("%s is refused", async (_name, send, status, header) => {
      const refused = await send();
      expect(refused.status, await refused.clone().text()).toBe(status);
      if (header === null) expect(refused.headers.has("www-authenticate")).toBe(false);
      else expect(refused.headers.get("www-authenticate")).toMatch(header);
    });

    it("leaves the good one as it was, and API keys too", async () => {
      expect((await post(resource, good)).status).toBe(200);
      expect((await post(resource, TEST_KEY)).status).toBe(200);
    });

    it("that is revoked in the middle of a stream ends the stream", async () => {
      const made = await endpoint.oven.call("POST", "agent-workflows", {
        name: "Waiting",
        mcpExport: true,
        definition: WAITING,
      });
      expect(made.status).toBe(201);
      const url = endpoint.urlOf("waiting").href;
      const { access_token, clientId } = await person.connect({ resource: url });
      const params = { ...call("waiting", {}).params, _meta: { progressToken: 1 } };
      const stream = await post(url, access_token, { ...call("waiting", {}), params });
      expect(stream.headers.get("content-type")).toContain("text/event-stream");
      const { body: apps } = await endpoint.oven.call("GET", "account/connected-apps", undefined, {
        key: null,
        headers: { cookie: person.cookie },
      });
      const [app] = apps;
      expect(app).toMatchObject({ client: { name: "Desk helper", local: true }, servers: ["Waiting"] });
      const ended = await endpoint.oven.call("DELETE", `account/connected-apps/${app.id}`, undefined, {
        key: null,
        headers: { cookie: person.cookie, origin: endpoint.origin },
      });
      expect(ended.status).toBe(204);
      // The call would go on for twenty seconds and answer; it ends without.
      expect(await stream.text()).not.toContain('"result"');
      expect((await post(url, access_token)).status).toBe(401);
      const kept = await endpoint.oven.db.query("select 1 from oauth_refresh_tokens where client_id = $1", [clientId]);
      expect(kept).toEqual([]);
    });
  });

  it("of somebody is seen and ended by whoever keeps the users, and by nobody else", async () => {
    const { access_token } = await person.connect({ resource });
    expect((await post(resource, access_token)).status).toBe(200);
    const stranger = (await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } })).key;
    const reader = (await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { users: ["read"] } })).key;
    const list = async (key?: string) =>
      (await endpoint.oven.call("GET", "connected-apps", undefined, key === undefined ? {} : { key })).body;
    const [app] = await list();
    expect(app).toMatchObject({ client: { name: "Desk helper" }, user: { email: expect.stringContaining("@") } });
    expect(await list(reader)).toContainEqual(app);
    expect(await list(stranger)).toEqual([]);
    const end = async (key?: string) =>
      (await endpoint.oven.call("DELETE", `connected-apps/${app.id}`, undefined, key === undefined ? {} : { key }))
        .status;
    expect([await end(stranger), await end(reader)]).toEqual([404, 403]);
    expect((await post(resource, access_token)).status).toBe(200);
    expect(await end()).toBe(204);
    expect((await post(resource, access_token)).status).toBe(401);
    expect((await list()).map(({ id }: { id: number }) => id)).not.toContain(app.id);
  });

  describe("the way to a token", () => {
    const register = async () => (await json(await registerClient(endpoint))).client_id as string; // cast: RFC 7591

    it("ends without a token for whoever denies", async () => {
      const { redirected } = await person.allow(await register(), { resource, deny: true });
      expect(redirected.searchParams.get("error")).toBe("access_denied");
      expect(redirected.searchParams.get("iss")).toBe(`${endpoint.origin}/api/auth`);
      expect(redirected.searchParams.has("code")).toBe(false);
    });

    it("is refused without PKCE, with another verifier, and a second time", async () => {
      const clientId = await register();
      expect((await person.ask(clientId, { resource })).status).toBe(400);
      const { code, verifier } = await person.allow(clientId, { resource });
      const fields = {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        redirect_uri: "http://127.0.0.1:9/callback",
        resource,
      };
      expect((await exchange(endpoint, { ...fields, code_verifier: `${verifier}x` })).status).toBe(401);
      expect((await exchange(endpoint, { ...fields, code_verifier: verifier })).status).toBe(400);
    });

    it.each([
      ["no server", undefined],
      ["a server that is not there", "/api/mcp/there-is-none"],
      ["the whole platform", "/api"],
      ["another site", "https://evil.example/api/mcp/support-reply"],
    ])("is refused for %s", async (_name, path) => {
      const wanted = path === undefined ? undefined : new URL(path, endpoint.origin).href;
      const answer = await person.ask(await register(), { resource: wanted, challenge: "x".repeat(43) });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: "invalid_target" });
    });

    it("sends whoever is not signed in to the dashboard first, whether the server is there or not", async () => {
      for (const path of ["support-reply", "there-is-none"]) {
        const query = new URLSearchParams({ client_id: "x", resource: endpoint.urlOf(path).href, sig: "forged" });
        const answer = await fetch(`${endpoint.origin}/api/auth/oauth2/authorize?${query}`, { redirect: "manual" });
        expect(answer.status).toBe(302);
        const page = new URL(answer.headers.get("location") ?? "");
        expect(page.pathname).toBe("/connect");
        expect(page.searchParams.has("sig")).toBe(false);
      }
    });

    it("tells the person who asks, for which workflow, and in words what for", async () => {
      const query = new URLSearchParams({
        client_id: await register(),
        resource,
        scope: "agent-workflows.execute orders.read users.read agent-workflows.delete offline_access",
      });
      const asked = await endpoint.oven.call("GET", `account/connection-request?${query}`, undefined, {
        key: null,
        headers: { cookie: person.cookie },
      });
      expect(asked.body).toMatchObject({
        client: { name: "Desk helper", returnsTo: "127.0.0.1:9", local: true },
        server: { title: expect.stringMatching(/\w/), url: resource },
        // The server uses no others, whatever was asked for.
        scopes: [{ id: "agent-workflows.execute", title: "Run agent workflows" }, { id: "orders.read" }],
        withheld: [],
        offline: true,
      });
    });

    it.each([
      ["a redirect over plain http", { redirect_uris: ["http://evil.example/callback"] }],
      ["a redirect that a browser runs", { redirect_uris: ["javascript:alert(1)"] }],
      ["no redirect", { redirect_uris: [] }],
      ["a grant without a person", { grant_types: ["client_credentials"] }],
      ["a name without end", { client_name: "x".repeat(101) }],
    ])("registers no program with %s", async (_name, more) => {
      const refused = await registerClient(endpoint, more);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toHaveProperty("error");
    });

    describe("when strangers have filled the places for clients", () => {
      const flood = (prefix: string, many: number) =>
        endpoint.oven.db.query(
          "insert into oauth_clients (client_id, redirect_uris) select $1::text || n, '{}' from generate_series(1, $2) n",
          [prefix, many],
        );
      const age = (clientId: string, interval: string) =>
        endpoint.oven.db.query(
          "update oauth_clients set created_at = now() - $2::interval, updated_at = now() - $2::interval where client_id = $1",
          [clientId, interval],
        );
      const isKnown = async (clientId: string) =>
        (await endpoint.oven.db.query("select 1 from oauth_clients where client_id = $1", [clientId])).length === 1;
      const countUnused = async () => {
        const [row] = await endpoint.oven.db.query<{ unused: number }>(
          `select count(*)::int as unused from oauth_clients c
           where not exists (select from oauth_consents o where o.client_id = c.client_id)`,
        );
        return row?.unused;
      };

      it("lets a new one in for the oldest unused one, and leaves those that a user has let in", async () => {
        const used = (await person.connect({ resource })).clientId;
        await age(used, "30 days");
        const oldest = await register();
        await age(oldest, "1 hour");
        await flood("flood-", 1_200);
        const fresh = await registerClient(endpoint);
        expect(fresh.status).toBe(201);
        expect(await countUnused()).toBe(1_000);
        expect([await isKnown(oldest), await isKnown(used)]).toEqual([false, true]);
        expect(await isKnown((await json(fresh)).client_id)).toBe(true);
      });

      it("does not take away the one that a user is being asked about", async () => {
        const clientId = await register();
        const asked = await person.ask(clientId, { resource, challenge: "x".repeat(43) });
        expect(new URL(asked.headers.get("location") ?? "").pathname).toBe("/connect");
        await flood("later-", 1_200);
        await register();
        expect(await isKnown(clientId)).toBe(true);
        const { code } = await person.allow(clientId, { resource });
        expect(code).not.toBe("");
        // Ten minutes after the question it is as old as any.
        const late = await register();
        await person.ask(late, { resource, challenge: "x".repeat(43) });
        await endpoint.oven.db.query(
          `update oauth_clients set created_at = now() - interval '2 hours', updated_at = now() - interval '1 hour'
           where client_id = $1`,
          [late],
        );
        await flood("last-", 1_200);
        await register();
        expect(await isKnown(late)).toBe(false);
      });

      it("forgets the unused ones of yesterday", async () => {
        const clientId = await register();
        await age(clientId, "2 days");
        await register();
        expect(await isKnown(clientId)).toBe(false);
      });
    });
  });
});
