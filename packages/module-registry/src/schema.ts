export { moduleConfigs } from "./config/module-configs.table.ts";
export { outboxDeliveries, outboxEvents } from "./events/outbox.table.ts";
export { graphPolicies } from "./policies/graph-policies.table.ts";
export { rateBuckets } from "./rates/rate-buckets.table.ts";
export { secrets } from "./secrets/secrets.table.ts";
