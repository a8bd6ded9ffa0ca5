export { receiptKeys } from "./tables/receipt-keys.table.ts";
export { runReceiptSalts, runReceipts } from "./tables/run-receipts.table.ts";
