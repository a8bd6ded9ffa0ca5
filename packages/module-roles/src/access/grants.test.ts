import { intersectPermissions, type Principal } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { requireAll } from "./grants.ts";

describe("what a key may do", () => {
  it.each([
    [["*"], ["*"], ["*"]],
    [["*"], ["a.read", "b.*"], ["a.read", "b.*"]],
    [["a.*"], ["*"], ["a.*"]],
    [["a.*"], ["a.read", "b.read"], ["a.read"]],
    [["a.read", "a.write"], ["a.*"], ["a.read", "a.write"]],
    [["a.read"], ["b.*"], []],
    [["a.read"], [], []],
    [[], ["*"], []],
    [["ab.read"], ["a.*"], []],
    [["constructor.read"], ["*"], ["constructor.read"]],
  ])("is what its scopes %j and its owner's %j share: %j", (scopes, granted, both) => {
    expect(intersectPermissions(scopes, granted)).toEqual(both);
  });
});

describe("handing on permissions", () => {
  const principal = (permissions: string[]): Principal => ({ kind: "user", userId: 1, tenantId: 1, permissions });
  it.each([
    [["a.*"], ["a.read", "a.*"], true],
    [["a.*"], ["*"], false],
    [["a.read"], ["a.*"], false],
    [["a.read"], [], true],
    [["*"], ["*"], true],
  ])("with %j of %j is allowed: %s", (own, given, allowed) => {
    const act = () => requireAll(principal(own), given, "$.roles");
    if (allowed) expect(act).not.toThrow();
    else expect(act).toThrow(expect.objectContaining({ code: "FORBIDDEN", status: 403, path: "$.roles" }));
  });
});
