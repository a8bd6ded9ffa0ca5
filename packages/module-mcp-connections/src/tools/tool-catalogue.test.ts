import { expect, it } from "vitest";
import { startConnectedOven } from "../connections/testing/connected-oven.ts";
import { startRawServer } from "../connections/testing/raw-server.ts";
import { createToolCatalogue } from "./tool-catalogue.ts";

it("is read from the database of an older version, which lacks the newest settings of connections", async () => {
  const server = await startRawServer({});
  const oven = await startConnectedOven([], { allow: [server.origin] });
  await oven.connect("shop", server);
  await oven.db.query("alter table mcp_connections drop column max_sessions, drop column session_idle_ms");
  const catalogue = createToolCatalogue(oven.db, () => undefined);
  await catalogue.refresh();
  expect(catalogue.list(1).map(({ id }) => id)).toEqual(["mcp.shop.do"]);
  await oven.stop();
  await server.close();
});
