import { createHash, randomUUID } from "node:crypto";
import { type OutsideServer, startOutsideServer } from "@oven/testing";

type NextAnswer = () => Response | undefined | Promise<Response>;

export interface OrdersApi extends OutsideServer {
  /** What was done, in order: `GET /orders/7 as key-ada`. */
  calls: string[];
  /** The document, which a test may change. */
  // biome-ignore lint/suspicious/noExplicitAny: tests change whatever they like
  document: any;
  /** What `GET /orders` answers. */
  orders: { id: string; total: number }[];
  /** Bodies of requests to the token address. */
  exchanges: URLSearchParams[];
  /** Takes back every token that was given; those to renew with stay. */
  endTokens(): void;
  /** Takes back everything. */
  revoke(): void;
  /** Answers the next call like this: nothing cuts the connection, a promise keeps the caller waiting. */
  next(answer: NextAnswer): void;
}

const ORDER = {
  type: "object",
  required: ["id", "total"],
  properties: { id: { type: "string" }, total: { type: "number" }, note: { type: "string", nullable: true } },
};

function toDocument(origin: string) {
  return {
    openapi: "3.0.3",
    info: { title: "Orders", version: "1.2", description: "Orders of a shop" },
    servers: [{ url: `${origin}/v1` }],
    components: {
      schemas: { Order: ORDER },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        login: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: `${origin}/authorize`,
              tokenUrl: `${origin}/token`,
              scopes: { orders: "Read and change orders" },
            },
          },
        },
      },
    },
    security: [{ key: [] }],
    paths: {
      "/orders/{id}": {
        get: {
          operationId: "getOrder",
          summary: "Get an order",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "fields", in: "query", schema: { type: "array", items: { type: "string" } } },
          ],
          responses: {
            200: {
              description: "it",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
            },
          },
        },
      },
      "/orders/{id}/refund": {
        post: {
          operationId: "refundOrder",
          summary: "Refund an order",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: { type: "object", required: ["amount"], properties: { amount: { type: "number" } } },
              },
            },
          },
          responses: { 200: { description: "done", content: { "application/json": { schema: { type: "object" } } } } },
        },
      },
      "/orders": {
        get: {
          operationId: "listOrders",
          summary: "List the orders",
          responses: {
            200: {
              description: "all",
              content: {
                "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Order" } } },
              },
            },
          },
        },
      },
      "/me": { get: { operationId: "whoAmI", summary: "Who asks", responses: { 200: { description: "it" } } } },
      "/elsewhere": {
        get: {
          operationId: "elsewhere",
          servers: [{ url: "https://evil.example" }],
          responses: { 200: { description: "it" } },
        },
      },
    },
  };
}

/** A shop's API on loopback: its document, its sign-in page and its operations. */
export async function startOrdersApi(): Promise<OrdersApi> {
  const calls: string[] = [];
  const exchanges: URLSearchParams[] = [];
  const tokens = new Set<string>();
  const renewals = new Set<string>();
  const codes = new Map<string, string>();
  const answers: NextAnswer[] = [];
  const give = () => {
    const [token, renewal] = [`token-${randomUUID()}`, `renewal-${randomUUID()}`];
    tokens.add(token);
    renewals.add(renewal);
    return Response.json({ access_token: token, token_type: "bearer", expires_in: "3600", refresh_token: renewal });
  };
  const signIn = (url: URL) => {
    const code = randomUUID();
    codes.set(code, url.searchParams.get("code_challenge") ?? "");
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    return new Response(null, { status: 302, headers: { location: back.href } });
  };
  const exchange = (params: URLSearchParams) => {
    exchanges.push(params);
    const refused = () => Response.json({ error: "invalid_grant" }, { status: 400 });
    if (params.get("grant_type") === "authorization_code") {
      const proof = createHash("sha256")
        .update(params.get("code_verifier") ?? "")
        .digest("base64url");
      return codes.get(params.get("code") ?? "") === proof ? give() : refused();
    }
    if (params.get("grant_type") === "refresh_token")
      return renewals.delete(params.get("refresh_token") ?? "") ? give() : refused();
    return give();
  };
  const server = await startOutsideServer(async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/openapi.json") return Response.json(api.document);
    if (url.pathname === "/authorize") return signIn(url);
    if (url.pathname === "/token") return exchange(new URLSearchParams(await request.text()));
    const bearer = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const who = request.headers.get("x-key") ?? bearer ?? "nobody";
    if (bearer?.startsWith("token-") && !tokens.has(bearer))
      return Response.json({ error: "expired" }, { status: 401 });
    const path = `${url.pathname.replace("/v1", "")}${url.search}`;
    const body = request.method === "POST" ? ` ${await request.text()}` : "";
    calls.push(`${request.method} ${path}${body} as ${who}`);
    const [answer] = answers.splice(0, 1);
    if (answer !== undefined) {
      const given = await answer();
      if (given === undefined) throw new Error("the connection is cut");
      return given;
    }
    if (url.pathname === "/v1/me") return Response.json({ who });
    if (url.pathname === "/v1/orders") return Response.json(api.orders);
    const id = url.pathname.split("/")[3] ?? "";
    if (request.method === "POST") return Response.json({ refunded: id });
    return Response.json(api.orders.find((order) => order.id === id) ?? { id, total: 12.5, note: null });
  });
  const api: OrdersApi = {
    ...server,
    ...{ calls, exchanges, document: toDocument(server.origin), orders: [] },
    endTokens: () => tokens.clear(),
    revoke: () => {
      tokens.clear();
      renewals.clear();
    },
    next: (answer) => void answers.push(answer),
  };
  return api;
}
