import { describe, expect, it } from "vitest";
import { fillSecrets } from "./fill-secrets.ts";

const headers = { authorization: { $secret: "shop", prefix: "Bearer " }, "x-plain": "yes" };

describe("secrets in the headers of a call", () => {
  const asked: unknown[] = [];
  const policy = {
    allow: ["http://10.0.0.5:8080"],
    useSecret: async (...args: [number, string, string]) => {
      asked.push(args);
      return "value";
    },
  };

  it("are asked for by tenant, reference and host with its port, and stand after their prefix", async () => {
    const filled = await fillSecrets(new URL("https://api.example.com:8443/x"), { headers, tenantId: 3 }, policy);
    expect(filled).toEqual({ authorization: "Bearer value", "x-plain": "yes" });
    expect(asked).toEqual([[3, "secret:shop", "api.example.com:8443"]]);
  });

  it("do not go over a way that anybody can read, unless the operator allows the origin", async () => {
    const plain = fillSecrets(new URL("http://api.example.com/"), { headers, tenantId: 3 }, policy);
    await expect(plain).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
    const allowed = await fillSecrets(new URL("http://10.0.0.5:8080/"), { headers, tenantId: 3 }, policy);
    expect(allowed.authorization).toBe("Bearer value");
  });

  it("are not sent in a header that cannot carry them, and the error does not say them", async () => {
    const odd = { ...policy, useSecret: async () => "pässwörd" };
    const error = await fillSecrets(new URL("https://api.example.com/"), { headers, tenantId: 3 }, odd).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "OUTBOUND_REFUSED", message: expect.stringContaining("The secret shop") });
    expect(String(error)).not.toContain("pässwörd");
  });

  it("belong to somebody", async () => {
    const nobody = fillSecrets(new URL("https://api.example.com/"), { headers }, policy);
    await expect(nobody).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
  });
});
