import { describe, expect, it } from "vitest";
import { readLicences, refusedLicences } from "./licences.ts";

const of = (licence: string, name = "left-pad") => refusedLicences({ [licence]: [{ name, versions: ["1.0.0"] }] });

describe("the licences of what is installed", () => {
  it("may all be used", async () => {
    const report = await readLicences();
    expect(Object.values(report).flat().length).toBeGreaterThan(300);
    expect(refusedLicences(report)).toEqual([]);
  });

  it.each([
    "GPL-3.0-only",
    "AGPL-3.0",
    "SSPL-1.0",
    "BUSL-1.1",
    "Unknown",
    "SEE LICENSE IN LICENSE.md",
    "MIT AND GPL-2.0",
  ])("are refused: %s", (licence) => {
    expect(of(licence)).toEqual([`left-pad@1.0.0: ${licence}`]);
  });

  it.each(["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC", "(MPL-2.0 OR Apache-2.0)"])("are taken: %s", (licence) => {
    expect(of(licence)).toEqual([]);
  });

  it("are excepted for one package under one licence only", () => {
    expect(of("EPL-2.0 OR GPL-3.0-or-later", "elkjs")).toEqual([]);
    expect(of("EPL-2.0 OR GPL-3.0-or-later", "other")).toHaveLength(1);
    expect(of("GPL-3.0-or-later", "elkjs")).toHaveLength(1);
  });
});
