import { describe, expect, it } from "vitest";
import { ImportMeasurement } from "./measure-imports.ts";

const n8n = (...nodes: object[]) =>
  JSON.stringify({
    name: "Measured",
    nodes: [{ name: "Start", type: "n8n-nodes-base.manualTrigger" }, ...nodes],
    connections: { Start: { main: [[{ node: "Next", type: "main", index: 0 }]] } },
  });

describe("ImportMeasurement", () => {
  it("counts what is carried over, why not, and what is refused", async () => {
    const measurement = new ImportMeasurement();
    await measurement.add({ name: "whole.json", text: n8n({ name: "Next", type: "n8n-nodes-base.noOp" }) });
    await measurement.add({ name: "open.json", text: n8n({ name: "Next", type: "unheard.of" }) });
    await measurement.add({ name: "other.json", text: '{"name": "something else"}' });
    const lines = measurement.lines(5);
    expect(lines).toEqual([
      "n8n: 2 files imported",
      "  need no step to be filled: 1 (50.0 %)",
      "  need nothing at all: 1 (50.0 %)",
      "  nodes carried over: 3 (75.0 %), placeholders 1 (25.0 %), left out 0 (0.0 %)",
      "      1 × unheard.of",
      "      1 × unheard.of: there is no node here that does the same",
      expect.stringMatching(/^refused 1 × SOURCE_INVALID: .*it has name \(other\.json\)$/),
      expect.stringMatching(/^3 files: p50 [\d.]+ ms, p95 [\d.]+ ms, slowest [\d.]+ ms$/),
      "0 lost a node or a connection, or broke the import",
    ]);
    expect(measurement.violations).toEqual([]);
  });
});
