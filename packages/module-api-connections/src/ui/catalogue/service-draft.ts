import type { ApiInspection, CataloguedApi, ServiceAuth } from "@oven/contract/api";
import type { ConnectionDraft } from "../connections/connection-draft.ts";

/** The settings that the catalogue proposes; they come before what a document says. */
export function fromService({ slug, name, serverUrl, auth }: CataloguedApi): Partial<ConnectionDraft> {
  return { ...{ name: slug, title: name, serverUrl }, ...fromAuth(auth) };
}

function fromAuth(auth: ServiceAuth): Partial<ConnectionDraft> {
  switch (auth.type) {
    case "none":
    case "bearer":
      return { auth: auth.type };
    case "api-key":
      return { auth: auth.type, keyIn: auth.in, keyName: auth.name, keyPrefix: auth.prefix ?? "" };
    case "basic":
      return { auth: auth.type, user: auth.user ?? "" };
    case "oauth": {
      const { type, ...fields } = auth;
      return { auth: type, ...fields };
    }
    case "client-credentials": {
      const { type, ...fields } = auth;
      return { auth: type, ...fields };
    }
  }
}

type Operation = Pick<ApiInspection["operations"][number], "name" | "method" | "path" | "problem">;

/** Whatever its parameters are called: documents rename them. */
const withoutNames = (operation: string): string => operation.replace(/\{[^{}]*\}/g, "{}");

/** Names of the document's operations that the catalogue proposes, without those that cannot be called. */
export function proposedOperations(service: Pick<CataloguedApi, "operations">, found: readonly Operation[]): string[] {
  const wanted = new Set(service.operations.map(withoutNames));
  return found
    .filter(({ problem }) => problem === null)
    .filter(({ name, method, path }) => wanted.has(name) || wanted.has(withoutNames(`${method} ${path}`)))
    .map(({ name }) => name);
}

/** Which host the secret must name; null: there is none. */
export function secretHost({ auth, serverUrl }: Pick<CataloguedApi, "auth" | "serverUrl">): string | null {
  if (auth.type === "none") return null;
  return new URL("tokenUrl" in auth ? auth.tokenUrl : serverUrl).host;
}
