import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dropEmptyVariables, readEnvironment, readWorkerEnvironment, secretsOf } from "./environment.ts";
import { installedModules } from "./modules.ts";

const readOrigins = (text: string | undefined) =>
  readEnvironment({ NODE_ENV: "test", OVEN_SECRET: "s".repeat(32), OVEN_OUTBOUND_ALLOW: text }, true).outboundAllow;

it("takes exact origins that outbound calls may reach", () => {
  expect(readOrigins(undefined)).toEqual([]);
  expect(readOrigins(" http://10.0.0.5:8080, https://Intranet.example ,")).toEqual([
    "http://10.0.0.5:8080",
    "https://intranet.example",
  ]);
});

it.each(["10.0.0.5:8080", "http://10.0.0.5/path", "ftp://10.0.0.5", "http://*.example/", "http://user@10.0.0.5", "*"])(
  "refuses %s with one clear line",
  (text) => {
    expect(() => readOrigins(text)).toThrow(
      expect.objectContaining({
        code: "INVALID_ENVIRONMENT",
        message: expect.stringMatching(/^OVEN_OUTBOUND_ALLOW: /),
      }),
    );
  },
);

const readProxies = (text: string | undefined) =>
  readEnvironment({ OVEN_SECRET: "s".repeat(32), OVEN_TRUSTED_PROXIES: text }, true).trustedProxies;

it("takes addresses and ranges of reverse proxies, of both families", () => {
  expect(readProxies(undefined)).toEqual([]);
  expect(readProxies(" 10.0.0.1, 192.168.0.0/16,2001:db8::/32 ,")).toEqual([
    "10.0.0.1",
    "192.168.0.0/16",
    "2001:db8::/32",
  ]);
});

it.each(["proxy.example", "10.0.0.1:80", "10.0.0.0/33", "10.0.0.1, *"])("trusts no proxy named %s", (text) => {
  expect(() => readProxies(text)).toThrow(
    expect.objectContaining({
      code: "INVALID_ENVIRONMENT",
      message: expect.stringMatching(/^OVEN_TRUSTED_PROXIES: .+ is not an address or range/),
    }),
  );
});

const SECRET = "s".repeat(32);
const DATABASE_URL = "postgres://oven@db.example/oven";

it("takes earlier secrets, each as long as the present one", () => {
  const read = (text?: string) => readEnvironment({ OVEN_SECRET: SECRET, OVEN_SECRET_PREVIOUS: text }, true);
  expect(read().previousSecrets).toEqual([]);
  expect(read(`${"a".repeat(32)}, ${"b".repeat(40)}`).previousSecrets).toEqual(["a".repeat(32), "b".repeat(40)]);
  expect(() => read(`${"a".repeat(32)},short`)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^OVEN_SECRET_PREVIOUS/) }),
  );
});

it("signs in at a provider with all three settings, and not with some of them", () => {
  const settings = {
    OVEN_OIDC_ISSUER: "https://id.example.com",
    OVEN_OIDC_CLIENT_ID: "oven",
    OVEN_OIDC_CLIENT_SECRET: "a client's secret",
  };
  const read = (more: object) => readEnvironment({ OVEN_SECRET: SECRET, ...more }, true).oidc;
  expect(read({})).toBeUndefined();
  expect(read(settings)).toEqual({
    issuer: "https://id.example.com",
    clientId: "oven",
    clientSecret: "a client's secret",
  });
  for (const missing of Object.keys(settings))
    expect(() => read({ ...settings, [missing]: undefined })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^OVEN_OIDC_ISSUER: /) }),
    );
});

it("mail needs a server and a sender, or neither", () => {
  const settings = {
    OVEN_SMTP_URL: "smtps://oven:a%20secret@mail.example.com",
    OVEN_MAIL_FROM: "OVEN <oven@example.com>",
  };
  const read = (more: object) => readEnvironment({ OVEN_SECRET: SECRET, ...more }, true).mail;
  expect(read({})).toBeUndefined();
  expect(read(settings)).toEqual({ url: settings.OVEN_SMTP_URL, from: settings.OVEN_MAIL_FROM });
  expect(read({ ...settings, OVEN_MAIL_FROM: "oven@example.com" })?.from).toBe("oven@example.com");
  for (const [name, wrong] of [
    ["OVEN_SMTP_URL", undefined],
    ["OVEN_SMTP_URL", "https://mail.example.com"],
    ["OVEN_MAIL_FROM", "OVEN"],
    ["OVEN_MAIL_FROM", "OVEN <oven@example.com>\nBcc: eve@example.com"],
  ] as const)
    expect(() => read({ ...settings, [name]: wrong })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${name}: `)) }),
    );
});

describe("who works on runs", () => {
  it("is the server itself, unless it leaves the work to others", () => {
    expect(readEnvironment({ OVEN_SECRET: SECRET }, false).worker).toEqual({
      enabled: true,
      concurrency: 50,
      drainMs: 8_000,
    });
    const other = readEnvironment({ OVEN_SECRET: SECRET, OVEN_WORKER: "0", DATABASE_URL }, false);
    expect(other.worker.enabled).toBe(false);
  });

  it("cannot be others on the embedded database", () => {
    expect(() => readEnvironment({ OVEN_SECRET: SECRET, OVEN_WORKER: "0" }, false)).toThrow(
      expect.objectContaining({ code: "INVALID_ENVIRONMENT", message: expect.stringMatching(/^OVEN_WORKER: .+$/) }),
    );
    expect(() => readWorkerEnvironment({ OVEN_SECRET: SECRET })).toThrow(
      expect.objectContaining({ code: "INVALID_ENVIRONMENT", message: expect.stringMatching(/^DATABASE_URL: .+$/) }),
    );
  });

  it("is told how much, how long, and where to show its health", () => {
    const environment = readWorkerEnvironment({
      OVEN_SECRET: SECRET,
      DATABASE_URL,
      DATABASE_URL_DIRECT: "postgres://oven@direct.example/oven",
      OVEN_WORKER: "0",
      OVEN_WORKER_PORT: "9000",
      OVEN_WORKER_CONCURRENCY: "7",
      OVEN_DRAIN_SECONDS: "1.5",
    });
    expect(environment).toMatchObject({
      worker: { enabled: true, concurrency: 7, drainMs: 1_500 },
      healthPort: 9_000,
      databaseUrl: DATABASE_URL,
      databaseUrlDirect: "postgres://oven@direct.example/oven",
      production: true,
    });
    expect(readWorkerEnvironment({ OVEN_SECRET: SECRET, DATABASE_URL })).toMatchObject({
      worker: { drainMs: 25_000 },
      healthPort: undefined,
    });
  });

  it("must have the server's secret: a worker makes none", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "oven-environment-"));
    const read = () => readWorkerEnvironment({ DATABASE_URL, OVEN_DATA_DIR: dataDir });
    expect(read).toThrow(expect.objectContaining({ message: expect.stringMatching(/^OVEN_SECRET: .+$/) }));
    const made = readEnvironment({ OVEN_DATA_DIR: dataDir }, false).secret;
    expect(read().secret).toBe(made);
  });
});

it("takes an empty variable for an unset one", () => {
  const variables = { OPENAI_API_KEY: "", PORT: "4000" };
  dropEmptyVariables(variables);
  expect(variables).toEqual({ PORT: "4000" });
});

describe("the data directory's secret", () => {
  const dir = () => mkdtempSync(join(tmpdir(), "oven-environment-"));
  const read = (dataDir: string) => readEnvironment({ NODE_ENV: "test", OVEN_DATA_DIR: dataDir }, true);

  it("is made once and read again", () => {
    const dataDir = dir();
    const first = read(dataDir).secret;
    expect(first.length).toBeGreaterThan(40);
    expect(read(dataDir).secret).toBe(first);
  });

  it("is refused when the file was cut short", () => {
    const dataDir = dir();
    writeFileSync(join(dataDir, "secret"), "\n");
    expect(() => read(dataDir)).toThrow(
      expect.objectContaining({ code: "INVALID_ENVIRONMENT", message: expect.stringContaining("secret") }),
    );
  });

  it("says which directory cannot be used", () => {
    const file = join(dir(), "file");
    writeFileSync(file, "");
    expect(() => read(join(file, "below"))).toThrow(
      expect.objectContaining({ code: "DATA_DIR_UNUSABLE", message: expect.stringContaining(file) }),
    );
  });
});

it("counts every key, password and connection address of the environment as secret", () => {
  const set = {
    OVEN_SECRET: SECRET,
    OVEN_SECRET_PREVIOUS: "p".repeat(32),
    OVEN_BOOTSTRAP_API_KEY: `oven_${"b".repeat(40)}`,
    OPENAI_API_KEY: "sk-openai-canary",
    ANTHROPIC_API_KEY: "sk-ant-canary",
    GOOGLE_GENERATIVE_AI_API_KEY: "AIza-canary",
    DATABASE_URL,
    DATABASE_URL_DIRECT: "postgres://oven:of%20the%20database@direct.example/oven",
    OVEN_OIDC_CLIENT_SECRET: "oidc-client-canary",
    OVEN_SMTP_URL: "smtp://user:a%20word@mail.example:587",
  };
  const more = {
    OVEN_MAIL_FROM: "oven@example.com",
    OVEN_OIDC_ISSUER: "https://id.example.com",
    OVEN_OIDC_CLIENT_ID: "oven",
  };
  const secrets = Object.values(
    secretsOf(readEnvironment({ ...set, ...more }, true), installedModules({ demo: false })),
  );
  expect([...Object.values(set), "a word", "of the database"].filter((value) => !secrets.includes(value))).toEqual([]);
});
