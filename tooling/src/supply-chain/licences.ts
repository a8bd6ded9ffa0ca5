import { z } from "zod";
import { runPnpm } from "./run-pnpm.ts";

/** What `pnpm licenses list --json` prints: packages by the SPDX expression of their licence. */
const ReportSchema = z.record(z.string(), z.array(z.object({ name: z.string(), versions: z.array(z.string()) })));
export type LicenceReport = z.infer<typeof ReportSchema>;

/** Permissive, or weak enough for a package that is used as it was published. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
]);

/** Packages whose licence is not on the list, and why they may be used all the same. */
const EXCEPTIONS: { package: RegExp; licence: string; why: string }[] = [
  {
    package: /^elkjs$/,
    licence: "EPL-2.0 OR GPL-3.0-or-later",
    why: "Used under EPL-2.0, unchanged, as a file of its own in a worker.",
  },
  {
    package: /^@img\/sharp-libvips-/,
    licence: "LGPL-3.0-or-later",
    why: "An optional shared library of Next.js, linked at run time and never called by OVEN.",
  },
];

/** Whether an SPDX expression can be met with the list: one side of each OR, both of each AND. */
function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, " ");
  return plain
    .split(/\bOR\b/)
    .some((choice) => choice.split(/\bAND\b/).every((licence) => ALLOWED.has(licence.trim())));
}

/** @returns a line for each package that may not be used, with its licence */
export function refusedLicences(report: LicenceReport): string[] {
  return Object.entries(report).flatMap(([licence, packages]) =>
    isAllowed(licence)
      ? []
      : packages
          .filter(({ name }) => !EXCEPTIONS.some((known) => known.package.test(name) && known.licence === licence))
          .map(({ name, versions }) => `${name}@${versions.join(", ")}: ${licence}`),
  );
}

/** The licences of every package that is installed. */
export async function readLicences(): Promise<LicenceReport> {
  const { status, stdout, stderr } = await runPnpm("-r", "licenses", "list", "--json");
  if (status !== 0) throw new Error(`pnpm licenses: ${stdout}${stderr}`);
  return ReportSchema.parse(JSON.parse(stdout));
}
