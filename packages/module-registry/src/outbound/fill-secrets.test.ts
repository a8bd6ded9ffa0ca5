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
    expect(filled.headers).toEqual({ authorization: "Bearer value", "x-plain": "yes" });
    expect(asked).toEqual([[3, "secret:shop", "api.example.com:8443"]]);
  });

  it("do not go over a way that anybody can read, unless the operator allows the origin", async () => {
    const plain = fillSecrets(new URL("http://api.example.com/"), { headers, tenantId: 3 }, policy);
    await expect(plain).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
    const allowed = await fillSecrets(new URL("http://10.0.0.5:8080/"), { headers, tenantId: 3 }, policy);
    expect(allowed.headers.authorization).toBe("Bearer value");
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

describe("secrets in the URL of a call", () => {
  const values: Record<string, string> = { bot: "123456:ABC/d e+f", key: "k&y=ü?#/", dots: ".." };
  const policy = {
    allow: [],
    useSecret: async (_tenant: number, reference: string) => values[reference.replace("secret:", "")] ?? "",
  };
  const fill = async (url: string, more: Partial<Parameters<typeof fillSecrets>[1]>) =>
    (await fillSecrets(url, { tenantId: 3, ...more }, policy)).url.href;
  const bot = { token: { $secret: "bot" } };

  it("stand in the path as a part of one segment", async () => {
    expect(await fill("https://api.example.com/bot{token}/send?to=1", { urlSecrets: bot })).toBe(
      "https://api.example.com/bot123456:ABC%2Fd%20e%2Bf/send?to=1",
    );
  });

  it("stand in the query as one value, wherever they are named", async () => {
    const urlSecrets = { key: { $secret: "key", prefix: "v1 " } };
    const href = await fill("https://api.example.com/?a={key}&b={key}&c={other}", {
      urlSecrets,
      query: { d: { $secret: "bot" }, e: "x y" },
    });
    expect([...new URL(href).searchParams]).toEqual([
      ["a", "v1 k&y=ü?#/"],
      ["b", "v1 k&y=ü?#/"],
      ["c", "{other}"],
      ["d", "123456:ABC/d e+f"],
      ["e", "x y"],
    ]);
    expect(new URL(href).hash).toBe("");
  });

  it("leave a name in braces that is no secret as it is", async () => {
    expect(await fill("https://api.example.com/{a}/{token}?q={b}", { urlSecrets: { token: { $secret: "bot" } } })).toBe(
      "https://api.example.com/%7Ba%7D/123456:ABC%2Fd%20e%2Bf?q={b}",
    );
  });

  it("do not lead the path elsewhere, and the error does not say them", async () => {
    const error = await fill("https://api.example.com/a/{dots}/b", { urlSecrets: { dots: { $secret: "dots" } } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "OUTBOUND_REFUSED", message: expect.stringContaining("the URL") });
    expect(String(error)).not.toContain("..");
  });

  it.each([
    ["https://{token}.example.com/", "may stand in"],
    ["https://api.example.com:{token}/", "may stand in"],
    ["https://{token}@api.example.com/", "may stand in"],
    ["https://a:{token}@api.example.com/{token}", "may stand in"],
    ["{token}://api.example.com/", "may stand in"],
    ["https:\\\\{token}\\x", "may stand in"],
    ["https://api.example.com/#{token}", "may stand in"],
    ["https://api.example.com/{token}/../x", "may stand in"],
    ["https://api.example.com/{Token}", "has no {token}"],
  ])("are refused in %s, with the place and what to do", async (url, message) => {
    await expect(fill(url, { urlSecrets: bot })).rejects.toMatchObject({
      code: "OUTBOUND_REFUSED",
      path: "$.urlSecrets.token",
      message: expect.stringContaining(message),
      fix: expect.any(String),
    });
  });

  it("go to whom they belong, and over https only", async () => {
    const url = "http://api.example.com/{token}";
    await expect(fill(url, { urlSecrets: bot })).rejects.toMatchObject({ path: "$.urlSecrets.token" });
    const query = { key: { $secret: "key" } };
    await expect(fill("http://api.example.com/", { query })).rejects.toMatchObject({ path: "$.query.key" });
    const nobody = fillSecrets("https://api.example.com/{token}", { urlSecrets: bot }, policy);
    await expect(nobody).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
  });
});
