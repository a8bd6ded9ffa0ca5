export { deceptiveIn, deceptivePlaces, markDeceptive } from "./deceptive.ts";
export { diffJson } from "./diff-json.ts";
export { ErrorBodySchema, type Problem, ProblemSchema } from "./errors.ts";
export { type EventEnvelope, EventEnvelopeSchema, type NewEvent } from "./events.ts";
export { isExactNumber } from "./exact-number.ts";
export {
  IdOrSlugSchema,
  IdSchema,
  isStateId,
  REFUSED_STATE_IDS,
  RESERVED_SLUGS,
  SlugSchema,
  toSlug,
  UNSAFE_NAMES,
} from "./ids.ts";
export { isObject } from "./is-object.ts";
export {
  type Json,
  type JsonObject,
  JsonObjectSchema,
  type JsonPatchOp,
  JsonPatchOpSchema,
  JsonSchema,
} from "./json.ts";
export { type JsonPath, toJsonPath } from "./json-path.ts";
export { FilterSchema, type ListParams, RangeSchema, SortSchema } from "./list.ts";
export { type LookalikeGroups, LookalikeGroupsSchema } from "./lookalike-groups.ts";
export { lookalikesIn, spellOut } from "./lookalikes.ts";
export { MAX_PAGE } from "./max-page.ts";
export { docsUrl, type ErrorBody, isOvenError, notFound, OvenError, type OvenErrorOptions } from "./oven-error.ts";
export { OVEN_VERSION } from "./oven-version.ts";
export { getOwn, setOwn } from "./own.ts";
export {
  type DataSchema,
  type LongNumber,
  type LongNumberRules,
  longNumbersAsText,
  parseJson,
  type ReadJson,
  readJson,
  refuseLongNumbers,
} from "./parse-json.ts";
export { intersectPermissions, isGranted } from "./permissions.ts";
export {
  type Actor,
  ActorSchema,
  limitPrincipal,
  mayUseWorkflow,
  type Principal,
  PrincipalSchema,
  requestersOf,
  SYSTEM_PRINCIPAL,
  toActor,
  withoutBounds,
} from "./principal.ts";
export { readMoney } from "./read-money.ts";
export { type SchemaNote, SchemaNoteSchema } from "./schema-note.ts";
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
export { LONG_NUMBER_FORMATS, schemasAt, takesText } from "./takes-text.ts";
export { DEFAULT_TENANT, SHARED_TENANT } from "./tenants.ts";
export { toLabel } from "./to-label.ts";
