import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DefinitionSchema, DurationSchema, ISO_DURATION, toTransitions } from "./definition.ts";

describe("durations", () => {
  it.each([0, 1, "PT0S", "PT15M", "P1D", "P2W", "P1DT2H3M4.5S", "PT1.5H", "P0.5D"])("takes %j", (duration) => {
    expect(DurationSchema.safeParse(duration).success).toBe(true);
  });

  it.each([
    -1,
    1.5,
    Number.NaN,
    "",
    "P",
    "PT",
    "P1",
    "P1M",
    "P1Y",
    "P1W2D",
    "P1DT",
    "PT1H2D",
    "PT1S2M",
    "-PT1S",
    "PT-1S",
    "pt1s",
    " PT1S",
    "PT1S\n",
    "15M",
    "PT.5S",
    "PT1.S",
    "P1Y2M3DT4H",
  ])("refuses %j", (duration) => {
    expect(DurationSchema.safeParse(duration).success).toBe(false);
  });

  it("is decided in no time, whatever is sent", () => {
    const before = process.cpuUsage();
    for (const text of [`P${"9".repeat(100_000)}`, `PT${"1.".repeat(50_000)}S`, `P${"T".repeat(100_000)}`])
      ISO_DURATION.test(text);
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});

describe("transitions", () => {
  it("are one list in all three forms", () => {
    expect(toTransitions(undefined)).toEqual([]);
    expect(toTransitions("a")).toEqual([{ target: "a" }]);
    expect(toTransitions({ target: "a", reenter: true })).toEqual([{ target: "a", reenter: true }]);
    expect(toTransitions([{ actions: [] }, "b"])).toEqual([{ actions: [] }, { target: "b" }]);
  });
});

/** Every fenced JSON block of the guides and pages that is a definition, or holds one. */
function documented(): [string, unknown][] {
  const docs = new URL("../../../docs/", import.meta.url);
  return readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.startsWith("requirements"))
    .flatMap((path) =>
      [...readFileSync(new URL(path, docs), "utf8").matchAll(/```json\n([\s\S]*?)```/g)].flatMap(
        ([, text = ""], index) => {
          const value = toJson(text);
          const definition = isObject(value) && isObject(value.definition) ? value.definition : value;
          return isObject(definition) && "states" in definition
            ? [[`${path} #${index + 1}`, definition] as [string, unknown]]
            : [];
        },
      ),
    );
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Fragments of definitions are shown, too.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("the definition schema", () => {
  it("is shown by examples in the documentation", () => {
    expect(documented().length).toBeGreaterThan(0);
  });

  it.each(documented())("takes the example of docs/%s", (_name, definition) => {
    expect(DefinitionSchema.safeParse(definition).error?.issues).toBeUndefined();
  });

  it("takes every construct of the canonical form, and hands it on unchanged", () => {
    const guard = {
      type: "all",
      guards: [
        { type: "not", guard: { type: "condition", params: { key: "$.a", operator: "in", value: [1, "x"] } } },
        { type: "cel", params: { expression: "ctx.a > 1" } },
      ],
    };
    const definition = {
      id: "all",
      name: "All",
      type: "compound",
      initial: "work",
      payloadSchema: { type: "object" },
      outputSchema: { $defs: {} },
      context: { __proto__x: 1 },
      on: { stop: ".work" },
      entry: [{ type: "log", params: { level: "warn", message: "m", data: { a: 1 } } }],
      maxToolIterations: 3,
      maxSteps: 9,
      timeoutMs: 5,
      agentConfig: { model: "fast", tools: ["a.b"] },
      memoryConfig: { scope: "agent+user" },
      mcpExport: true,
      streamingEnabled: false,
      meta: { anything: [{}] },
      states: {
        work: {
          type: "parallel",
          label: "W",
          description: "d",
          onDone: [
            { target: "end", guard, actions: [{ type: "assign", params: { path: "$.n", add: 1 } }], reenter: true },
            "end",
          ],
          states: {
            left: {
              initial: "a",
              states: {
                a: {
                  invoke: {
                    src: "core.log",
                    version: 1,
                    input: { message: "{{ $.x }}" },
                    timeoutMs: 1,
                    retry: { maxAttempts: 2, backoff: "fixed" },
                    onDone: "b",
                    onError: { target: "b" },
                  },
                },
                b: { type: "final", output: { $literal: "$.x" } },
                h: { type: "history", history: "deep", target: "a" },
              },
            },
            right: {
              loop: {
                type: "forEach",
                collection: "$.list",
                itemVariable: "it",
                maxIterations: 3,
                concurrency: 2,
                continueOnError: true,
                onLimit: "continue",
                bodyInitial: "x",
                bodyStates: { x: { type: "final" } },
                onDone: "left",
              },
            },
          },
        },
        timed: {
          after: { PT1M: "end", "1000": { target: "end" } },
          on: { go: [{ actions: [{ type: "emit", params: { event: "a.b", payload: null }, guard }] }] },
          always: { target: "end", guard },
          exit: [],
        },
        end: { type: "final", outcome: "done" },
      },
    };
    expect(DefinitionSchema.parse(definition)).toEqual(definition);
  });

  it.each([
    ["an unknown key", { states: {}, stats: 1 }],
    ["an unknown key of a state", { states: { a: { invok: {} } } }],
    ["an empty list of transitions", { states: { a: { always: [] } } }],
    ["an empty `all`", { states: { a: { always: { target: "b", guard: { type: "all", guards: [] } } } } }],
    ["more attempts than 20", { states: { a: { invoke: { src: "x", retry: { maxAttempts: 21 } } } } }],
    ["more steps than 100,000", { states: {}, maxSteps: 100_001 }],
    ["a list of states", { states: [] }],
    ["no states", {}],
  ])("refuses %s", (_name, definition) => {
    expect(DefinitionSchema.safeParse(definition).success).toBe(false);
  });
});

const root = join(import.meta.dirname, "..");
const { exports }: { exports: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** All that other packages can import: files, and folders whose every file is a door. */
const files = Object.values(exports).flatMap((file) =>
  file.endsWith("/*") ? readdirSync(join(root, file.slice(0, -1))).map((name) => file.replace("*", name)) : [file],
);
const doors: Record<string, unknown>[] = await Promise.all(
  files.map((file) => import(pathToFileURL(join(root, file)).href)),
);

describe("every schema of the contract", () => {
  const exported = doors.flatMap((door) => Object.entries(door));
  const schemas = exported.filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);

  it("is found behind the doors", () => {
    expect(schemas.length).toBeGreaterThan(400);
  });

  it.each(schemas)("%s becomes JSON Schema and keeps what it requires", (_name, schema) => {
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    expect(() => JSON.stringify(json)).not.toThrow();
    for (const [, reference = ""] of JSON.stringify(json).matchAll(/"\$ref":"([^"]+)"/g)) {
      const found =
        reference === "#" ||
        reference
          .slice(2)
          .split("/")
          .reduce<unknown>((node, part) => (isObject(node) ? node[part] : undefined), json);
      expect(found, reference).toBeDefined();
    }
    if (!(schema instanceof z.ZodObject)) return;
    const needed = Object.entries(schema.shape).filter(
      ([, field]) => !(field as z.ZodType).safeParse(undefined).success,
    ); // cast: a shape holds schemas
    expect([...(json.required ?? [])].sort()).toEqual(needed.map(([key]) => key).sort());
  });
});
