/** A word that `docs/glossary.md` replaces. */
export interface RetiredWord {
  pattern: RegExp;
  use: string;
  /** Paths, or beginnings of them, where the word means something else. */
  except?: readonly string[];
}

/** Words for people: a text about a tenant's users says "they". */
const GENDERED = /(?<!")\b(?:[Hh]e|[Hh]im|[Hh]is|himself)\b(?!")/;

export const RETIRED_WORDS: readonly RetiredWord[] = [
  { pattern: /\b(?:is)?[Ww]itness(?:es|ed)?\b/, use: "row version" },
  { pattern: /\bKept[A-Z]\w*|\w+Kept\b|\bkept-[a-z]+\.ts\b/, use: "RowCache, CacheEntry, or Stored…" },
  { pattern: /\b\w+IfStanding\b|\bfindStanding\b/, use: "executeCached, findWithVersion" },
  {
    pattern: /\b(?:to|is|add)?Birth(?:Write)?\b|\bbirthStatement\b|\bcanBeBorn\b|\bbear\(/,
    use: "run insert, deferInsert",
  },
  { pattern: /\bhandOver\w*|\bTakenRun\b/, use: "cacheClaim, CachedClaim" },
  { pattern: /\b\w*(?:Delivery|Start|Mcp)Door\b/, use: "DeliveryIntake, StartRateLimiter, McpEndpoint" },
  {
    pattern: /\b\w*[Tt]enantWall\b|\bWalled?[A-Z]\w*|\bwall between tenants\b|\bsecond wall\b/,
    use: "row-level security",
  },
  { pattern: /\b[Pp]ok(?:e|es|ed|ing)\b/, use: "notify" },
  { pattern: /#(?:fly|land|flights)\b|\bFlight\b/, use: "startCall, endCall, InFlightCall" },
  { pattern: /\bRunNews\b/, use: "progressed, settled" },
  { pattern: /\b\w*[Ff]arewells?\b/, use: "completion signal" },
  { pattern: /\b(?:Open|Claimed)Act\b|\bclaimAct\b/, use: "AuditContext, ClaimedAudit, claimAudit" },
  { pattern: /\b(?:events|outbox|observer)\.(?:isTaken|isWanted)\(/, use: "hasListeners, hasMatchingListener" },
  { pattern: /\bSluggish\b/, use: "SluggedTable" },
  { pattern: /\btoldProblem\b|\btold-[a-z]+\b|\bTold\b/, use: "problemMessage, public error" },
  { pattern: /\bToolShelf\b/, use: "ToolCatalogue" },
  { pattern: /\bCrew\b/, use: "simulated workers" },
  { pattern: /\bconcerns? nobody\b/, use: "events without subscribers" },
  { pattern: /\bwhat only computes\b|\bonly computes?\b.*\bdoes not wait\b/i, use: "pure steps" },
  { pattern: GENDERED, use: "they, them, their", except: ["packages/i18n/src/german.json"] },
  { pattern: /\bSame answer again for\b/, use: "Cache TTL (ms)" },
  { pattern: /\bWhat passed while OVEN was down\b/, use: "Missed runs" },
  { pattern: /\bdoes not accept who we are\b/, use: "rejected our credentials" },
  { pattern: /\bThis arrived, and could not be used\b/, use: "The payload was rejected" },
];
