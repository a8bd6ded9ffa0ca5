import { Client, StreamableHTTPClientTransport as Transport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { DECIDE_VIEW_TOOL } from "@oven/contract/mcp";
import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { joinPerson, type OAuthPerson, Program, type Tokens } from "./testing/oauth-person.ts";

const MODES = [
  ["v1", () => new LegacyClient({ name: "v1", version: "1.0.0" }), LegacyTransport],
  ["v2", () => new Client({ name: "v2", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } }), Transport],
] as const;

/** A program that names itself by a document at its own address, where the server takes that. */
class DocumentedProgram extends Program {
  readonly clientMetadataUrl = "https://helper.example/client.json";
}

describe.each(MODES)("a program with the SDK's own client, %s, that OAuth has let in", (_name, make, Way) => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  let url: URL;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({
      modules: installedModules({ demo: true }),
      environment: { variables: { OVEN_CLIENT_DOCUMENTS: "0" } },
    });
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
    url = endpoint.urlOf("support-reply");
  });
  afterAll(() => endpoint.close());

  const wayOf = (program: Program) => new Way(url, { authProvider: program as never }); // cast: each SDK has a type of its own for it

  /** Asks, and answers as the person does. */
  async function letIn(program: Program) {
    const first = wayOf(program);
    await expect(make().connect(first as never)).rejects.toThrow(); // cast: as above
    const { code, redirected } = await person.consent(program.asked ?? url);
    await first.finishAuth(code, redirected.searchParams.get("iss") ?? undefined);
    const client = make();
    await client.connect(wayOf(program) as never); // cast: as above
    return client;
  }
  const namesOf = async (client: Awaited<ReturnType<typeof letIn>>) =>
    (await client.listTools()).tools.map(({ name }) => name);
  const tokensOf = (program: Program) => program.tokens() as Tokens; // cast: what our server gave it

  it("stays connected when its access token has ended", async () => {
    const program = new Program();
    const client = await letIn(program);
    expect(await namesOf(client)).toContain("support_reply");
    const before = tokensOf(program);
    expect(before.refresh_token).toEqual(expect.any(String));
    const ended = "update oauth_access_tokens set expires_at = now() - interval '1 second' returning id";
    expect((await endpoint.oven.db.query(ended)).length).toBeGreaterThan(0);
    program.asked = undefined;
    expect(await namesOf(client)).toContain("support_reply");
    expect(tokensOf(program).access_token).not.toBe(before.access_token);
    // The person was not asked again.
    expect(program.asked).toBeUndefined();
    await client.close();
  });

  it("registers as usual where it would rather be known by a document, and none is taken", async () => {
    const program = new DocumentedProgram();
    const client = await letIn(program);
    expect(await namesOf(client)).toContain("support_reply");
    expect(program.asked?.searchParams.get("client_id")).not.toContain("helper.example");
    await client.close();
  });

  it("gets nothing when the person denies, and may ask again", async () => {
    const program = new Program();
    await expect(make().connect(wayOf(program) as never)).rejects.toThrow(); // cast: as above
    const { code, redirected } = await person.deny(program.asked ?? url);
    expect([code, redirected.searchParams.get("error")]).toEqual(["", "access_denied"]);
    expect(program.tokens()).toBeUndefined();
    const [record] = await endpoint.oven.db.query(
      "select action from audit_log where action like 'oauth.%' order by id desc limit 1",
    );
    expect(record).toEqual({ action: "oauth.deny" });
    const client = await letIn(program);
    expect(await namesOf(client)).toContain("support_reply");
    await client.close();
  });
});

describe("the challenge of an MCP server", () => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
  });
  afterAll(() => endpoint.close());

  const scopesAsked = (response: Response) =>
    /scope="([^"]*)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1]?.split(" ") ?? [];
  const post = (server: string, token: string | undefined, method: string, params: object = {}) =>
    fetch(endpoint.urlOf(server), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });

  it.each(["support-reply", "oven"])("asks for a refresh token, too (%s)", async (server) => {
    const asked = scopesAsked(await post(server, undefined, "tools/list"));
    expect(asked).toContain("offline_access");
    expect(asked.filter((scope) => scope === "offline_access")).toHaveLength(1);
  });

  it.each([true, false])(
    "asks for more scopes without losing what the program has (a refresh token: %s)",
    async (has) => {
      const scope = `agent-workflows.execute${has ? " offline_access" : ""}`;
      const { access_token } = await person.connect({ resource: endpoint.urlOf("support-reply").href, scope });
      const refused = await post("support-reply", access_token, "tools/call", {
        name: "orders_get",
        arguments: { orderId: 8841 },
      });
      expect(refused.status).toBe(403);
      expect(scopesAsked(refused)).toEqual([
        "agent-workflows.execute",
        "orders.read",
        ...(has ? ["offline_access"] : []),
      ]);
    },
  );

  it("asks for the scope of deciding when a person decides in a view", async () => {
    const resource = endpoint.urlOf("support-reply").href;
    const { access_token } = await person.connect({ resource, scope: "agent-workflows.execute" });
    const decision = { reviewId: 1, digest: "0".repeat(64), action: "approve" };
    const refused = await post("support-reply", access_token, "tools/call", {
      name: DECIDE_VIEW_TOOL,
      arguments: decision,
    });
    expect(refused.status).toBe(403);
    expect(scopesAsked(refused)).toEqual(["agent-workflows.execute", "reviews.decide"]);
  });
});
