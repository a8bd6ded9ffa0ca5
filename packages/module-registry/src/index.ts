export {
  approvalNeeded,
  type GuardedCall,
  type Release,
  type Releases,
  requireRelease,
} from "./approvals/require-release.ts";
export type { ConfigRequest, ConfigService } from "./config/config-service.ts";
export {
  type Ceiling,
  type CeilingFacts,
  type CeilingRequest,
  type CeilingTool,
  largerMost,
  type Most,
  type MostByQuantity,
  sumMost,
  timesMost,
  unknownMost,
} from "./define/ceiling.ts";
export { type ActionDefinition, defineAction } from "./define/define-action.ts";
export { defineGauge, type Gauge, type GaugeValue } from "./define/define-gauge.ts";
export {
  type ConfigKey,
  defineModule,
  type GrantedRole,
  type ModuleDefinition,
  type ModuleDeps,
  type Permission,
  READING_ROLES,
  type RegistryView,
  RUNNING_ROLES,
  type RuntimeEnvironment,
  type WorkerSettings,
} from "./define/define-module.ts";
export {
  type CompositeNode,
  defineCompositeNode,
  defineNode,
  done,
  type ExpandRequest,
  type Expansion,
  type InputProblem,
  type InspectedStep,
  isComposite,
  type NodeContext,
  type NodeDefinition,
  type RunnableNode,
} from "./define/define-node.ts";
export {
  type Access,
  accepted,
  created,
  defineRoute,
  type ErrorShape,
  effectOf,
  type Method,
  noContent,
  ok,
  type Reply,
  type Route,
  type RouteContext,
} from "./define/define-route.ts";
export {
  defineTool,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  ToolInputNeeded,
  ToolPending,
  type ToolRun,
  toToolRun,
} from "./define/define-tool.ts";
export {
  type Arrival,
  type CheckContext,
  defineTrigger,
  type Firing,
  type FiringContext,
  type TriggerDefinition,
} from "./define/define-trigger.ts";
export { type EnvironmentVariable, readVariables } from "./define/environment-variable.ts";
export { checkGiven } from "./define/given-inputs.ts";
export type { EventRun, Listener, SelectiveListener, UnwrittenEvent } from "./define/listener.ts";
export {
  NO_PERSON_DATA,
  type PersonData,
  type PersonErasure,
  type PersonHolding,
  type PersonSubject,
} from "./define/person-data.ts";
export type { ServiceMap } from "./define/services.ts";
export { type EventService, matchesEvent } from "./events/outbox.ts";
export { checkSignature } from "./inbound/check-signature.ts";
export { type SignatureConfig, SignatureSchema, type SignatureStyle, styleOf } from "./inbound/signature-config.ts";
export { findVisible, findVisibleBySlug, findWithVersion } from "./list/find-visible.ts";
export { invalid as invalidListQuery, ListQuerySchema, listReply, toListParams } from "./list/list-query.ts";
export { type Listing, listRows, saysOneOf, visibleTo } from "./list/list-rows.ts";
export { type CacheEntry, RowCache, type RowVersion } from "./list/row-cache.ts";
export { type RowService, rowRoutes } from "./list/row-routes.ts";
export { connectImap, type ImapServer } from "./mail/connect-imap.ts";
export { type MailAddress, type MailFields, parseMail } from "./mail/parse-mail.ts";
export { mayHaveArrived } from "./outbound/may-have-arrived.ts";
export { urlSecretProblem } from "./outbound/outbound-url.ts";
export { isPublicAddress } from "./outbound/public-address.ts";
export { rewriteJson } from "./outbound/rewrite-json.ts";
export { createSafeFetch, type OutboundInit, type OutboundService } from "./outbound/safe-fetch.ts";
export { standardHeaders, toStandardKey } from "./outbound/standard-signature.ts";
export type { Rates } from "./rates/rates.ts";
export { SharedBuckets } from "./rates/shared-buckets.ts";
export { Registry } from "./registry.ts";
export { AddressRanges } from "./router/address-ranges.ts";
export { type ClaimedAudit, claimAudit, expectReply } from "./router/audit-context.ts";
export type { AuditRecord, AuditTrail } from "./router/audit-trail.ts";
export {
  type Authenticate,
  type AuthenticateOptions,
  type Authentication,
  checkOrigin,
  requirePermission,
} from "./router/authentication.ts";
export { addressOf } from "./router/caller.ts";
export { ClientGone } from "./router/client-gone.ts";
export { fromZod, toErrorResponse, toOvenError } from "./router/errors.ts";
export { toEventStream } from "./router/event-stream.ts";
export { type FlatArguments, toFlatArguments } from "./router/flat-arguments.ts";
export { readIdempotencyKey } from "./router/idempotency-key.ts";
export { type InvokeOptions, invokeAudited, invokeRoute } from "./router/invoke-route.ts";
export { createOpenApi, type OpenApiDocument } from "./router/openapi.ts";
export type { ProtectedServer, ProtectedServers } from "./router/protected-servers.ts";
export { isTooDeep, limitBody, withBody } from "./router/read-body.ts";
export { type FormEntry, type FormFile, isMultipart, readMultipart, readUrlEncoded } from "./router/read-form.ts";
export type { RequestLimits } from "./router/request-limits.ts";
export { TokenBuckets } from "./router/token-buckets.ts";
export { createSystemModule } from "./routes.ts";
export { createRuntime, migrationSetsOf, type Runtime, type RuntimeOptions } from "./runtime.ts";
export { redactionOf } from "./secrets/redactor.ts";
export { secretFingerprint } from "./secrets/seal.ts";
export type { SealedValues } from "./secrets/sealed-values.ts";
export type { SecretService } from "./secrets/secret-service.ts";
export { type Deadline, startDeadline } from "./work/deadline.ts";
export { currentLogFields, withLogFields } from "./work/log-fields.ts";
export { NextLook, type NextLookOptions, SWEEP_MS } from "./work/next-look.ts";
export { runInThread, type ThreadWork } from "./work/run-in-thread.ts";
export { within } from "./work/within.ts";
export { WorkLoop, type WorkLoopOptions } from "./work/work-loop.ts";
