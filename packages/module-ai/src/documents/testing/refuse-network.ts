import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/*
 * Loaded before a program (`node --import`) and in each of its threads: no connection is made, and each attempt is written to the
 * standard error. `fetch` connects by the same function.
 */
net.Socket.prototype.connect = function refuse(): net.Socket {
  process.stderr.write("a connection was attempted\n");
  return this.destroy(new Error("there is no network"));
};
syncBuiltinESMExports();
