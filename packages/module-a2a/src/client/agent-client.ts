import { AgentCard } from "@a2a-js/sdk";
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { isLegacyAgentCard, parseLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import { isOvenError, OvenError, readJson } from "@oven/contract";
import type { SecretReference } from "@oven/contract/access";
import { hashJson } from "@oven/engine";
import type { OutboundService } from "@oven/module-registry";
import type { a2aConnections } from "../schema.ts";
import { type A2aCard, A2aCardSchema } from "../shapes.ts";

export type ConnectionRow = typeof a2aConnections.$inferSelect;

/** Of those that the SDK speaks over HTTP. */
const BINDINGS = ["JSONRPC", "HTTP+JSON"];
const MOST_BYTES = 8_388_608;
const MOST_CARD_BYTES = 1_048_576;

export interface AgentClientDeps {
  outbound: OutboundService;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
}

/** What the connection said about the last request: the SDK's errors do not. */
export interface Sent {
  error?: unknown;
  status?: number;
}

/** A client of the agent that was approved, and what became of its last request. */
export async function openAgent(
  deps: AgentClientDeps,
  row: ConnectionRow,
  card: A2aCard,
  signal: AbortSignal,
): Promise<{ client: Client; sent: Sent }> {
  const sent: Sent = {};
  const fetchImpl = outboundFetch(deps, row, signal, sent);
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  const client = await factory.createFromAgentCard(
    AgentCard.fromJSON({
      name: card.name,
      description: card.description,
      supportedInterfaces: card.interfaces.map(({ url, binding, version, tenant }) => ({
        ...{ url, tenant, protocolBinding: binding, protocolVersion: version },
      })),
    }),
  );
  return { client, sent };
}

/** The card as the agent shows it now. @throws OvenError A2A_CONNECTION_FAILED, OUTBOUND_*, SECRET_* */
export async function readCard(deps: AgentClientDeps, row: ConnectionRow, signal: AbortSignal): Promise<A2aCard> {
  const url = new URL(row.url);
  if (!url.pathname.endsWith(".json")) url.pathname = `${url.pathname.replace(/\/$/, "")}/.well-known/agent-card.json`;
  const response = await outboundFetch(
    deps,
    row,
    signal,
    {},
    MOST_CARD_BYTES,
  )(url, {
    headers: { accept: "application/json", "a2a-version": "1.0" },
  });
  if (!response.ok)
    throw connectionFailed(row.name, `its card answers ${response.status}`, "Check the address and the secret.");
  let value: unknown;
  try {
    ({ value } = readJson(await response.text()));
  } catch (error) {
    if (isOvenError(error)) throw error;
    throw connectionFailed(row.name, "its card is no JSON", "Check the address.");
  }
  return toCard(row.name, value);
}

/** What approvals are about: other fields of a card, such as its icon and version, may change. */
export function hashOf(card: A2aCard): string {
  return hashJson(card);
}

export function connectionFailed(name: string, why: string, fix: string): OvenError {
  return new OvenError("A2A_CONNECTION_FAILED", `The agent ${name} cannot be used: ${why}`, { status: 502, fix });
}

function toCard(name: string, value: unknown): A2aCard {
  const fix = "Ask the operator of the agent.";
  if (typeof value !== "object" || value === null) throw connectionFailed(name, "its card is no object", fix);
  const card = isLegacyAgentCard(value) ? parseLegacyAgentCard(value) : AgentCard.fromJSON(value);
  const parsed = A2aCardSchema.safeParse({
    name: card.name,
    description: card.description,
    skills: card.skills.map(({ id, name: title, description, tags, examples }) => ({
      ...{ id, name: title, description, tags, examples },
    })),
    interfaces: card.supportedInterfaces
      .filter(({ protocolBinding }) => BINDINGS.includes(protocolBinding))
      .map(({ url, protocolBinding, protocolVersion, tenant }) => ({
        ...{ url, tenant, binding: protocolBinding, version: protocolVersion },
      })),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw connectionFailed(name, `its card does not fit: ${issue?.path.join(".")}: ${issue?.message}`, fix);
  }
  if (/[\p{Cc}\p{Cf}\uFFFD]/u.test(parsed.data.name))
    throw connectionFailed(name, "its name has invisible characters", fix);
  return parsed.data;
}

/** The way out for the SDK's client: the one safe fetch, with the connection's secret. Redirects are not followed. */
function outboundFetch(
  { outbound, allow }: AgentClientDeps,
  { auth, tenantId, timeoutMs }: ConnectionRow,
  signal: AbortSignal,
  sent: Sent,
  maxBytes = MOST_BYTES,
): typeof fetch {
  return async (target, init = {}) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const headers: Record<string, string | SecretReference> = Object.fromEntries(new Headers(init.headers));
    if (auth.type === "bearer") headers.authorization = { $secret: auth.secret, prefix: "Bearer " };
    if (auth.type === "header") headers[auth.header.toLowerCase()] = { $secret: auth.secret };
    delete sent.error;
    delete sent.status;
    try {
      if (auth.type !== "none" && url.protocol !== "https:" && !allow.includes(url.origin))
        throw new OvenError("OUTBOUND_REFUSED", `${url.origin} is not encrypted, and would show the secret`, {
          status: 422,
          fix: "Use the https address; an operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
        });
      const response = await outbound.fetch(url, {
        ...{ headers, tenantId, timeoutMs, maxBytes, maxRedirects: 0 },
        method: init.method ?? "GET",
        signal: init.signal == null ? signal : AbortSignal.any([signal, init.signal]),
        ...(typeof init.body === "string" ? { body: init.body } : {}),
      });
      sent.status = response.status;
      return response;
    } catch (error) {
      sent.error = error;
      throw error;
    }
  };
}
