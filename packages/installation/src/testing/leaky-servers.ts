import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";

/*
 * Services that answer with the credentials they were called with, in every way that they can: what they say must nowhere
 * be kept or shown as it is.
 */
export interface LeakyServer {
  port: number;
  origin: string;
  /** What callers told, as it came and decoded from base64. */
  told: string[];
  close(): Promise<void>;
}

async function listen(server: Server, told: string[]): Promise<LeakyServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    told,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Each word as it is, and decoded from base64 where it may be that. */
function decoded(line: string): string {
  const words = line.split(/\s+/).filter((word) => /^[A-Za-z0-9+/=]{16,}$/.test(word));
  return [line, ...words.map((word) => Buffer.from(word, "base64").toString().replaceAll("\0", " "))].join(" ");
}

/** Refuses every sign-in with what was told. */
export async function startLeakyImap(): Promise<LeakyServer> {
  const told: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      for (const line of chunk.split("\r\n").filter((text) => text !== "")) {
        const [tag, command = ""] = line.split(" ");
        const text = decoded(line);
        told.push(text);
        if (/^(LOGIN|AUTHENTICATE)$/i.test(command))
          socket.write(`${tag} NO [AUTHENTICATIONFAILED] not you: ${text}\r\n`);
        else if (/^LOGOUT$/i.test(command)) socket.end(`* BYE\r\n${tag} OK\r\n`);
        else socket.write(`${/^CAPABILITY$/i.test(command) ? "* CAPABILITY IMAP4rev1\r\n" : ""}${tag} OK done\r\n`);
      }
    });
  });
  return listen(server, told);
}

/** Refuses every sign-in with what was told. */
export async function startLeakySmtp(): Promise<LeakyServer> {
  const told: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("220 leaky ESMTP\r\n");
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      for (const line of chunk.split("\r\n").filter((text) => text !== "")) {
        const text = decoded(line);
        told.push(text);
        if (/^EHLO/i.test(line)) socket.write("250-leaky\r\n250 AUTH PLAIN LOGIN\r\n");
        else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else if (/^AUTH/i.test(line)) socket.write(`535 5.7.8 not you: ${text}\r\n`);
        else socket.write("250 ok\r\n");
      }
    });
  });
  return listen(server, told);
}

/**
 * Answers 200 until told otherwise, and as an OpenID Connect provider that refuses every code. Credentials come back in a
 * header, in JSON, in URLs and in base64.
 */
export async function startLeakyService(): Promise<LeakyServer & { status: number }> {
  const told: string[] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // cast: no encoding was set
    const { authorization, ...rest } = request.headers;
    const keys = ["x-key", "x-api-key", "x-goog-api-key", "webhook-signature"].map((name) => rest[name]);
    const body = Buffer.concat(chunks).toString();
    const text = decoded([authorization, ...keys].filter((value) => value !== undefined).join(" "));
    const address = decodeURIComponent(request.url ?? "/");
    told.push(`${request.url} ${address} ${text} ${body}`);
    const { pathname } = new URL(request.url ?? "/", "http://leaky");
    if (pathname === "/.well-known/openid-configuration") {
      const at = (path: string) => leaky.origin + path;
      response.setHeader("content-type", "application/json").end(
        JSON.stringify({
          issuer: leaky.origin,
          authorization_endpoint: at("/authorize"),
          token_endpoint: at("/token"),
          userinfo_endpoint: at("/userinfo"),
          jwks_uri: at("/jwks"),
          id_token_signing_alg_values_supported: ["RS256"],
        }),
      );
      return;
    }
    const answer = {
      told: text,
      path: request.url,
      address,
      url: encodeURIComponent(text),
      [text]: Buffer.from(text).toString("base64"),
    };
    response
      .writeHead(pathname === "/token" ? 400 : leaky.status, {
        "content-type": pathname.startsWith("/bytes") ? "image/png" : "application/json",
        "x-told": text.replace(/[^\x20-\x7e]/g, " "),
      })
      .end(
        JSON.stringify(
          pathname === "/token" ? { error: "invalid_client", error_description: body, ...answer } : answer,
        ),
      );
  });
  const leaky = { ...(await listen(server, told)), status: 200 };
  return leaky;
}
