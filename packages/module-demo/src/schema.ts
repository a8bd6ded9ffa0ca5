export { demoOrders } from "./tables/demo-orders.table.ts";
export { demoPolicies } from "./tables/demo-policies.table.ts";
