import { Readable } from "node:stream";
import { openDirectory } from "../directory-store.ts";
import { openBucket } from "../s3-store.ts";
import { KEY_ID, SECRET_KEY } from "./start-bucket.ts";

/*
 * A process that writes a backup which has no end, so that it can be killed in the middle: <name> directory <path>, or <name> bucket <url>.
 */
const [name = "", kind, place = ""] = process.argv.slice(2);
const s3 = { bucket: "backups", prefix: "oven/", region: "us-east-1", keyId: KEY_ID, secretKey: SECRET_KEY };
const store = kind === "directory" ? openDirectory(place) : openBucket({ ...s3, endpoint: place });
const chunk = Buffer.alloc(1_048_576, "x");
await store.write(
  name,
  Readable.from(
    (async function* endless() {
      for (;;) yield chunk;
    })(),
  ),
);
