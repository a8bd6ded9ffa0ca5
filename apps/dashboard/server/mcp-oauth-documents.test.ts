import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport as Transport } from "@modelcontextprotocol/client";
import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { joinPerson, type OAuthPerson, Program } from "./testing/oauth-person.ts";

/** What the server of documents answers, by path. */
type Answer = { status?: number; headers?: Record<string, string>; body: string };

describe("a program that names itself by a document", () => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  let documents: Server;
  let origin: string;
  let answer: Answer;
  let asked = 0;

  beforeAll(async () => {
    documents = createServer((_request, response) => {
      asked += 1;
      response
        .writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
        .end(answer.body);
    });
    documents.listen(0, "127.0.0.1");
    await once(documents, "listening");
    const { port } = documents.address() as AddressInfo; // cast: it listens on TCP
    origin = `http://127.0.0.1:${port}`;
    endpoint = await openMcpEndpoint({
      modules: installedModules({ demo: true }),
      environment: { outboundAllow: [origin] },
    });
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
  });
  afterAll(async () => {
    await endpoint.close();
    documents.close();
  });
  beforeEach(() => {
    asked = 0;
  });

  const documentAt = (address: string, more: object = {}): string =>
    JSON.stringify({
      ...{ client_id: address, client_name: "Desk helper", redirect_uris: [new Program().redirectUrl] },
      ...more,
    });
  const resourceOf = () => endpoint.urlOf("support-reply").href;
  const ask = (address: string) => person.ask(address, { resource: resourceOf(), challenge: "x".repeat(43) });

  it("is let in by a person, lists tools, and stays what it is when its document changes", async () => {
    const address = `${origin}/client.json`;
    answer = { body: documentAt(address) };
    class Documented extends Program {
      readonly clientMetadataUrl = address.replace("http:", "https:");
      // The SDK takes https addresses only; what the server is told is the one that is allowed here.
      override clientInformation(): unknown {
        return { client_id: address };
      }
    }
    const program = new Documented();
    const url = endpoint.urlOf("support-reply");
    const way = () => new Transport(url, { authProvider: program as never }); // cast: the SDK has a type of its own for it
    const make = () => new Client({ name: "v2", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const first = way();
    await expect(make().connect(first)).rejects.toThrow();
    const { code, redirected } = await person.consent(program.asked ?? url);
    await first.finishAuth(code, redirected.searchParams.get("iss") ?? undefined);
    const client = make();
    await client.connect(way());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("support_reply");
    await client.close();
    answer = { body: documentAt(address, { client_name: "Renamed" }) };
    expect((await ask(address)).status).toBe(302);
    const rows = await endpoint.oven.db.query("select name, client_secret from oauth_clients where client_id = $1", [
      address,
    ]);
    expect(rows).toEqual([{ name: "Renamed", client_secret: null }]);
  });

  it("is shown to the person with its document, and with where this very request is answered", async () => {
    const address = `${origin}/several.json`;
    const redirect_uris = ["https://helper.example/back", new Program().redirectUrl];
    answer = { body: documentAt(address, { redirect_uris }) };
    expect((await ask(address)).status).toBe(302);
    const query = new URLSearchParams({
      ...{ client_id: address, resource: resourceOf(), scope: "agent-workflows.execute" },
      redirect_uri: new Program().redirectUrl,
    });
    const shown = await fetch(`${endpoint.origin}/api/account/connection-request?${query}`, {
      headers: { cookie: person.cookie },
    });
    expect(((await shown.json()) as { client: object }).client).toEqual({
      ...{ name: "Desk helper", uri: origin, document: address },
      ...{ returnsTo: "127.0.0.1:9", local: true },
    });
  });

  it("is fetched only once a person is signed in", async () => {
    const address = `${origin}/client.json`;
    answer = { body: documentAt(address) };
    const query = new URLSearchParams({ response_type: "code", client_id: address, resource: resourceOf() });
    const stranger = await fetch(`${endpoint.origin}/api/auth/oauth2/authorize?${query}`, { redirect: "manual" });
    expect(stranger.status).toBe(302);
    expect(asked).toBe(0);
  });

  it.each<[string, (address: string) => Answer, string]>([
    ["is about another address", () => ({ body: documentAt("https://helper.example/client.json") }), "another address"],
    ["has a secret", (address) => ({ body: documentAt(address, { client_secret: "s" }) }), "client_secret"],
    ["is no JSON", () => ({ body: "<html>" }), "no JSON object"],
    ["is not found", (address) => ({ status: 404, body: documentAt(address) }), "404"],
    ["is elsewhere", () => ({ status: 302, headers: { location: `${origin}/other.json` }, body: "" }), "302"],
    ["is too long", (address) => ({ body: documentAt(address, { note: "x".repeat(6_000) }) }), "document"],
    ["names no redirect", (address) => ({ body: documentAt(address, { redirect_uris: [] }) }), "redirect_uris"],
  ])("is refused, and the person sent nowhere, when its document %s", async (_name, toAnswer, said) => {
    const address = `${origin}/refused.json`;
    answer = toAnswer(address);
    const refused = await ask(address);
    expect(refused.status).toBe(400);
    const { error, error_description } = (await refused.json()) as Record<string, string>;
    expect([error, error_description]).toEqual(["invalid_client", expect.stringContaining(said)]);
    expect(await endpoint.oven.db.query("select 1 from oauth_clients where client_id = $1", [address])).toEqual([]);
  });

  it.each([
    ["without encryption, where no operator allows it", "http://helper.example/client.json"],
    ["on this computer", "https://127.0.0.1:9/client.json"],
    ["with a fragment", "https://helper.example/client.json#a"],
    ["with a name and password", "https://a:b@helper.example/client.json"],
    ["that is only a host", "https://helper.example/"],
    ["with dots", "https://helper.example/a/../client.json"],
  ])("is refused under an address %s", async (_name, address) => {
    const refused = await ask(address);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { error: string }).error).toBe("invalid_client");
  });

  it("sends a redirect that its document does not name nowhere", async () => {
    const address = `${origin}/elsewhere.json`;
    answer = { body: documentAt(address, { redirect_uris: ["https://helper.example/back"] }) };
    const refused = await ask(address);
    expect(refused.status).toBe(400);
    expect(refused.headers.get("location")).toBeNull();
  });

  it("finds in the server's metadata that it may come so", async () => {
    const server = await (await fetch(`${endpoint.origin}/.well-known/oauth-authorization-server/api/auth`)).json();
    expect(server).toMatchObject({ client_id_metadata_document_supported: true });
  });
});
