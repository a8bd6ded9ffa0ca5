import { type Message, Role, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import type { JsonObject } from "@oven/contract";
import { TEST_KEY } from "@oven/testing";
import { expect } from "vitest";
import type { McpEndpoint } from "./mcp-endpoint.ts";

/** The SDK's own client of a workflow's agent, over real HTTP. */
export async function connectA2a(
  { origin }: Pick<McpEndpoint, "origin">,
  slug: string,
  { key = TEST_KEY, legacy = false }: { key?: string; legacy?: boolean } = {},
): Promise<Client> {
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    // Clients of revision 0.3 name no revision.
    if (legacy) headers.delete("a2a-version");
    return fetch(url, { ...init, headers });
  };
  const legacyCompat = { enabled: legacy };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
    }),
  );
  return factory.createFromUrl(`${origin}/api/a2a/${slug}/`);
}

function toMessage(content: string | JsonObject, more: Partial<Message> = {}): Message {
  const body = { metadata: undefined, filename: "", mediaType: "" };
  return {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [
      typeof content === "string"
        ? { content: { $case: "text", value: content }, ...body }
        : { content: { $case: "data", value: content }, ...body },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
}

interface SendOptions extends Partial<Message> {
  returnImmediately?: boolean;
}

export function toRequest(content: string | JsonObject, { returnImmediately = false, ...more }: SendOptions = {}) {
  return {
    tenant: "",
    message: toMessage(content, more),
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  };
}

export async function send(client: Client, content: string | JsonObject, options: SendOptions = {}): Promise<Task> {
  const answer = await client.sendMessage(toRequest(content, options));
  expect(answer).toHaveProperty("id");
  return answer as Task; // cast: our agents answer with tasks
}

export async function getTask(client: Client, id: string): Promise<Task> {
  return client.getTask({ tenant: "", id });
}

export function stateOf({ status }: Pick<Task, "status">): string {
  return (TaskState[status?.state ?? 0] ?? "").replace("TASK_STATE_", "").toLowerCase();
}

export function textOf({ status }: Pick<Task, "status">): string {
  return (status?.message?.parts ?? [])
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join();
}

export function dataOf(parts: Message["parts"] | undefined): JsonObject {
  const [data] = (parts ?? []).flatMap(({ content }) => (content?.$case === "data" ? [content.value] : []));
  return data as JsonObject; // cast: data parts hold objects
}
