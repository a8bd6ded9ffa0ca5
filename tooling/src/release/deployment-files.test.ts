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
});
