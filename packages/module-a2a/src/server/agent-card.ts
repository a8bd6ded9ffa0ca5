import { A2A_PROTOCOL_VERSION, AgentCard } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import type { JsonObject } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import type { McpServer } from "@oven/contract/mcp";

export const JSON_RPC = "JSONRPC";
const SCHEME = "bearer";
const KEY = "An API key of OVEN";
const MODES = ["application/json", "text/plain"];

interface Skill {
  id: string;
  name: string;
  description: string;
  tags: string[];
}

export interface CardText {
  name: string;
  description: string;
  /** Another one with each change of what the card says. */
  version: string;
  publicUrl: string;
  /** Below `/api/a2a/`. */
  path: string;
  skills: Skill[];
}

/** What clients learn of an agent: nothing of its instructions, its model or its tools. */
export function toAgentCard({ name, description, version, publicUrl, path, skills }: CardText): AgentCard {
  const url = `${publicUrl}/api/a2a/${path}`;
  return AgentCard.fromJSON({
    name,
    description,
    supportedInterfaces: [A2A_PROTOCOL_VERSION, A2A_LEGACY_PROTOCOL_VERSION].map((protocolVersion) => ({
      url,
      protocolBinding: JSON_RPC,
      protocolVersion,
    })),
    provider: { organization: "OVEN", url: publicUrl },
    version,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
    securitySchemes: { [SCHEME]: { httpAuthSecurityScheme: { scheme: "bearer", description: KEY } } },
    securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills,
  });
}

/** The one of a workflow: to run it. */
export function workflowSkills(run: McpServer["toolDefinitions"][number], description: string): Skill[] {
  const input = `Input, as one data part:\n${JSON.stringify(run.inputSchema)}`;
  return [{ id: run.name, name: run.title, description: `${description}\n\n${input}`, tags: ["workflow"] }];
}

/** The one of an agent: to answer. Messages name no skill, so there is none for each tool. */
export function agentSkills({ slug, name, exposedParameters }: Agent, description: string): Skill[] {
  const parameters =
    exposedParameters === null ? "" : `\n\nParameters, as one data part:\n${JSON.stringify(exposedParameters)}`;
  return [{ id: slug, name, description: `${description}${parameters}`, tags: ["agent"] }];
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
