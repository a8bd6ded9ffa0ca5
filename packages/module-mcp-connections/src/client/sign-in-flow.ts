import { auth } from "@modelcontextprotocol/client";
import { isOvenError, OvenError } from "@oven/contract";
import { connectHttp, type HttpServer, toSessionFetch, type Way } from "./connect-http.ts";
import type { SignIn, SignInStore } from "./sign-in.ts";

export interface SigningIn {
  server: HttpServer;
  signIn: SignIn;
  store: SignInStore;
  way: Way;
}

/**
 * Where a person has to go so that a server lets us in: what the server itself asks for when we come without, or for more than we
 * have. Null: it lets us in.
 * @throws OvenError MCP_SIGN_IN_FAILED, MCP_CONNECTION_FAILED, OUTBOUND_*
 */
export async function beginSignIn({ server, signIn, store, way }: SigningIn, signal: AbortSignal): Promise<URL | null> {
  // Who signs people in for the server may have changed since.
  const { discovery: _old, ...memory } = await store.read();
  await store.write(memory);
  const { wantedScope } = memory;
  if (wantedScope !== undefined) {
    const fetchFn = toSessionFetch(server, way);
    await named(server, () =>
      auth(signIn, { serverUrl: server.url, fetchFn, scope: wantedScope, forceReauthorization: true }),
    );
    return signIn.wanted ?? null;
  }
  try {
    const session = await connectHttp({ ...server, signIn }, way, signal);
    try {
      await session.listTools();
    } finally {
      await session.close();
    }
    return null;
  } catch (error) {
    if (signIn.wanted === undefined) throw error;
    return signIn.wanted;
  }
}

/** Takes the tokens for what the person brought back. @throws OvenError MCP_SIGN_IN_FAILED, OUTBOUND_* */
export async function finishSignIn(
  { server, signIn, way }: SigningIn,
  { code, iss }: { code: string; iss?: string | undefined },
): Promise<void> {
  const fetchFn = toSessionFetch(server, way);
  await named(server, () =>
    auth(signIn, { serverUrl: server.url, fetchFn, authorizationCode: code, ...(iss === undefined ? {} : { iss }) }),
  );
}

async function named<T>({ name }: HttpServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOvenError(error)) throw error;
    const why = error instanceof Error ? error.message.slice(0, 500) : String(error);
    throw signInFailed(`${name} cannot be signed in at: ${why}`, error);
  }
}

export function signInFailed(message: string, cause?: unknown): OvenError {
  return new OvenError("MCP_SIGN_IN_FAILED", message, {
    status: 422,
    fix: "Begin again at the connection's page.",
    ...(cause === undefined ? {} : { cause }),
  });
}
