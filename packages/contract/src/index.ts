export { diffJson } from "./diff-json.ts";
export {
  docsUrl,
  type ErrorBody,
  ErrorBodySchema,
  isOvenError,
  notFound,
  OvenError,
  type OvenErrorOptions,
  type Problem,
  ProblemSchema,
} from "./errors.ts";
export { type EventEnvelope, EventEnvelopeSchema, type NewEvent } from "./events.ts";
export { IdOrSlugSchema, IdSchema, isStateId, REFUSED_STATE_IDS, RESERVED_SLUGS, SlugSchema, toSlug } from "./ids.ts";
export {
  isObject,
  type Json,
  type JsonObject,
  JsonObjectSchema,
  type JsonPatchOp,
  JsonPatchOpSchema,
  JsonSchema,
} from "./json.ts";
export { FilterSchema, type ListParams, MAX_PAGE, RangeSchema, SortSchema } from "./list.ts";
export { OVEN_VERSION } from "./oven-version.ts";
export {
  type Actor,
  ActorSchema,
  DEFAULT_TENANT,
  intersectPermissions,
  isGranted,
  limitPrincipal,
  mayUseWorkflow,
  type Principal,
  PrincipalSchema,
  requestersOf,
  SHARED_TENANT,
  SYSTEM_PRINCIPAL,
  toActor,
  withoutBounds,
} from "./principal.ts";
export {
  type ChangeTags,
  ChangeTagsSchema,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  type TagCount,
  TagCountSchema,
  TagSchema,
  TagsSchema,
  toTag,
} from "./tags.ts";
