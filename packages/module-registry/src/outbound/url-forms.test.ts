import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isOvenError } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Address } from "./check-target.ts";
import { createSafeFetch } from "./safe-fetch.ts";

const PORT = "PORT";
const combine = (...parts: string[][]): string[] =>
  parts.reduce(
    (heads, part) => heads.flatMap((head) => part.map((tail) => (head === "" ? tail : `${head}.${tail}`))),
    [""],
  );
const LOOPBACK = ["127", "0x7f", "0177", "0X7F", "00000177"];
const ZERO = ["0", "0x0", "00"];
const ONE = ["1", "0x1", "01"];

/** Every way to spell 127.0.0.1 with four, three, two and one number in decimal, hexadecimal and octal. */
const numbers = [
  ...combine(LOOPBACK, ZERO, ["0"], ONE),
  ...combine(LOOPBACK, ["0"], ONE),
  ...combine(LOOPBACK, ONE),
  "2130706433",
  "0x7f000001",
  "017700000001",
  "0x7F000001",
  "127.0.0.1.",
  "127.1.",
  "0",
  "0.0.0.0",
  "0x0",
  "00.00",
  "127.0.0.2",
  "127.127.127.127",
  "127.255.255.254",
];
const sixes = [
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000:0000:0000:0000:0000:0000:0000:0001]",
  "[::0001]",
  "[::]",
  "[0::0]",
  "[::ffff:127.0.0.1]",
  "[::FFFF:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "[::ffff:0.0.0.0]",
  "[::ffff:169.254.169.254]",
  "[::127.0.0.1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "[fec0::1]",
];
const texts = [
  "localhost",
  "LOCALHOST",
  "LocalHost",
  "localhost.",
  "%6c%6f%63alhost",
  "%31%32%37.0.0.1",
  "１２７.０.０.１",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "user@127.0.0.1",
  "user:password@localhost",
  "example.com@127.0.0.1",
  "example.com:80@127.0.0.1",
  "example.com%2f@127.0.0.1",
  "loopback.example",
  "mixed.example",
  "mapped.example",
  "metadata.example",
  "intranet.example",
  "link-local.example",
  "unspecified.example",
  "nat64.example",
];
const neighbours = [
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "0xa9fea9fe",
  "2852039166",
  "025177524776",
];
const hosts = [...numbers, ...sixes, ...texts, ...neighbours];
const whole = [
  `http:127.0.0.1:${PORT}/`,
  `http:/127.0.0.1:${PORT}/`,
  `http:\\\\127.0.0.1:${PORT}\\`,
  `http:///127.0.0.1:${PORT}/`,
  `http://127.0.0.1:${PORT}#@example.com/`,
  `http://127.0.0.1:${PORT}\\@example.com/`,
  `http://127.0.0.1:${PORT}?@example.com/`,
  `  http://127.0.0.1:${PORT}/  `,
  `http://127.0.\t0.1:${PORT}/`,
  `ht\ntp://127.0.0.1:${PORT}/`,
  `HTTP://127.0.0.1:${PORT}/`,
  `https://127.0.0.1:${PORT}/`,
  `ws://127.0.0.1:${PORT}/`,
  `ftp://127.0.0.1:${PORT}/`,
  `gopher://127.0.0.1:${PORT}/_GET%20/`,
  "file:///etc/passwd",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "blob:http://127.0.0.1/1",
  `//127.0.0.1:${PORT}/`,
  "",
  "http://",
];
const forms = [...hosts.map((host) => `http://${host}:${PORT}/`), ...whole];

const NAMES: Record<string, string[]> = {
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  "loopback.example": ["127.0.0.1"],
  "mixed.example": ["93.184.216.34", "127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "intranet.example": ["10.1.2.3"],
  "link-local.example": ["fe80::1"],
  "unspecified.example": ["0.0.0.0"],
  "nat64.example": ["64:ff9b::7f00:1"],
};
const toAddress = (address: string): Address => ({ address, family: address.includes(":") ? 6 : 4 });
const lookup = async (host: string) => {
  const found = NAMES[host];
  if (found === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return found.map(toAddress);
};

async function listen(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // cast: it listens on TCP
}

describe("forms of URLs that mean this machine or its network", () => {
  let hits = 0;
  let port = 0;
  let front = "";
  // One port on every address of this machine, IPv4 and IPv6.
  const canary = createServer((_request, response) => {
    hits++;
    response.end("reached");
  });
  const redirector = createServer((request, response) => {
    const target = new URL(request.url ?? "", "http://front").searchParams.get("to") ?? "";
    response.writeHead(302, { location: target }).end();
  });
  beforeAll(async () => {
    port = await listen(canary, "::");
    front = `http://127.0.0.1:${await listen(redirector, "127.0.0.1")}`;
  });
  beforeEach(() => {
    hits = 0;
  });
  afterAll(() => {
    canary.close();
    redirector.close();
  });
  const at = (form: string) => form.replace(PORT, String(port));
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return "reached";
    } catch (error) {
      return isOvenError(error) ? error.code : String(error);
    }
  };

  it("has at least 150 of them, and most would reach the canary if nothing were checked", async () => {
    expect(new Set(forms).size).toBeGreaterThanOrEqual(150);
    const open = createSafeFetch({ allow: [], lookup, isPublic: () => true });
    for (const form of [...numbers, "[::1]", "[::ffff:127.0.0.1]", "localhost", "１２７.０.０.１", "mixed.example"]) {
      await codeOf(open.fetch(at(`http://${form}:${PORT}/`), { timeoutMs: 300 }));
    }
    expect(hits).toBeGreaterThan(80);
  });

  it("reach the canary 0 times", async () => {
    const { fetch } = createSafeFetch({ allow: [], lookup });
    for (const form of forms) {
      expect(await codeOf(fetch(at(form), { timeoutMs: 2_000 })), form).toMatch(/^OUTBOUND_(REFUSED|UNREACHABLE)$/);
    }
    expect(hits).toBe(0);
  });

  it("reach it 0 times by way of a redirect from a place that may be called", async () => {
    const { fetch } = createSafeFetch({ allow: [front], lookup });
    for (const form of forms.filter((form) => /^[a-z]+:\/\/./.test(form))) {
      const start = `${front}/?to=${encodeURIComponent(encodeURI(at(form)).replace(/%5B/g, "[").replace(/%5D/g, "]"))}`;
      expect(await codeOf(fetch(start, { timeoutMs: 2_000 })), form).toMatch(/^OUTBOUND_(REFUSED|UNREACHABLE)$/);
    }
    expect(hits).toBe(0);
  });

  it("are reached when the operator allows exactly that origin", async () => {
    const { fetch } = createSafeFetch({ allow: [`http://127.0.0.1:${port}`], lookup });
    expect(await (await fetch(at(`http://0x7f.1:${PORT}/`))).text()).toBe("reached");
    expect(hits).toBe(1);
    for (const other of [`http://localhost:${PORT}/`, `http://127.0.0.2:${PORT}/`, `https://127.0.0.1:${PORT}/`]) {
      expect(await codeOf(fetch(at(other))), other).toBe("OUTBOUND_REFUSED");
    }
    expect(hits).toBe(1);
  });

  it("a name that means another machine at its second look-up is looked up once", async () => {
    const answers = ["127.0.0.2", "127.0.0.1", "127.0.0.1"];
    const seen: string[] = [];
    const stage = createServer((request, response) => {
      seen.push(request.headers.host ?? "");
      response.end("stage");
    });
    // 127.0.0.2 plays the public internet; the canary listens on the same port of every other address.
    await listen(stage, "127.0.0.2");
    const { port: stagePort } = stage.address() as AddressInfo; // cast: it listens on TCP
    const trap = createServer((_request, response) => {
      hits++;
      response.end("trap");
    });
    trap.listen(stagePort, "127.0.0.1");
    await once(trap, "listening");
    const { fetch } = createSafeFetch({
      allow: [],
      lookup: async () => [toAddress(answers.shift() ?? "127.0.0.1")],
      isPublic: (address) => address === "127.0.0.2",
    });
    expect(await (await fetch(`http://rebind.example:${stagePort}/`)).text()).toBe("stage");
    expect(seen).toEqual([`rebind.example:${stagePort}`]);
    expect(answers).toHaveLength(2);
    expect(await codeOf(fetch(`http://rebind.example:${stagePort}/`))).toBe("OUTBOUND_REFUSED");
    expect(hits).toBe(0);
    stage.close();
    trap.close();
  });
});
