/*
 * What the conformance suite drives as "the client": our own connection code, as `module-mcp-connections` uses it, against the
 * address that stands last on the command line. A person who agrees at once stands in for the one at the sign-in page.
 */
import { isOvenError, type JsonObject } from "@oven/contract";
import {
  connectHttp,
  createSignIn,
  finishSignIn,
  type HttpServer,
  type ServerSession,
  type SignIn,
  type SignInMemory,
} from "@oven/module-mcp-connections/client";
import { createSafeFetch } from "@oven/module-registry";

/** Loopback ports of the suite are chosen as it goes. */
class Anywhere extends Array<string> {
  override includes(): boolean {
    return true;
  }
}

const url = process.argv.at(-1) ?? "";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Record<string, string>; // cast: as the suite documents it
const allow = new Anywhere();
const way = { outbound: createSafeFetch({ allow }), allow };
const signal = AbortSignal.timeout(25_000);
const MOST_SIGN_INS = 3;

let memory: SignInMemory = {};
const store = {
  read: async () => memory,
  write: async (kept: SignInMemory) => {
    memory = kept;
  },
};
const server: HttpServer = {
  name: "conformance",
  url,
  tenantId: 1,
  timeoutMs: 20_000,
  maxTotalMs: 60_000,
  maxBytes: 4_000_000,
};

function newSignIn(): SignIn {
  const { client_id: clientId, client_secret: secret } = context;
  return createSignIn({
    store,
    redirectUrl: "http://localhost:3000/api/mcp-connections/sign-in",
    // As an installation with an https address says what it is; others register themselves.
    ...(scenario === "auth/basic-cimd"
      ? { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }
      : {}),
    state: () => "the-state",
    ...(clientId === undefined ? {} : { clientId }),
    ...(secret === undefined ? {} : { clientSecret: async () => secret }),
  });
}

/** As a person would: opens the page, agrees, and comes back. */
async function agree(signIn: SignIn): Promise<void> {
  if (signIn.wanted === undefined) throw new Error("nobody has to sign in");
  const page = await fetch(signIn.wanted, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const code = back.searchParams.get("code") ?? "";
  const iss = back.searchParams.get("iss") ?? undefined;
  await finishSignIn({ server, signIn, store, way }, { code, iss });
}

/** Works in a conversation; signs in where the server asks for it, and begins anew. */
async function inSession(work: (session: ServerSession) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const signIn = newSignIn();
    try {
      const session = await connectHttp({ ...server, signIn }, way, signal);
      try {
        await work(session);
      } finally {
        await session.close();
      }
      return;
    } catch (error) {
      const isAsked = isOvenError(error) && error.code === "MCP_CONNECTION_UNAUTHORIZED" && signIn.wanted !== undefined;
      if (!isAsked || attempt >= MOST_SIGN_INS) throw error;
      await agree(signIn);
      // As each sign-in of ours begins: who signs people in for the server may have changed.
      const { discovery: _old, ...rest } = memory;
      memory = rest;
    }
  }
}

/** Arguments that a tool's schema takes. */
function argumentsFor(schema: JsonObject): JsonObject {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>; // cast: tools of the suite
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, default: given }]) => [
      name,
      given ??
        (type === "number" || type === "integer" ? 5 : type === "boolean" ? true : type === "object" ? {} : "text"),
    ]),
  );
}

/** Calls a tool to its end: questions are answered as a form that is sent as it was filled in beforehand. */
async function callToTheEnd(
  session: ServerSession,
  tool: Parameters<ServerSession["callTool"]>[0]["tool"],
  args: JsonObject,
) {
  let legacyAnswers: Record<string, JsonObject> = {};
  let more: { inputResponses?: JsonObject; requestState?: string } = {};
  for (let round = 0; round < 10; round++) {
    const answer = await session.callTool({ tool, arguments: args, legacyAnswers, ...more });
    if (answer.type === "result") return;
    if (answer.type === "legacy-question") legacyAnswers = { ...legacyAnswers, [answer.key]: accept(answer.params) };
    else {
      const responses = Object.entries(answer.requests).map(([key, request]) => {
        const { params } = request as { params: JsonObject }; // cast: as the protocol has it
        return [key, accept(params)];
      });
      more = {
        ...(responses.length === 0 ? {} : { inputResponses: Object.fromEntries(responses) }),
        ...(answer.requestState === undefined ? {} : { requestState: answer.requestState }),
      };
    }
  }
}

function accept({ requestedSchema }: JsonObject): JsonObject {
  return { action: "accept", content: argumentsFor((requestedSchema ?? {}) as JsonObject) }; // cast: a schema of the suite
}

await inSession(async (session) => {
  const { tools } = await session.listTools();
  const chosen =
    (context.toolCalls as unknown as { name: string; arguments: JsonObject }[] | undefined) ?? // cast: as the suite documents it
    tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema) }));
  for (const { name, arguments: args } of chosen) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) continue;
    await callToTheEnd(session, tool, args);
  }
});
if (scenario === "") throw new Error("this is started by the conformance suite");
