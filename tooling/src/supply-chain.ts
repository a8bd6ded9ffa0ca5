import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { AUDIT_EXCEPTIONS, audit } from "./supply-chain/audit-gate.ts";
import { readLicences, refusedLicences } from "./supply-chain/licences.ts";
import { runPnpm } from "./supply-chain/run-pnpm.ts";

/*
 * `pnpm supply-chain [--sbom FILE]`: what to run before a release. The lockfile matches the manifests, no installed version has a
 * known weakness (asks the registry), every licence may be used, and the list of parts is written (CycloneDX 1.7, JSON).
 */
const { values } = parseArgs({ options: { sbom: { type: "string", default: "oven-sbom.json" } } });

const STEPS: { name: string; run: () => Promise<string[]> }[] = [
  {
    name: "lockfile",
    run: async () => {
      const { status, stdout, stderr } = await runPnpm("install", "--frozen-lockfile", "--lockfile-only");
      return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
    },
  },
  {
    name: "audit",
    run: async () => {
      const { stops, passes } = await audit(AUDIT_EXCEPTIONS, new Date());
      for (const line of passes) process.stdout.write(`  let pass: ${line}\n`);
      return stops;
    },
  },
  { name: "licences", run: async () => refusedLicences(await readLicences()) },
  {
    name: `list of parts in ${values.sbom}`,
    run: async () => {
      const out = resolve(values.sbom);
      const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application"];
      const { status, stdout, stderr } = await runPnpm("sbom", ...format, "--prod", "--out", out);
      return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
    },
  },
];

for (const { name, run } of STEPS) {
  let problems: string[];
  try {
    problems = await run();
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)];
  }
  process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${name}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
