import { expect, it } from "vitest";
import { KnownDevices } from "./known-devices.ts";

const OLGA = "olga@example.com";
const settings = { secret: "s".repeat(32), publicUrl: "http://localhost:3000" };
const cookieOf = (setCookie: string) => setCookie.split(";")[0] ?? "";
const requestWith = (cookie: string) => new Request("http://localhost:3000/", { headers: { cookie } });

it("knows the device for the accounts that signed in on it, and for no other", () => {
  const devices = new KnownDevices(settings);
  const first = cookieOf(devices.remember(requestWith(""), OLGA));
  const both = cookieOf(devices.remember(requestWith(first), "vera@example.com"));
  const id = devices.find(requestWith(first), OLGA);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(devices.find(requestWith(`a=b; ${both}; c=d`), OLGA)).toBe(id);
  expect(devices.find(requestWith(both), "vera@example.com")).toBeDefined();
  expect(devices.find(requestWith(both), "mallory@example.com")).toBeUndefined();
  expect(devices.find(requestWith(first), "vera@example.com")).toBeUndefined();
  // The same device at the next sign-in: its failures stay counted.
  expect(devices.find(requestWith(cookieOf(devices.remember(requestWith(both), OLGA))), OLGA)).toBe(id);
});

it("forgets the account that signed in longest ago beyond five", () => {
  const devices = new KnownDevices(settings);
  let cookie = "";
  for (let at = 0; at < 6; at++) cookie = cookieOf(devices.remember(requestWith(cookie), `${at}@example.com`));
  const known = [0, 1, 2, 3, 4, 5].map((at) => devices.find(requestWith(cookie), `${at}@example.com`) !== undefined);
  expect(known).toEqual([false, true, true, true, true, true]);
});

it("takes no cookie that has expired, was changed, or was signed with another secret", () => {
  let now = 0;
  const devices = new KnownDevices(settings, () => now);
  const cookie = cookieOf(devices.remember(requestWith(""), OLGA));
  const [name = "", value = ""] = cookie.split("=");
  const [id = "", expires = "", signature = ""] = value.split(".");
  const forged = [
    `${id}x.${expires}.${signature}`,
    `${id}.${Number(expires) + 1}.${signature}`,
    `${id}.${expires}.`,
    `${id}.${expires}`,
    "~~",
    "",
  ];
  for (const one of forged) expect(devices.find(requestWith(`${name}=${one}`), OLGA), one).toBeUndefined();
  const other = new KnownDevices({ ...settings, secret: "t".repeat(32) }, () => now);
  expect(other.find(requestWith(cookie), OLGA)).toBeUndefined();
  const next = { ...settings, secret: "t".repeat(32), previousSecrets: [settings.secret] };
  expect(new KnownDevices(next, () => now).find(requestWith(cookie), OLGA)).toBe(id);
  now = Number(expires) * 1_000;
  expect(devices.find(requestWith(cookie), OLGA)).toBeUndefined();
});

it("is sent to the sign-in of this site alone, over https where there is https, and is out of reach of scripts", () => {
  const plain = new KnownDevices(settings).remember(requestWith(""), OLGA);
  expect(plain).toMatch(/^oven\.device=[\w.-]+; Path=\/api\/auth; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
  const secure = new KnownDevices({ ...settings, publicUrl: "https://oven.example" }).remember(requestWith(""), OLGA);
  expect(secure).toMatch(/^__Secure-oven\.device=.+; Secure$/);
});
