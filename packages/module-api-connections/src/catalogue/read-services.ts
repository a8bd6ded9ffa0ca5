import { readdirSync, readFileSync } from "node:fs";
import { type CataloguedService, CataloguedServiceSchema } from "@oven/contract/api";

/** The services of the catalogue: one file each. */
export const SERVICES_FOLDER = new URL("../../services/", import.meta.url);

let services: readonly CataloguedService[] | undefined;

/** All of them, by slug. The files are read once, when the catalogue is first asked for. */
export function readServices(): readonly CataloguedService[] {
  services ??= readdirSync(SERVICES_FOLDER)
    .toSorted()
    .map((file) => CataloguedServiceSchema.parse(JSON.parse(readFileSync(new URL(file, SERVICES_FOLDER), "utf8"))));
  return services;
}
