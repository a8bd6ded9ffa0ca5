import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { audit } from "./audit-gate.ts";

const ADVISORY = "GHSA-aaaa-bbbb-cccc";
const EXCEPTION = { advisory: ADVISORY, why: "That function is never called.", until: "2030-01-01" };
const BEFORE = new Date("2029-12-31");

describe("the audit gate", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** A registry that knows one weakness of a package that OVEN uses, or answers with a status. */
  async function registry(severity: string | number): Promise<string> {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(typeof severity === "number" ? severity : 200, { "content-type": "application/json" });
      const known = { id: 1, url: `https://github.com/advisories/${ADVISORY}`, title: "Bad", severity };
      response.end(
        JSON.stringify({ zod: [{ ...known, vulnerable_versions: "<99.0.0", cwe: [], cvss: { score: 7 } }] }),
      );
    });
    await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
    // cast: listening on TCP
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  async function ask(severity: string | number, exceptions = [] as (typeof EXCEPTION)[], now = BEFORE) {
    return audit(exceptions, now, await registry(severity));
  }

  it("stops at a known weakness", async () => {
    const { stops, passes } = await ask("high");
    expect(stops).toEqual([expect.stringMatching(/^high: zod@[\d.]+: Bad \(https:.*GHSA-aaaa-bbbb-cccc\)$/)]);
    expect(passes).toEqual([]);
  });

  it("lets it pass with an exception, and says why", async () => {
    const { stops, passes } = await ask("critical", [EXCEPTION]);
    expect(stops).toEqual([]);
    expect(passes).toEqual([expect.stringContaining("until 2030-01-01: That function is never called.")]);
  });

  it("stops again on the day the exception ends", async () => {
    const { stops } = await ask("critical", [EXCEPTION], new Date("2030-01-01"));
    expect(stops).toEqual([expect.stringContaining("its exception ended on 2030-01-01")]);
  });

  it("shows what is of low severity", async () => {
    expect(await ask("low")).toEqual({ stops: [], passes: [expect.stringContaining("low: zod")] });
  });

  it("has not passed when the registry gives no audit", async () => {
    await expect(ask(405)).rejects.toThrow("the registry gave no audit");
  });
});
