import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpExtension } from "../../../packages/module-workflow-agents/src/index.ts";

type Sign = Parameters<McpExtension>[1]["sign"];
type Elicited = Parameters<typeof inputRequired.elicit>[0]["requestedSchema"];

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const describe = (name: string) => ({
  description: `Of the conformance suite: ${name}`,
  inputSchema: z.object({}),
});
const form = (properties: object, required: string[]) => ({ type: "object", properties, required }) as Elicited; // cast: forms of plain fields
const ask = (message: string, requestedSchema: Elicited) => inputRequired.elicit({ message, requestedSchema });
const askName = () => ask("What is your name?", form({ name: { type: "string" } }, ["name"]));
const askModel = (said: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: said } }], maxTokens });

const NameSchema = z.object({ action: z.literal("accept"), content: z.object({ name: z.string() }) });
const ModelSchema = z.object({ content: z.looseObject({ text: z.string() }) });
const RootsSchema = z.object({ roots: z.array(z.object({ uri: z.string() })) });

function answerTo<Schema extends z.ZodType>(
  { mcpReq }: ServerContext,
  key: string,
  schema: Schema,
): z.output<Schema> | undefined {
  return schema.safeParse((mcpReq.inputResponses as Record<string, unknown> | undefined)?.[key]).data; // cast: whatever came
}

/** Questions of older revisions: asked in the middle of the call, where the client has a session. */
export function registerElicitations(server: McpServer): void {
  server.registerTool(
    "test_elicitation",
    { description: "Of the conformance suite: test_elicitation", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const fields = {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      };
      const answer = await mcpReq.elicitInput({
        message,
        requestedSchema: form(fields, ["username", "email"]) as never, // cast: wire-ready
      });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  );
  const forms: Record<string, object> = {
    test_elicitation_sep1034_defaults: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
    test_elicitation_sep1330_enums: {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: titled("value", "Option") },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: { type: "array", items: { anyOf: titled("value", "Choice") } },
    },
  };
  for (const [name, properties] of Object.entries(forms))
    server.registerTool(name, describe(name), async (_input, { mcpReq }) => {
      const requestedSchema = form(properties, []) as never; // cast: wire-ready
      const { action, content } = await mcpReq.elicitInput({ message: "Please fill this in", requestedSchema });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    });
}

function titled(value: string, title: string): object[] {
  return ["First", "Second", "Third"].map((word, index) => ({
    const: `${value}${index + 1}`,
    title: `${word} ${title}`,
  }));
}

/** Questions of 2026-07-28: the call ends with them, and the next call brings the answers. */
export function registerQuestions(server: McpServer, sign: Sign): void {
  const tool = (name: string, handler: (context: ServerContext) => Promise<object> | object) =>
    server.registerTool(
      name,
      describe(name),
      async (_input, context) => (await handler(context)) as ReturnType<typeof text>, // cast: or a question
    );
  for (const name of ["test_input_required_result_elicitation", "test_streaming_elicitation"])
    tool(name, (context) => {
      const given = answerTo(context, "user_name", NameSchema);
      if (given !== undefined) return text(`Hello, ${given.content.name}!`);
      return inputRequired({ inputRequests: { user_name: askName() } });
    });
  tool("test_input_required_result_sampling", (context) => {
    const given = answerTo(context, "capital_question", ModelSchema);
    if (given !== undefined) return text(given.content.text);
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?", 100) } });
  });
  tool("test_input_required_result_list_roots", (context) => {
    const given = answerTo(context, "client_roots", RootsSchema);
    if (given !== undefined) return text(given.roots.map(({ uri }) => uri).join(", "));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"])
    tool(name, async (context) => {
      if (context.mcpReq.requestState?.() !== undefined) return text("state-ok");
      const confirm = ask("Please confirm", form({ ok: { type: "boolean" } }, ["ok"]));
      return inputRequired({ inputRequests: { confirm }, requestState: await sign({ asked: name }, context) });
    });
  tool("test_input_required_result_multiple_inputs", async (context) => {
    const [name, greeting, roots] = [
      answerTo(context, "user_name", NameSchema),
      answerTo(context, "greeting", ModelSchema),
      answerTo(context, "client_roots", RootsSchema),
    ];
    if (name !== undefined && greeting !== undefined && roots !== undefined)
      return text(`${greeting.content.text}, ${name.content.name}: ${roots.roots.length} roots`);
    const inputRequests = {
      user_name: askName(),
      greeting: askModel("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await sign({ round: 1 }, context) });
  });
  tool("test_input_required_result_multi_round", async (context) => {
    const { round } = context.mcpReq.requestState?.<{ round: number }>() ?? { round: 0 };
    if (round === 2) return text("Thank you");
    const step = round + 1;
    const field = step === 1 ? "name" : "color";
    const question = step === 1 ? "What is your name?" : "What is your favorite color?";
    const asked = ask(`Step ${step}: ${question}`, form({ [field]: { type: "string" } }, [field]));
    return inputRequired({
      inputRequests: { [`step${step}`]: asked },
      requestState: await sign({ round: step }, context),
    });
  });
  tool("test_input_required_result_capabilities", (context) => {
    const { elicitation, sampling } = capabilitiesOf(context);
    const inputRequests: Record<string, InputRequest> = {
      ...(elicitation === undefined ? {} : { user_name: askName() }),
      ...(sampling === undefined ? {} : { greeting: askModel("Generate a greeting", 50) }),
    };
    return Object.keys(inputRequests).length === 0 ? text("Nobody can be asked") : inputRequired({ inputRequests });
  });
  tool("test_missing_capability", (context) => {
    if (capabilitiesOf(context).sampling !== undefined) return text("There is a model");
    return inputRequired({ inputRequests: { greeting: askModel("Generate a greeting", 50) } });
  });
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined; // cast: the SDK's type leaves its keys out
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}
