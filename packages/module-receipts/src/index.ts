export { createReceiptsModule } from "./receipts.module.ts";
