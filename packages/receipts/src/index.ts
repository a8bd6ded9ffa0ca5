export { canonical, type Json, sha256 } from "./canonical.ts";
export {
  type Certificate,
  type CertifiedGraph,
  type Claim,
  checkCertificate,
} from "./certificate.ts";
export { type KeySet, KeySetSchema, keyId, type PublicKey, PublicKeySchema, signReceipt } from "./keys.ts";
export { digestOf, LogChain } from "./log-chain.ts";
export {
  DECISION_ENTRY,
  type Decision,
  type LogEntry,
  MAX_RECEIPT_BYTES,
  type Receipt,
  type ReceiptFile,
  ReceiptFileSchema,
  RUN_ENTRY,
} from "./receipt.ts";
export { type Verification, verifyReceipt } from "./verify.ts";
