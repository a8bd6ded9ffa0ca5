import type { McpConnection, McpConnectionAuth } from "@oven/contract/mcp";

/** A form's fields: text as it is typed. */
export interface ConnectionDraft {
  name: string;
  title: string;
  url: string;
  auth: McpConnectionAuth["type"];
  secret: string;
  scope: string;
  clientId: string;
  clientSecret: string;
  timeoutSeconds: string;
  totalSeconds: string;
  maxKilobytes: string;
  callsPerMinute: string;
  callsPerDay: string;
  maxSessions: string;
  sessionWaitSeconds: string;
  sessionIdleSeconds: string;
  enabled: boolean;
}

export const NEW_CONNECTION: ConnectionDraft = {
  ...{ name: "", title: "", url: "", auth: "none", secret: "", scope: "", clientId: "", clientSecret: "" },
  ...{
    timeoutSeconds: "60",
    totalSeconds: "600",
    maxKilobytes: "4096",
    callsPerMinute: "120",
    callsPerDay: "",
    maxSessions: "10",
    sessionWaitSeconds: "30",
    sessionIdleSeconds: "300",
    enabled: true,
  },
};

export function toDraft(row: McpConnection): ConnectionDraft {
  const { auth } = row;
  return {
    name: row.name,
    title: row.title ?? "",
    url: row.url ?? "",
    auth: auth.type,
    secret: auth.type === "bearer" ? auth.secret : "",
    scope: "scope" in auth ? (auth.scope ?? "") : "",
    clientId: "clientId" in auth ? (auth.clientId ?? "") : "",
    clientSecret: "clientSecret" in auth ? (auth.clientSecret ?? "") : "",
    timeoutSeconds: String(row.timeoutMs / 1_000),
    totalSeconds: String(row.maxTotalMs / 1_000),
    maxKilobytes: String(Math.round(row.maxBytes / 1_024)),
    callsPerMinute: String(row.callsPerMinute),
    callsPerDay: row.callsPerDay === null ? "" : String(row.callsPerDay),
    maxSessions: String(row.maxSessions),
    sessionWaitSeconds: String(row.sessionWaitMs / 1_000),
    sessionIdleSeconds: String(row.sessionIdleMs / 1_000),
    enabled: row.enabled,
  };
}

export function toBody(draft: ConnectionDraft): object {
  const { name, title, url, enabled } = draft;
  return {
    ...{ name: name.trim(), title: title.trim() === "" ? null : title.trim(), url: url.trim(), enabled },
    auth: toAuth(draft),
    timeoutMs: Math.round(Number(draft.timeoutSeconds) * 1_000),
    maxTotalMs: Math.round(Number(draft.totalSeconds) * 1_000),
    maxBytes: Number(draft.maxKilobytes) * 1_024,
    callsPerMinute: Number(draft.callsPerMinute),
    callsPerDay: draft.callsPerDay.trim() === "" ? null : Number(draft.callsPerDay),
    maxSessions: Number(draft.maxSessions),
    sessionWaitMs: Math.round(Number(draft.sessionWaitSeconds) * 1_000),
    sessionIdleMs: Math.round(Number(draft.sessionIdleSeconds) * 1_000),
  };
}

/** What `test` takes. */
export function toTest(draft: ConnectionDraft): object {
  return { url: draft.url.trim(), auth: toAuth(draft) };
}

function toAuth({ auth, secret, scope, clientId, clientSecret }: ConnectionDraft): object {
  const given = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
  switch (auth) {
    case "none":
      return { type: auth };
    case "bearer":
      return { type: auth, secret };
    case "oauth":
    case "client-credentials":
      return { type: auth, ...given({ scope, clientId, clientSecret }) };
  }
}
