import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

/* What starts OVEN elsewhere. No engine runs these files here, so what they name is compared with what there is. */
const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const FILES = [
  "Containerfile",
  "compose.yaml",
  ...globSync("ops/{systemd,helm}/**/*.{service,yaml,tpl}", { cwd: root }),
];
const commands = [...read("apps/cli/src/oven.ts").matchAll(/^ {2}"?([\w-]+)"?: async/gm)].map(([, name]) => name);
/** Of others: PostgreSQL's image. */
const FOREIGN = ["POSTGRES_PASSWORD", "POSTGRES_USER", "POSTGRES_DB"];

it.each(FILES)("%s names settings that the README has", (path) => {
  const settings = new Set([...read("README.md").matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));
  const named = [...read(path).matchAll(/\b((?:OVEN|DATABASE|POSTGRES|OPENAI)_[A-Z0-9_]+)\b/g)].map(
    ([, name]) => name ?? "",
  );
  expect(named.filter((name) => !settings.has(name) && !FOREIGN.includes(name))).toEqual([]);
});

it("names commands that `oven` has", () => {
  const started = FILES.flatMap((path) => [
    ...[...read(path).matchAll(/^ExecStart=\S+ oven (\S+)$/gm)].map(([, name]) => name),
    ...[...read(path).matchAll(/^\s*(?:args|command|CMD)[: ]*\["?([\w-]+)"?\]$/gm)].map(([, name]) => name),
  ]);
  expect(started.toSorted()).toEqual(["start", "start", "start", "worker", "worker", "worker"]);
  expect(started.filter((name) => !commands.includes(name))).toEqual([]);
});

it("gives a process longer to stop than its calls in flight get", () => {
  const drain = read("packages/installation/src/environment.ts");
  const of = (name: string) => Number(new RegExp(`^const ${name}_DRAIN_SECONDS = (\\d+);`, "m").exec(drain)?.[1]);
  const { services } = parse(read("compose.yaml"), { merge: true });
  const graces = [
    [
      of("SERVER"),
      services.server.stop_grace_period,
      /TimeoutStopSec=(\d+)/.exec(read("ops/systemd/oven.service"))?.[1],
    ],
    [
      of("WORKER"),
      services.worker.stop_grace_period,
      /TimeoutStopSec=(\d+)/.exec(read("ops/systemd/oven-worker.service"))?.[1],
    ],
  ] as const;
  for (const [seconds, ...given] of graces) {
    expect(seconds).toBeGreaterThan(0);
    for (const grace of given) expect(Number.parseInt(grace ?? "", 10)).toBeGreaterThan(seconds + 5);
  }
});

it("has a read-only file system and no rights in each container, and a server that leaves runs to the worker", () => {
  const { services } = parse(read("compose.yaml"), { merge: true });
  for (const service of [services.server, services.worker])
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], tmpfs: ["/tmp"] });
  expect(services.server.environment.OVEN_WORKER).toBe("0");
  expect(services.worker.environment).toMatchObject({
    OVEN_WORKER: "1",
    DATABASE_URL: services.server.environment.DATABASE_URL,
  });
});

it("a container checks addresses that answer", () => {
  expect(read("Containerfile")).toContain("/api/health");
  expect(read("packages/module-registry/src/routes.ts")).toContain('path: "health"');
  const worker = read("apps/worker/src/health-server.ts");
  for (const path of ["/health", "/health/ready", "/health/live"]) expect(worker).toContain(`"${path}"`);
  const probed = [...read("ops/helm/oven/templates/server.yaml").matchAll(/path: (\/[\w/]+), port: http/g)];
  expect(probed.map(([, path]) => path)).toEqual(["/api/health", "/ready"]);
  expect(read("apps/dashboard/server/probes.ts")).toContain('"/ready"');
});

const CHART = join(root, "ops/helm/oven");
const templates = globSync("templates/*", { cwd: CHART }).map((path) => readFileSync(join(CHART, path), "utf8"));

/** Names of all values, as templates write them: `server.replicas`. A value that is passed on whole has no names below it. */
function namesOf(values: Record<string, unknown>, before = ""): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const nested = typeof value === "object" && value !== null && Object.keys(value).length > 0 && name !== "resources";
    // cast: an object of YAML
    return nested ? namesOf(value as Record<string, unknown>, `${before}${name}.`) : [`${before}${name}`];
  });
}

it("a chart has the values that its templates name, and no others, and what they include", () => {
  const named = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name]) => name));
  const values = namesOf(parse(readFileSync(join(CHART, "values.yaml"), "utf8")));
  expect([...new Set(named)].toSorted()).toEqual(values.toSorted());
  const namesAfter = (word: string) =>
    templates.flatMap((text) =>
      [...text.matchAll(new RegExp(`\\{\\{-? ?${word} "([\\w.]+)"`, "g"))].map(([, name]) => name),
    );
  expect(new Set(namesAfter("include"))).toEqual(new Set(namesAfter("define")));
});

it("templates of the chart close what they open, and are YAML but for what is put in", () => {
  for (const text of templates) {
    const actions = [...text.matchAll(/\{\{-?\s*(.*?)\s*-?\}\}/gs)].map(([, action = ""]) => action);
    expect(text.split("{{")).toHaveLength(actions.length + 1);
    const opened = actions.filter((action) => /^(?:if|with|range|define)\b/.test(action)).length;
    expect(actions.filter((action) => action === "end")).toHaveLength(opened);
    if (opened > 0 && text.includes("define ")) continue;
    const filled = text
      // What becomes lines of its own, or says whether lines are there.
      .replaceAll(/^\s*\{\{-? ?(?:include|if|with|range|end)\b.*\}\}\n/gm, "")
      .replaceAll(/^\s*- name: OVEN_\w+\n\s*value: .*\n/gm, "")
      .replaceAll(/\{\{-? ?toYaml .*?\}\}/g, " {}")
      .replaceAll(/\{\{-? ?include "oven.security".*?\}\}/g, " {}")
      .replaceAll(/\{\{.*?\}\}/g, "filled");
    for (const document of filled.split("---\n")) expect(parse(document)).toMatchObject({ kind: expect.any(String) });
  }
});

it("an image starts as an ordinary user, from stages that it has", () => {
  const lines = read("Containerfile").split("\n");
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const stages = of("FROM").flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? []);
  for (const copied of of("COPY")) {
    const [, stage] = /^--from=(\w+)/.exec(copied) ?? [];
    if (stage !== undefined) expect(stages).toContain(stage);
  }
  expect(of("USER")).toEqual(["node"]);
  expect(lines.findLastIndex((line) => line.startsWith("USER "))).toBeGreaterThan(
    lines.findLastIndex((line) => /^(?:FROM|RUN|COPY) /.test(line)),
  );
  expect([of("ENTRYPOINT"), of("CMD"), of("STOPSIGNAL")]).toEqual([['["oven"]'], ['["start"]'], ["SIGTERM"]]);
});

const UNITS = globSync("ops/systemd/*.service", { cwd: root });
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
it.skipIf(!hasSystemd).each(UNITS)("systemd accepts %s", (path) => {
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(root, path)], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
