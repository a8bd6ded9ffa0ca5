import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { type AuditReport, askRegistry, judgeReport } from "./audit-gate.ts";

const ADVISORY = "GHSA-aaaa-bbbb-cccc";
const EXCEPTION = { advisory: ADVISORY, why: "That function is never called.", until: "2030-01-01" };
const BEFORE = new Date("2029-12-31");
/** Weaknesses of a package that OVEN uses. */
const KNOWN = [
  { id: 1, severity: "high", advisory: "GHSA-hhhh-hhhh-hhhh" },
  { id: 2, severity: "critical", advisory: ADVISORY },
  { id: 3, severity: "low", advisory: "GHSA-llll-llll-llll" },
].map(({ id, severity, advisory }) => ({
  id,
  severity,
  title: "Bad",
  url: `https://github.com/advisories/${advisory}`,
  vulnerable_versions: "<99.0.0",
  cwe: [],
  cvss: { score: 7 },
}));

/** Asks a registry that knows these weaknesses, or answers with a status. */
async function ask(status = 200): Promise<AuditReport> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ zod: KNOWN }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    // cast: listening on TCP
    return await askRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
  }
}

describe("the audit gate", () => {
  let report: AuditReport;
  beforeAll(async () => {
    report = await ask();
  });
  const weaknesses = (exceptions: (typeof EXCEPTION)[] = [], now = BEFORE) => judgeReport(report, exceptions, now);
  const HIGH = expect.stringMatching(/^high: zod@[\d.]+: Bad \(https:.*GHSA-hhhh-hhhh-hhhh\)$/);
  const CRITICAL = expect.stringMatching(/^critical: zod@[\d.]+: Bad \(https:.*GHSA-aaaa-bbbb-cccc\)$/);
  const LOW = expect.stringMatching(/^low: zod@[\d.]+: Bad \(https:.*GHSA-llll-llll-llll\)$/);

  it("stops at a known weakness, and shows what is of low severity", () => {
    expect(weaknesses()).toEqual({ stops: [HIGH, CRITICAL], passes: [LOW] });
  });

  it("lets it pass with an exception, and says why", () => {
    const passes = [expect.stringMatching(/^critical: .*until 2030-01-01: That function is never called\.$/), LOW];
    expect(weaknesses([EXCEPTION])).toEqual({ stops: [HIGH], passes });
  });

  it("stops again on the day the exception ends", () => {
    const ended = expect.stringMatching(/^critical: .*its exception ended on 2030-01-01$/);
    expect(weaknesses([EXCEPTION], new Date("2030-01-01"))).toEqual({ stops: [HIGH, ended], passes: [LOW] });
  });

  it("has not passed when the registry gives no audit", async () => {
    await expect(ask(405)).rejects.toThrow("the registry gave no audit");
  });
});
