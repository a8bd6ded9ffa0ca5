import { describe, expect, it } from "vitest";
import { readApiDocument } from "./read-api-document.ts";

const document = (paths: string): string => `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":${paths}}`;

describe("a document in its thread", () => {
  it("is read with all of its operations, also of many parts", async () => {
    const paths = Array.from(
      { length: 3_000 },
      (_, at) => `"/p${at}":{"get":{"description":"${"text ".repeat(100)}"}}`,
    );
    const { title, operations } = await readApiDocument(document(`{${paths.join(",")}}`));
    expect(title).toBe("T");
    expect(operations.map(({ path }) => path)).toEqual(Array.from({ length: 3_000 }, (_, at) => `/p${at}`));
  });

  it("is read as YAML", async () => {
    const { operations } = await readApiDocument(
      "openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: one\n",
    );
    expect(operations.map(({ name }) => name)).toEqual(["one"]);
  });

  it("has what YAML shares and repeats, and long numbers as they are written", async () => {
    const { operations, servers } = await readApiDocument(
      [
        "openapi: 3.0.0",
        "info: {title: T, version: 1.0}",
        "servers: [{url: 'https://a.example'}]",
        "x-shared: &shared {name: id, in: query, required: true}",
        "paths:",
        "  /a:",
        "    get:",
        "      parameters:",
        "        - <<: *shared",
        "          schema: {type: integer, format: int64, example: 9007199254740993, maximum: 9223372036854775807}",
        "      responses: {200: {description: yes}}",
      ].join("\n"),
    );
    expect(servers).toHaveLength(1);
    expect(operations[0]?.inputSchema).toMatchObject({
      properties: { id: { examples: ["9007199254740993"], maximum: 2 ** 63 } },
      required: ["id"],
    });
  });

  it("is given up when its reader is asked to stop", async () => {
    const controller = new AbortController();
    const reading = readApiDocument(document("{}"), { signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
    await expect(readApiDocument(document("{}"), { signal: controller.signal })).rejects.toThrow("stopped");
  });

  it("waits for the one before, and is given up while it waits", async () => {
    const order: string[] = [];
    const first = readApiDocument(document("{}")).then(() => order.push("first"));
    const controller = new AbortController();
    const waiting = readApiDocument(document("{}"), { signal: controller.signal }).catch(() => order.push("given up"));
    const third = readApiDocument(document("{}")).then(() => order.push("third"));
    controller.abort();
    await Promise.all([first, waiting, third]);
    expect(order).toEqual(["given up", "first", "third"]);
  });
});

const bomb = (): string => {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(",")}]`,
  );
  return ["openapi: 3.0.0", "a0: &a0 [1]", ...levels].join("\n");
};
const cyclic = document('{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"}}');
const wide = (properties: number, operations: number): string => {
  const schema = `{"type":"object","properties":{${Array.from({ length: properties }, (_, at) => `"p${at}":{"$ref":"#/x"}`).join(",")}}}`;
  const paths = Array.from(
    { length: operations },
    (_, at) => `"/${at}":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/x"}}}}}}`,
  );
  return `{"openapi":"3.0.0","info":{},"x":${schema},"paths":{${paths.join(",")}}}`;
};

const TOO_LONG = "50 MB";

/** What someone could send to stop the server, and what becomes of it. */
const HOSTILE: readonly [name: string, text: () => string, refused: boolean][] = [
  ["aliases that multiply", bomb, true],
  ["an alias of itself", () => "openapi: 3.0.0\ninfo: &a {b: *a}\npaths: {}\n", true],
  ["brackets that never close", () => "[".repeat(2_000_000), true],
  ["deep JSON", () => document(`{"/a":${'{"x":'.repeat(200_000)}1${"}".repeat(200_000)}}`), true],
  ["deep YAML", () => `openapi: 3.0.0\nx: ${"[".repeat(50_000)}`, true],
  [TOO_LONG, () => document(`{"/a":"${"x".repeat(50_000_000)}"}`), true],
  [
    "YAML of many MB",
    () => `openapi: 3.0.0\n${Array.from({ length: 400_000 }, (_, at) => `k${at}: {a: [1, 2, {b: c}]}`).join("\n")}`,
    true,
  ],
  ["paths that refer to each other", () => cyclic, false],
  ["a wide schema that many operations refer to", () => wide(100, 300), false],
  ["a very wide schema that all operations refer to", () => wide(20_000, 5_000), true],
  [
    "names of prototypes",
    () =>
      document(
        '{"/a":{"get":{"operationId":"__proto__","parameters":[{"name":"__proto__","in":"query","schema":{"$ref":"#/__proto__"}},{"name":"constructor","in":"query"}],"__proto__":{"polluted":1}}},"__proto__":{"get":{}}}',
      ),
    false,
  ],
  ["other things", () => "just text", true],
  ["a list", () => "[1]", true],
  ["nothing", () => "", true],
];

/** Turns of the event loop until a promise is settled. */
async function countTurns(promise: Promise<unknown>): Promise<number> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let turns = 0; ; turns++) {
    if (isSettled) return turns;
    await new Promise(setImmediate);
  }
}

it("whatever a document holds, the event loop goes on and the answer is an error that says what to do", async () => {
  for (const [name, text, refused] of HOSTILE) {
    const reading = readApiDocument(text(), { timeoutMs: refused ? 3_000 : 60_000 }).then(
      () => "read",
      (error) => error,
    );
    const turns = await countTurns(reading);
    const result = await reading;
    if (refused)
      expect([name, result]).toEqual([
        name,
        expect.objectContaining({ code: "API_DOCUMENT_UNREADABLE", status: 422, fix: expect.any(String) }),
      ]);
    else expect([name, result]).toEqual([name, "read"]);
    // What is refused by its length needs no thread. A reading in this thread would be one turn.
    if (name !== TOO_LONG) expect([name, turns > 20]).toEqual([name, true]);
  }
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});
