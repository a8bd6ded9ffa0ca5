import { join } from "node:path";
import type { Connect } from "../peer-client.ts";
import { connectOverStdio } from "./over-stdio.ts";

const COMMAND = join(import.meta.dirname, "../../node_modules/.bin/mcp-remote");

export const connect: Connect = ({ url, key, directory }) =>
  connectOverStdio(
    [COMMAND, url, "--allow-http", "--transport", "http-only", "--header", `Authorization:Bearer ${key}`],
    {
      MCP_REMOTE_CONFIG_DIR: directory,
    },
  );
