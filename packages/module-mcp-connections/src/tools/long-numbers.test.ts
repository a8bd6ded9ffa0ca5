import { createTestPglite } from "@oven/db/testing";
import type { OutsideServer } from "@oven/testing";
import { longNumber } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { startRawServer, TOOL } from "../connections/testing/raw-server.ts";

const LONG = "7615917337495251231";
const message = (id: unknown, result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const structured = (content: string) => `{"content":[{"type":"text","text":"${LONG}"}],"structuredContent":${content}}`;

describe("a number that would be changed, in the answer of an MCP server", () => {
  let oven: ConnectedOven;
  const allow: string[] = [];
  const servers: OutsideServer[] = [];
  let made = 0;
  beforeAll(async () => {
    oven = await startConnectedOven([], { allow, db: await createTestPglite() });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => oven.stop());

  /** Calls the one tool of a server that answers this. */
  async function ask(
    result: string,
    { outputSchema, stream = false }: { outputSchema?: object; stream?: boolean } = {},
  ) {
    const tool = { ...TOOL, ...(outputSchema === undefined ? {} : { outputSchema }) };
    const server = await startRawServer(
      {
        "tools/call": ({ id }) => {
          const text = message(id, result);
          return stream
            ? new Response(`event: message\ndata: ${text}\n\n`, { headers: { "content-type": "text/event-stream" } })
            : new Response(text, { headers: { "content-type": "application/json" } });
        },
      },
      [tool],
    );
    servers.push(server);
    allow.push(server.origin);
    const id = await oven.connect(`long-${++made}`, server);
    const [listed] = await oven.tools(id);
    return (await oven.call("POST", `mcp-connections/${id}/tools/${listed.id}/try`, { arguments: {} })).body;
  }

  it.each([false, true])("is refused with its place (as a stream: %s)", async (stream) => {
    const { error } = await ask(structured(`{"order":{"id":${LONG}},"n":1}`), { stream });
    expect(error).toMatchObject({
      code: "NUMBER_NOT_EXACT",
      message: expect.stringContaining(`${LONG} at $.structured.order.id`),
      fix: expect.stringContaining("whoever runs the server"),
    });
  });

  it.each([false, true])("stays as text where the tool says so (as a stream: %s)", async (stream) => {
    const outputSchema = { type: "object", properties: { id: { type: "integer", format: "int64" } } };
    const { error, result } = await ask(structured(`{"id":${LONG}}`), { stream, outputSchema });
    expect(error).toBe(null);
    expect(result).toMatchObject({ structured: { id: LONG }, text: LONG });
  });

  it("of a call by hand stays as text where the tool takes text, and is refused elsewhere", async () => {
    const properties = { id: { type: "string" }, n: { type: "integer" } };
    const server = await startRawServer({}, [{ ...TOOL, inputSchema: { type: "object", properties } }]);
    servers.push(server);
    allow.push(server.origin);
    const id = await oven.connect(`long-${++made}`, server);
    const [listed] = await oven.tools(id);
    const path = `mcp-connections/${id}/tools/${listed.id}/try`;
    expect((await oven.call("POST", path, { arguments: { id: longNumber(LONG) } })).body.error).toBe(null);
    expect((await oven.call("POST", path, { arguments: { n: longNumber(LONG) } })).body.error).toMatchObject({
      code: "NUMBER_NOT_EXACT",
      path: "$.arguments.n",
    });
  });

  it("is left alone in text, and where it only describes", async () => {
    const limits = { type: "object", properties: { n: { type: "integer", maximum: 1 } } };
    const { error, result } = await ask(structured('{"n":1}'), { outputSchema: limits });
    expect([error, result?.text]).toEqual([null, LONG]);
    const server = await startRawServer({
      "tools/list": ({ id }) =>
        new Response(
          message(
            id,
            `{"tools":[{"name":"do","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":18446744073709551615}}}}]}`,
          ),
          { headers: { "content-type": "application/json" } },
        ),
    });
    servers.push(server);
    allow.push(server.origin);
    const id = await oven.connect(`long-${++made}`, server);
    expect(await oven.tools(id)).toMatchObject([{ name: "do", state: "approved" }]);
  });
});
