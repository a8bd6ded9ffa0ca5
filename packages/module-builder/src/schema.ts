export { builderDesks } from "./desks/builder-desks.table.ts";
