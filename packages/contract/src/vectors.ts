import { z } from "zod";
import { ResolvedModelSchema } from "./ai.ts";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { TokenUsageSchema } from "./node-contract.ts";
import { recognitionOptions, TextRecognitionSchema } from "./text-recognition.ts";

const readOnly = z.unknown().optional();
const VectorSchema = z.array(z.number()).min(1).max(16_000);

/** What an embedding call answered. */
export const EmbedAnswerSchema = z.strictObject({
  embeddings: z.array(VectorSchema),
  /** Length of each vector; 0 when nothing was asked for. */
  dimensions: z.int().nonnegative(),
  usage: TokenUsageSchema,
  costMicros: z.int().nonnegative(),
  model: ResolvedModelSchema,
  /** Where the answer comes from when no model was asked. */
  source: z.literal("recording").optional(),
});
export type EmbedAnswer = z.infer<typeof EmbedAnswerSchema>;

/** The body of `POST /api/ai/embed`. */
export const EmbedBodySchema = z.strictObject({
  model: z.string().min(1).default("embed"),
  values: z.array(z.string().max(200_000)).min(1).max(512),
});

/** How the distance of vectors is measured. */
export const VectorMetricSchema = z.enum(["cosine", "dot", "euclidean"]);
export type VectorMetric = z.infer<typeof VectorMetricSchema>;

/** The stemmer of the full-text search; `simple` has none and suits any language. */
export const TextLanguageSchema = z.enum(["english", "simple"]);

/** A vector store, as `GET /api/vector-stores/[id]` answers it. */
export const VectorStoreSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** `providerId:modelId`, fixed when the store was made: vectors of different models cannot be compared. */
  embeddingModel: z.string(),
  dimensions: z.int().positive(),
  metric: VectorMetricSchema,
  language: TextLanguageSchema,
  items: z.int().nonnegative(),
  documents: z.int().nonnegative(),
  /** How many documents are not taken in yet, and how many could not be. */
  documentsOpen: z.int().nonnegative(),
  documentsFailed: z.int().nonnegative(),
  /** Bytes of the documents as they were added. */
  bytes: z.int().nonnegative(),
  /** When something in it was added or changed last. */
  changedAt: z.string(),
  /** `hnsw`: an approximate index; `exact`: every vector is compared. */
  search: z.enum(["exact", "hnsw"]),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type VectorStore = z.infer<typeof VectorStoreSchema>;

/** The body of `POST /api/vector-stores`. */
export const CreateVectorStoreSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  slug: SlugSchema.optional(),
  description: z.string().max(2_000).nullish(),
  /** An alias or `providerId:modelId`; it is asked once, for the length of its vectors. */
  embeddingModel: z.string().min(1).default("embed"),
  metric: VectorMetricSchema.default("cosine"),
  language: TextLanguageSchema.default("english"),
});
export type CreateVectorStore = z.infer<typeof CreateVectorStoreSchema>;

/** The body of `PUT /api/vector-stores/[id]`. */
export const UpdateVectorStoreSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(2_000).nullish(),
  id: readOnly,
  tenantId: readOnly,
  slug: readOnly,
  embeddingModel: readOnly,
  dimensions: readOnly,
  metric: readOnly,
  language: readOnly,
  items: readOnly,
  documents: readOnly,
  documentsOpen: readOnly,
  documentsFailed: readOnly,
  bytes: readOnly,
  changedAt: readOnly,
  search: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
});
export type UpdateVectorStore = z.infer<typeof UpdateVectorStoreSchema>;

/** Characters of an item of a vector store. */
export const VECTOR_TEXT_LIMIT = 20_000;

/** A text with its vector. */
export const VectorItemSchema = z.strictObject({
  /** Names the item in its store: the same key replaces it. Absent: one is made of the text. */
  key: z.string().min(1).max(200).optional(),
  text: z.string().min(1).max(VECTOR_TEXT_LIMIT),
  metadata: JsonObjectSchema.optional(),
  /** Absent: the store's model computes it. */
  embedding: VectorSchema.optional(),
});
export type VectorItem = z.infer<typeof VectorItemSchema>;

/** The body of `POST /api/vector-stores/[id]/upsert`. */
export const UpsertVectorsSchema = z.strictObject({ items: z.array(VectorItemSchema).min(1).max(256) });
/** How many items were written, as `POST /api/vector-stores/[id]/upsert` answers it. */
export const UpsertVectorsAnswerSchema = z.strictObject({ keys: z.array(z.string()) });

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string().max(1_000), z.number()]);

/** What may be asked of one metadata field. Several operators must all hold. */
export const FieldFilterSchema = z.union([
  scalar,
  z.strictObject({
    eq: scalar.optional(),
    ne: scalar.optional(),
    in: z.array(scalar).max(200).optional(),
    gt: bound.optional(),
    gte: bound.optional(),
    lt: bound.optional(),
    lte: bound.optional(),
    /** The field is a list that has this value. */
    contains: scalar.optional(),
    exists: z.boolean().optional(),
  }),
]);

/** Conditions on metadata by top-level field; all must hold. */
export const VectorFilterSchema = z
  .record(z.string().min(1).max(100), FieldFilterSchema)
  .refine((filter) => Object.keys(filter).length <= 20, "at most 20 fields");
export type VectorFilter = z.infer<typeof VectorFilterSchema>;

/** Whether a search goes by vectors, by words or by both. */
export const SearchModeSchema = z.enum(["vector", "text", "hybrid"]);
export type SearchMode = z.infer<typeof SearchModeSchema>;

/** How found passages are sorted again by a model. */
export const RerankSchema = z.strictObject({
  /** An alias or `providerId:modelId` of a language model. */
  model: z.string().min(1).default("fast"),
  /** How many of the best matches the model puts in order. */
  candidates: z.int().min(2).max(50).default(20),
});

/** How to search; nodes and tools take these beside their own inputs. */
export const searchOptions = {
  topK: z.int().positive().max(100).default(5).describe("How many matches at most"),
  mode: SearchModeSchema.default("hybrid").describe("`vector`: by meaning; `text`: by words; `hybrid`: both, fused"),
  filter: VectorFilterSchema.optional().describe(
    'Conditions on metadata: `{"lang": "en", "year": {"gte": 2024}, "team": {"in": ["a", "b"]}}`',
  ),
  minScore: z.number().optional().describe("Leaves out matches less similar than this; in mode `text`, of lower rank"),
  rerank: z
    .union([z.boolean(), RerankSchema])
    .default(false)
    .describe("Whether a language model puts the matches in order"),
};

/** The body of `POST /api/vector-stores/[id]/query`. */
export const QueryVectorsSchema = z
  .strictObject({
    query: z.string().min(1).max(VECTOR_TEXT_LIMIT).optional(),
    /** Instead of `query`, in mode `vector`. */
    embedding: VectorSchema.optional(),
    ...searchOptions,
  })
  .refine((body) => body.query !== undefined || body.embedding !== undefined, "give `query` or `embedding`")
  .refine((body) => body.query !== undefined || body.mode === "vector", "the modes text and hybrid need `query`");
export type QueryVectors = z.infer<typeof QueryVectorsSchema>;

/** Where a match comes from; offsets count characters of the document's extracted text. */
export const CitationSourceSchema = z.strictObject({
  documentId: z.int().positive(),
  title: z.string(),
  chunk: z.int().nonnegative(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** Headings above the passage, outermost first. */
  headings: z.array(z.string()),
});
export type CitationSource = z.infer<typeof CitationSourceSchema>;

/** An item that was found, with its similarity. */
export const VectorMatchSchema = z.strictObject({
  id: z.int().positive(),
  key: z.string(),
  text: z.string(),
  metadata: z.record(z.string(), JsonSchema),
  /** What the matches are ordered by: similarity, rank of the words, or both fused (0 to 1). */
  score: z.number(),
  /** By the store's metric; null when only words were compared. */
  similarity: z.number().nullable(),
  source: CitationSourceSchema.nullable(),
});
export type VectorMatch = z.infer<typeof VectorMatchSchema>;

/** The nearest items, as `POST /api/vector-stores/[id]/query` answers them. */
export const QueryVectorsAnswerSchema = z.strictObject({
  matches: z.array(VectorMatchSchema),
  /** What was asked for and could not be done, such as an order by a model that gave none. */
  warnings: z.array(z.string()),
});
export type QueryVectorsAnswer = z.infer<typeof QueryVectorsAnswerSchema>;

/** The body of `POST /api/ai/rag/retrieve`. */
export const RetrieveBodySchema = z.strictObject({
  query: z.string().min(1).max(VECTOR_TEXT_LIMIT),
  ...searchOptions,
});
export type RetrieveBody = z.infer<typeof RetrieveBodySchema>;

/** The passages found, as `POST /api/ai/rag/retrieve` answers them. */
export const RetrieveAnswerSchema = QueryVectorsAnswerSchema.extend({
  /** The matches as numbered sources, marked as untrusted content for a model; empty when there are none. */
  context: z.string(),
});
export type RetrieveAnswer = z.infer<typeof RetrieveAnswerSchema>;

/** The body of `POST /api/ai/rag/ask`. */
export const AskBodySchema = RetrieveBodySchema.extend({
  /** The language model that answers. */
  model: z.string().min(1).default("fast"),
  system: z.string().max(20_000).optional().describe("Instructions for the answer, beside those about sources"),
});
export type AskBody = z.infer<typeof AskBodySchema>;

/** The passage that a part of an answer relies on. */
export const CitationSchema = z.strictObject({
  /** As in the answer: `[1]`. */
  number: z.int().positive(),
  key: z.string(),
  source: CitationSourceSchema.nullable(),
});

/** The answer of a model with its citations, as `POST /api/ai/rag/ask` gives it. */
export const AskAnswerSchema = RetrieveAnswerSchema.extend({
  /** Null: nothing was found, and no model was asked. */
  answer: z.string().nullable(),
  /** The sources the answer names; numbers it made up are left out and warned of. */
  citations: z.array(CitationSchema),
  usage: TokenUsageSchema,
  costMicros: z.int().nonnegative(),
  model: ResolvedModelSchema.nullable(),
});
export type AskAnswer = z.infer<typeof AskAnswerSchema>;

/** The kinds of documents that are read. */
export const DocumentTypeSchema = z.enum([
  "text/plain",
  "text/markdown",
  "text/html",
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
]);
export type DocumentType = z.infer<typeof DocumentTypeSchema>;

/** Numbers of pages, counted from 1; the first hundred. */
const namedPages = z.array(z.int().positive());

/** What of a document may be missing in its text although it is `ready`. */
export const DocumentWarningSchema = z.discriminatedUnion("kind", [
  /** Pages that draw pictures or glyphs, and have no text: a scan, or a font without a way back to characters. */
  z.strictObject({
    kind: z.literal("pages-without-text"),
    pages: namedPages,
    /** How many there are. */
    count: z.int().positive(),
    /** How many pages the document has. */
    of: z.int().positive(),
  }),
  /** Bytes that are no character in the charset of a page; U+FFFD stands for each. */
  z.strictObject({ kind: z.literal("undecodable"), count: z.int().positive(), charset: z.string() }),
  /** Pages whose text was recognized with a mean confidence below 60 of 100: letters may be wrong. */
  z.strictObject({ kind: z.literal("uncertain-text"), pages: namedPages, count: z.int().positive() }),
  /** Pages without text that text recognition left out: beyond the limit of pages, too slow, or not to be drawn. */
  z.strictObject({
    kind: z.literal("pages-not-recognized"),
    reason: z.enum(["limit", "slow", "failed"]),
    pages: namedPages,
    count: z.int().positive(),
  }),
]);
export type DocumentWarning = z.infer<typeof DocumentWarningSchema>;

/** A document of a vector store: where its text comes from, how far it was read and what is missing from it. */
export const KnowledgeDocumentSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int(),
  vectorStoreId: z.int().positive(),
  /** Names the document in its store: the same key replaces its content. */
  key: z.string(),
  title: z.string(),
  mediaType: DocumentTypeSchema,
  bytes: z.int().nonnegative(),
  contentHash: z.string(),
  metadata: z.record(z.string(), JsonSchema),
  /** `ready`: searchable. While new content is taken in, the previous one is found. */
  status: z.enum(["queued", "running", "ready", "failed"]),
  progress: z.strictObject({ done: z.int().nonnegative(), total: z.int().nonnegative() }),
  error: z.strictObject({ code: z.string(), message: z.string(), fix: z.string().nullable() }).nullable(),
  /** Of the document as it was last read; empty while it was not. */
  warnings: z.array(DocumentWarningSchema),
  /** What its text was declared to be in when it was added; null: what the file itself says, else UTF-8. */
  charset: z.string().nullable(),
  /** Null: pages without text are left as they are. */
  recognition: TextRecognitionSchema.nullable(),
  chunks: z.int().nonnegative(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeDocument = z.infer<typeof KnowledgeDocumentSchema>;

/** A passage of a document, as it is found. */
export const DocumentChunkSchema = z.strictObject({
  id: z.int().positive(),
  /** Its place in the document, from 0. */
  chunk: z.int().nonnegative(),
  text: z.string(),
  /** Characters of the document's text. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  headings: z.array(z.string()),
  metadata: z.record(z.string(), JsonSchema),
});
export type DocumentChunk = z.infer<typeof DocumentChunkSchema>;

/** The body of `POST /api/vector-stores/[id]/documents`. */
export const AddDocumentSchema = z
  .strictObject({
    key: z.string().min(1).max(200).optional(),
    title: z.string().trim().min(1).max(300),
    mediaType: DocumentTypeSchema.default("text/markdown"),
    text: z.string().min(1).optional(),
    /** The file as base64. */
    data: z.base64().optional(),
    /** What the text in `data` is encoded in, such as `shift_jis`, instead of what it declares; UTF-8 where it declares nothing. */
    charset: z.string().min(1).max(40).optional(),
    ...recognitionOptions,
    metadata: JsonObjectSchema.default({}),
  })
  .refine((body) => (body.text === undefined) !== (body.data === undefined), "give either `text` or `data`");
export type AddDocument = z.infer<typeof AddDocumentSchema>;

/** A page or a file of the public internet, which is read once; added again, it is read again. */
export const AddPageSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  title: z.string().trim().min(1).max(300).optional(),
  /** Absent: the address. */
  key: z.string().min(1).max(200).optional(),
  ...recognitionOptions,
  metadata: JsonObjectSchema.default({}),
});
export type AddPage = z.infer<typeof AddPageSchema>;
