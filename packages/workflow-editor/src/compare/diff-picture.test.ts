import { expect, it } from "vitest";
import { drawDiff } from "./diff-picture.ts";

const TONES = ["canvas", "surface", "sunken", "border", "text", "muted", "edge", "failed", "completed"] as const;
const KINDS = ["model", "tool", "memory", "human", "data", "flow", "child"] as const;
const options = {
  colours: {
    ...(Object.fromEntries(TONES.map((tone) => [tone, "#777"])) as Record<(typeof TONES)[number], string>), // cast: of all tones
    kind: Object.fromEntries(KINDS.map((kind) => [kind, "#777"])) as Record<(typeof KINDS)[number], string>, // cast: of all kinds
  },
  marks: { added: "#0a0", removed: "#a00", changed: "#aa0", moved: "#00a" },
};
const before = {
  initial: "a",
  states: {
    a: { invoke: { src: "agent.llm", input: { prompt: "x" }, onDone: "b" } },
    b: { always: "c" },
    c: { type: "final" },
  },
};
const after = {
  initial: "a",
  states: {
    a: { invoke: { src: "agent.llm", input: { prompt: "y" }, onDone: "d" } },
    d: { always: "c" },
    c: { type: "final" },
  },
};
const titles = (svg: string) => [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title).toSorted();

it("draws both definitions as one, each change with its sign and stroke, without a browser", async () => {
  const { svg } = await drawDiff(before, after, { ...options, prefix: "x-", label: "The change" });
  expect(titles(svg)).toEqual(["added: ", "added: ", "added: d", "changed: a", "removed: ", "removed: ", "removed: b"]);
  expect(svg).toContain('stroke="#a00" stroke-width="3" stroke-dasharray="7 5"');
  expect(svg).toContain('role="img" aria-label="The change"');
  const ids = [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids.every((id) => id?.startsWith("x-"))).toBe(true);
  for (const [, id] of svg.matchAll(/url\(#([^)]*)\)/g)) expect(ids).toContain(id);
});

it("leaves every state where its author put it", async () => {
  const positions = { a: { x: 0, y: 0 }, b: { x: 400, y: 900 }, c: { x: 800, y: 0 } };
  const { height } = await drawDiff({ ...before, meta: { positions } }, { ...before, meta: { positions } }, options);
  expect(height).toBeGreaterThan(900);
});

it("draws what is only on one side", async () => {
  expect(titles((await drawDiff({}, after, options)).svg)).toContain("added: a");
  expect(titles((await drawDiff(before, {}, options)).svg)).toContain("removed: a");
});
