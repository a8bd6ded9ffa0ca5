export { createApiConnectionsModule } from "./api-connections.module.ts";
export { callOperationNode } from "./nodes/call-operation.node.ts";
export { createOperationCatalogue } from "./operations/operation-catalogue.ts";
export { API_NAMESPACE } from "./operations/operation-row.ts";
