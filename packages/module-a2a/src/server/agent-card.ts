import { A2A_PROTOCOL_VERSION, AgentCard } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import type { JsonObject } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";

export const JSON_RPC = "JSONRPC";
const SCHEME = "bearer";
const KEY = "An API key of OVEN";
const MODES = ["application/json", "text/plain"];

/** An exported workflow as an agent: one skill, which is to run it. @param about the workflow's description */
export function toAgentCard(server: McpServer, about: string | null, publicUrl: string): AgentCard {
  const { slug, name, lastGeneratedAt, toolDefinitions } = server;
  const [run] = toolDefinitions;
  const description = about || `Runs the workflow ${name}.`;
  const url = agentUrl(publicUrl, slug);
  return AgentCard.fromJSON({
    name,
    description,
    supportedInterfaces: [A2A_PROTOCOL_VERSION, A2A_LEGACY_PROTOCOL_VERSION].map((protocolVersion) => ({
      url,
      protocolBinding: JSON_RPC,
      protocolVersion,
    })),
    provider: { organization: "OVEN", url: publicUrl },
    version: lastGeneratedAt,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
    securitySchemes: { [SCHEME]: { httpAuthSecurityScheme: { scheme: "bearer", description: KEY } } },
    securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills:
      run === undefined
        ? []
        : [
            {
              id: run.name,
              name: run.title,
              description: `${description}\n\nInput, as one data part:\n${JSON.stringify(run.inputSchema)}`,
              tags: ["workflow"],
            },
          ],
  });
}

/** The same card for clients of revision 0.3, which name no revision when they ask for it. */
export function toLegacyCard(card: AgentCard): JsonObject {
  const { name, description, version, provider, defaultInputModes, defaultOutputModes, capabilities, skills } = card;
  const { streaming = false, pushNotifications = false } = capabilities ?? {};
  return {
    name,
    description,
    version,
    protocolVersion: "0.3.0",
    url: card.supportedInterfaces[0]?.url ?? "",
    preferredTransport: JSON_RPC,
    ...(provider === undefined ? {} : { provider: { ...provider } }),
    capabilities: { streaming, pushNotifications },
    securitySchemes: { [SCHEME]: { type: "http", scheme: "bearer", description: KEY } },
    security: [{ [SCHEME]: [] }],
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(({ id, name: title, description: does, tags }) => ({
      id,
      name: title,
      description: does,
      tags,
    })),
  };
}

function agentUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/api/a2a/${slug}`;
}
