import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { parser } from "@prometheus-io/lezer-promql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { installedModules } from "./modules.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const RulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const DashboardSchema = z.looseObject({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) })),
});

/** What a PromQL expression names; `problems` are the places that do not parse. */
function namesIn(expression: string): { metrics: string[]; labels: string[]; problems: string[] } {
  const found = { metrics: new Set<string>(), labels: new Set<string>(), problems: new Set<string>() };
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      const text = expression.slice(from, to);
      if (type.isError) found.problems.add(expression.slice(Math.max(0, from - 10), to + 10));
      if (type.name === "Identifier") found.metrics.add(text);
      if (type.name === "LabelName") found.labels.add(text);
    },
  });
  return { metrics: [...found.metrics], labels: [...found.labels], problems: [...found.problems] };
}

const rules = RulesSchema.parse(parseYaml(read("ops/prometheus/oven.rules.yml"))).groups.flatMap(
  (group) => group.rules,
);
const { panels } = DashboardSchema.parse(JSON.parse(read("ops/grafana/oven.json")));
/** Grafana puts a duration in its place. */
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")));
const expressions = [...rules.map(({ expr }) => expr), ...queries];
/** Prometheus makes it itself, for every target; the labels of a target are its own, too. */
const OF_PROMETHEUS = ["up"];
const LABELS_OF_PROMETHEUS = ["job", "instance"];

describe("alert rules and the dashboard", () => {
  let oven: TestOven;
  /** By name of a series: its labels. */
  const exposed = new Map<string, Set<string>>();
  beforeAll(async () => {
    oven = await startTestOven({
      createRuntime,
      modules: installedModules({ demo: false }),
      environment: { dataDir: ROOT },
    });
    const budget = await oven.call("POST", "ai-budgets", {
      name: "All",
      scope: "tenant",
      target: null,
      period: "day",
      limitMicros: null,
      limitTokens: 1000,
      action: "block",
    });
    expect(budget.status, JSON.stringify(budget.body)).toBe(201);
    const answer = await oven.call("POST", "ai/generate", {
      model: "simulated:echo",
      messages: [{ role: "user", content: "a word or two" }],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await oven.call("POST", "workflows", {
      name: "Fails",
      definition: { initial: "fail", states: { fail: { invoke: { src: "core.fail", input: { message: "no" } } } } },
    });
    await oven.call("POST", "workflows/fails/execute?wait=20", {});
    const text = await (await oven.fetch("metrics")).text();
    for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_0-9]+)(?:\{([^}]*)\})? /gm)) {
      const known = exposed.get(name) ?? new Set<string>();
      exposed.set(name, known);
      for (const [, label = ""] of labels.matchAll(/([a-z_0-9]+)="/g)) known.add(label);
    }
    // Declared without a sample yet: `# TYPE name counter`.
    for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
      for (const suffix of type === "histogram" ? ["_bucket", "_sum", "_count"] : [""])
        if (!exposed.has(name + suffix)) exposed.set(name + suffix, new Set());
  });
  afterAll(() => oven.stop());

  it("parse as PromQL", () => {
    expect(expressions.length).toBeGreaterThan(30);
    expect(expressions.flatMap((expression) => namesIn(expression).problems)).toEqual([]);
    expect(namesIn("max(oven_workers_live) < ").problems).not.toEqual([]);
    expect(namesIn('sum by (kind) (rate(oven_x{status="failed"}[5m]))')).toMatchObject({
      metrics: ["oven_x"],
      labels: ["kind", "status"],
    });
  });

  it("name no metric that /api/metrics does not expose, with its labels", () => {
    for (const expression of expressions) {
      const { metrics, labels } = namesIn(expression);
      expect(metrics.length, expression).toBeGreaterThan(0);
      const unknown = metrics.filter((name) => !exposed.has(name) && !OF_PROMETHEUS.includes(name));
      expect(unknown, expression).toEqual([]);
      // A series without a sample shows no labels; every one that is asked for by a label has one here.
      const known = new Set([...LABELS_OF_PROMETHEUS, ...metrics.flatMap((name) => [...(exposed.get(name) ?? [])])]);
      const sampled = metrics.some((name) => (exposed.get(name)?.size ?? 0) > 0);
      if (sampled)
        expect(
          labels.filter((label) => !known.has(label)),
          expression,
        ).toEqual([]);
    }
  });

  it("are about everything of OVEN's own that is exposed, in one place or the other", () => {
    const used = new Set(expressions.flatMap((expression) => namesIn(expression).metrics));
    const own = [...exposed.keys()].filter((name) => name.startsWith("oven_") && !/_(sum|count)$/.test(name));
    expect(own.filter((name) => !used.has(name))).toEqual([]);
  });

  it("measure everything: nothing is unread", async () => {
    const text = await (await oven.fetch("metrics")).text();
    expect(text).toContain("\noven_gauges_unread 0\n");
    expect(text).toMatch(/\noven_workers_live 1\n/);
    expect(text).toContain("\noven_database_writable 1\n");
    expect(text).toMatch(/\noven_data_dir_free_bytes [1-9]/);
    expect(text).toMatch(/\noven_model_budget_used_ratio\{scope="tenant",period="day"\} [0-9.]+\n/);
    expect(text).toMatch(/\noven_workflow_runs_ended_total\{kind="workflow",workflow_id="\d+",status="failed"\} 1\n/);
  });

  it("each lead to a section of the runbook", () => {
    const headings = [...read("docs/guides/operate.md").matchAll(/^##+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    for (const { alert, annotations } of rules) {
      const [page, anchor = ""] = annotations.runbook.split("#");
      expect(page).toBe("docs/guides/operate.md");
      expect(headings, alert).toContain(anchor);
    }
  });
});
