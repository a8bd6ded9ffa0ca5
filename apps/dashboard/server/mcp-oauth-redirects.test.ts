import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { joinPerson, type OAuthPerson, registerClient } from "./testing/oauth-person.ts";

const FOREIGN = "https://collector.example/take";

describe("what the authorization endpoint answers to a request with an error", () => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  let resource: string;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    resource = endpoint.urlOf("support-reply").href;
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
  });
  afterAll(() => endpoint.close());

  const register = async (redirect: string) => {
    const answer = await registerClient(endpoint, { redirect_uris: [redirect] });
    return ((await answer.json()) as { client_id: string }).client_id; // cast: RFC 7591
  };
  /** As a browser follows a link. Without a wrong parameter it leads to the question. */
  const follow = (clientId: string, wrong: Record<string, string | undefined>, accept = "text/html") => {
    const fields: Record<string, string | undefined> = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: FOREIGN,
      scope: "agent-workflows.execute",
      state: "of the client",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
      resource,
      ...wrong,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
    return fetch(`${endpoint.origin}/api/auth/oauth2/authorize?${query}`, {
      headers: { cookie: person.cookie, origin: endpoint.origin, accept },
      redirect: "manual",
    });
  };

  /** What is wrong, and the error that it is. */
  const WRONG: [name: string, fields: Record<string, string | undefined>, error: string][] = [
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["an empty PKCE value", { code_challenge: "" }, "invalid_request"],
    ["a PKCE value that is too short", { code_challenge: "x".repeat(42) }, "invalid_request"],
    ["a PKCE value that is too long", { code_challenge: "x".repeat(44) }, "invalid_request"],
    ["a PKCE value that is no base64url", { code_challenge: `${"x".repeat(42)}=` }, "invalid_request"],
    ["a plain PKCE value", { code_challenge_method: "plain" }, "invalid_request"],
    ["half of PKCE", { code_challenge_method: undefined }, "invalid_request"],
    ["an unknown scope", { scope: "everything" }, "invalid_scope"],
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["a fragment response with no PKCE", { response_mode: "fragment", code_challenge: undefined }, "invalid_request"],
    ["prompt=none", { prompt: "none" }, "consent_required"],
    ["prompt=none and an age", { prompt: "none", max_age: "0" }, "login_required"],
    ["an unknown prompt", { prompt: "sideways" }, "invalid_request"],
    ["an account to select", { prompt: "select_account" }, "unsupported_prompt_select_account"],
    ["an age that is none", { max_age: "old" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a request address", { request_uri: "urn:example:1" }, "request_uri_not_supported"],
    ["claims without OpenID", { claims: "{}" }, "invalid_request"],
    ["claims that are none", { claims: "[" }, "invalid_request"],
    ["another server", { resource: "https://evil.example/api/mcp/support-reply" }, "invalid_target"],
    ["an address that was not registered", { redirect_uri: "https://other.example/" }, "invalid_redirect"],
    ["no address", { redirect_uri: undefined }, "invalid_redirect"],
    ["an unknown client", { client_id: "there-is-none" }, "invalid_client"],
  ];

  it("is the question when there is none", async () => {
    const asked = await follow(await register(FOREIGN), {});
    expect(asked.status).toBe(302);
    expect(new URL(asked.headers.get("location") ?? "").pathname).toBe("/connect");
  });

  it.each(WRONG)("is our own page for a client that this user has not let in: %s", async (_name, fields, error) => {
    const clientId = await register(FOREIGN);
    const page = await follow(clientId, fields);
    expect(page.headers.get("location")).toBeNull();
    expect(page.status).toBe(400);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain("This program was not connected");
    expect(text).not.toContain("collector.example");
    const program = await follow(clientId, fields, "*/*");
    expect(program.status).toBe(400);
    expect(await program.json()).toMatchObject({ error });
  });

  it("shows the request's own words as text", async () => {
    const page = await follow(await register(FOREIGN), { scope: "<script>alert(1)</script>" });
    const text = await page.text();
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script>");
  });

  it("is the redirect of the standard for a client that this user has let in, and for no other user", async () => {
    const { clientId } = await person.connect({ resource });
    const wrong = { redirect_uri: "http://127.0.0.1:9/callback", code_challenge_method: "plain" };
    const sent = await follow(clientId, wrong);
    expect(sent.status).toBe(302);
    const back = new URL(sent.headers.get("location") ?? "");
    expect(back.host).toBe("127.0.0.1:9");
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "invalid_request", state: "of the client" });
    const other = await joinPerson(endpoint, "bob@example.com", ["editor"]);
    const asked = await other.ask(clientId, { resource });
    expect(asked.status).toBe(400);
    expect(asked.headers.get("location")).toBeNull();
  });
});
