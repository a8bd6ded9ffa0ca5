import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";

/** The key of the administrator in tests. */
export const TEST_KEY = "test-administrator-key-0123456789";
const ORIGIN = "http://localhost:3000";

export interface TestRuntimeOptions<Modules> {
  /** `createRuntime` of module-registry: a test hands in what it is about. */
  createRuntime: (options: {
    db: Database;
    modules: Modules;
    environment: TestEnvironment;
    verifyResponses: boolean;
  }) => Promise<{ fetch(request: Request): Promise<Response>; stop(): Promise<void> }>;
  modules: Modules;
  db?: Database;
  environment?: Partial<TestEnvironment>;
}

export interface TestEnvironment {
  publicUrl: string;
  dataDir: string;
  secret: string;
  demo: boolean;
  /** Of the process, as far as modules declare them. */
  variables?: Readonly<Record<string, string | undefined>>;
  bootstrapApiKey: string | undefined;
  outboundAllow: readonly string[];
  worker?: { enabled: boolean; concurrency: number; drainMs: number };
  production: boolean;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

export interface TestOven {
  db: Database;
  /** A JSON request as the administrator, unless another key (or none) is named. */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  /** The raw answer, for streams. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The runtime itself, to be put behind a real server. */
  handle(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** Modules in one process on a fresh embedded database (or the given one), with an administrator's key. */
export async function startTestOven<Modules>(options: TestRuntimeOptions<Modules>): Promise<TestOven> {
  const db = options.db ?? (await createTestPglite());
  const runtime = await options.createRuntime({
    db,
    modules: options.modules,
    verifyResponses: true,
    environment: {
      publicUrl: ORIGIN,
      dataDir: "unused",
      secret: "a-secret-of-the-tests-0123456789-abcdef",
      demo: true,
      bootstrapApiKey: TEST_KEY,
      outboundAllow: [],
      worker: { enabled: true, concurrency: 50, drainMs: 10_000 },
      production: false,
      ...options.environment,
    },
  });
  const send = (path: string, init: RequestInit = {}) => runtime.fetch(new Request(`${ORIGIN}/api/${path}`, init));
  return {
    db,
    handle: (request) => runtime.fetch(request),
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${TEST_KEY}`);
      return send(path, { ...init, headers });
    },
    call: async (method, path, body, { key = TEST_KEY, headers = {} } = {}) => {
      const response = await send(path, {
        method,
        headers: {
          "content-type": "application/json",
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
    },
    stop: async () => {
      await runtime.stop();
      if (options.db === undefined) await db.close();
    },
  };
}
