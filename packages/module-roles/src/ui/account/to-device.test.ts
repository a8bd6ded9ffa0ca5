import { expect, it } from "vitest";
import { toDevice } from "./to-device.ts";

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/153.0 Safari/537.36 Edg/153.0", "Edge on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 Version/26.0 Safari/604.1", "Safari on iOS"],
  ["curl/8.5.0", "curl/8.5.0"],
  [null, "Unknown program"],
])("names %s", (userAgent, device) => {
  expect(toDevice(userAgent)).toBe(device);
});
