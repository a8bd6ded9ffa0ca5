import { type ErrorBody, SYSTEM_PRINCIPAL } from "@oven/contract";
import { invokeRoute, type Route, type Runtime } from "@oven/module-registry";

/** The REST API of an installation. */
export interface InstallationApi {
  /** @throws Error with the code and message of a refusal */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** That of a server. @param url such as `http://localhost:3000` */
export function apiOf(url: string, key: string): InstallationApi {
  const base = url.replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return {
    async call(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${base}/api/${path}`, { method, headers, ...sent });
      const text = await response.text();
      if (response.ok) return text === "" ? undefined : JSON.parse(text);
      throw new Error(toMessage(text) ?? `${method} ${path} answered ${response.status}`);
    },
    close: async () => undefined,
  };
}

/** An installation opened in this process, by the environment: its data folder, or DATABASE_URL. Calls are the system's own. */
export async function openApi(variables: NodeJS.ProcessEnv): Promise<InstallationApi> {
  const { readEnvironment } = await import("@oven/installation/environment");
  const { openOven } = await import("@oven/installation");
  const oven = await openOven(readEnvironment(variables, true));
  return { call: callsOf(oven.runtime), close: () => oven.close() };
}

/** Calls routes of a runtime in this process, as the system. */
export function callsOf({ registry, services }: Pick<Runtime, "registry" | "services">): InstallationApi["call"] {
  const routes = registry.routes().map(({ route }) => route);
  return async (method, path, body) => {
    const [name = "", search = ""] = path.split("?");
    const found = findRoute(routes, method, name.split("/").map(decodeURIComponent));
    if (found === undefined) throw new Error(`there is no route ${method} ${name}`);
    const query = Object.fromEntries(new URLSearchParams(search));
    const principal = SYSTEM_PRINCIPAL;
    const signal = new AbortController().signal;
    return invokeRoute(found.route, { params: found.params, query, body }, { principal, services, signal });
  };
}

/** The route with the most literal segments; `[id]` takes any. */
function findRoute(routes: readonly Route[], method: string, given: readonly string[]) {
  return routes
    .filter((route) => route.method === method)
    .flatMap((route) => {
      const segments = route.path.split("/");
      if (segments.length !== given.length) return [];
      const params: Record<string, string> = {};
      for (const [index, segment] of segments.entries()) {
        const name = /^\[(\w+)\]$/.exec(segment)?.[1];
        if (name !== undefined) params[name] = given[index] ?? "";
        else if (segment !== given[index]) return [];
      }
      return [{ route, params }];
    })
    .toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}

function toMessage(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as ErrorBody; // cast: what the API answers when it refuses
    return `${error.code}: ${error.message}${error.fix === undefined ? "" : ` ${error.fix}`}`;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
