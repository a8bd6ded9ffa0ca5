import { AgentCard, type Message, Role, type TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import { type OutsideServer, startOutsideServer } from "@oven/testing";

export interface SampleAgent extends OutsideServer {
  /** Messages that arrived, with their ids. */
  heard: Message[];
  /** What its card says. */
  card: { name: string; description: string };
  /** Tasks that it was asked to stop. */
  cancelled: string[];
  /** What it answers to messages in place of an answer, as an error of the protocol. */
  failing?: string;
  /** Instead of an answer: for the next message only, it closes the connection, or says what is no HTTP. */
  dropNext(last?: string): void;
}

type Work = (said: Said) => Promise<void> | void;

export interface Said {
  text: string;
  context: RequestContext;
  /** Publishes a state, with a text. */
  say(state: TaskState, text?: string): void;
  /** Publishes what it has made. */
  make(parts: Message["parts"]): void;
}

/** An agent made of the SDK's own server, over HTTP on loopback. */
export async function startSampleAgent(work: Work): Promise<SampleAgent> {
  const heard: Message[] = [];
  const card = { name: "Sample", description: "Knows the weather." };
  const drops: string[] = [];
  const executor: AgentExecutor = {
    execute: async (context, bus) => {
      heard.push(context.userMessage);
      await work(toSaid(context, bus));
      bus.finished();
    },
    cancelTask: async (taskId, bus) => {
      const status = { state: 5 as TaskState, message: undefined, timestamp: new Date().toISOString() };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: "", status, metadata: undefined }));
      bus.finished();
    },
  };
  const toCard = (origin: string) =>
    AgentCard.fromJSON({
      ...card,
      version: "1",
      supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true },
      skills: [{ id: "weather", name: "Weather", description: "Says the weather of a town.", tags: [] }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
    });
  let handler: JsonRpcTransportHandler | undefined;
  const server = await startOutsideServer(async (request, raw) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.endsWith("agent-card.json")) return Response.json(AgentCard.toJSON(toCard(origin)));
    handler ??= new JsonRpcTransportHandler(
      new DefaultRequestHandler(toCard(origin), new InMemoryTaskStore(), executor),
    );
    const body = (await request.json()) as { id: number; method: string; params: { id: string; message: Message } }; // cast: what the client sends
    const last = body.method === "SendMessage" ? drops.shift() : undefined;
    if (last !== undefined) {
      heard.push(body.params.message);
      raw.socket?.end(last);
      return undefined;
    }
    if (body.method === "CancelTask") agent.cancelled.push(body.params.id);
    const { failing } = agent;
    if (failing !== undefined && body.method === "SendMessage")
      return Response.json({ jsonrpc: "2.0", id: body.id, error: { code: -32_000, message: failing } });
    return Response.json(await handler.handle({ ...body }, new ServerCallContext({ requestedVersion: "1.0" })));
  });
  const agent: SampleAgent = {
    ...server,
    heard,
    cancelled: [],
    card,
    dropNext: (last = "") => void drops.push(last),
  };
  return agent;
}

function toSaid(context: RequestContext, bus: ExecutionEventBus): Said {
  const { taskId, contextId, userMessage } = context;
  const text = userMessage.parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join();
  if (context.task === undefined) {
    const status = { state: 1 as TaskState, message: undefined, timestamp: new Date().toISOString() };
    bus.publish(
      AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined }),
    );
  }
  return {
    text,
    context,
    say: (state, words) => {
      const message = words === undefined ? undefined : toAgentMessage(words, taskId, contextId);
      const status = { state, message, timestamp: new Date().toISOString() };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    },
    make: (parts) => {
      const artifact = { artifactId: "a", name: "", description: "", parts, metadata: undefined, extensions: [] };
      bus.publish(
        AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
      );
    },
  };
}

function toAgentMessage(text: string, taskId: string, contextId: string): Message {
  return {
    ...{ messageId: crypto.randomUUID(), role: Role.ROLE_AGENT, taskId, contextId },
    parts: [textPart(text)],
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

export function textPart(value: string): Message["parts"][number] {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}
