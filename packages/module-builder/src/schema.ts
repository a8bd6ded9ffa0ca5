export { builderDesks } from "./desks/builder-desks.table.ts";
export { builderProposals } from "./repair/builder-proposals.table.ts";
