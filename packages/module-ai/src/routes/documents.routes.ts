import { IdOrSlugSchema } from "@oven/contract";
import {
  AddDocumentSchema,
  AddPageSchema,
  DocumentChunkSchema,
  KnowledgeDocumentSchema,
  RecognizeTextSchema,
} from "@oven/contract/ai";
import {
  accepted,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { readPage } from "../documents/read-page.ts";
import { toLanguages } from "../documents/recognition/to-languages.ts";
import { readUpload } from "../documents/upload.ts";

const READ = { permission: "vector-stores.read" };
const UPDATE = { permission: "vector-stores.update" };
const StoreParams = z.object({ id: IdOrSlugSchema.describe("Id or slug of the vector store") });
const DocumentParams = StoreParams.extend({ documentId: z.coerce.number().int().positive() });
/** 20 MiB as base64, and the rest of the body. */
const JSON_LIMIT = 29_360_128;
const STATUS =
  "It is taken in afterwards: its `status` and `progress` say how far, and it is found when it is `ready`.";

export const documentRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "vector-stores/[id]/documents",
    operation: "documents.list",
    summary: "List the documents of a vector store, with how far each is taken in",
    access: READ,
    params: StoreParams,
    query: ListQuerySchema,
    response: z.array(KnowledgeDocumentSchema),
    effect: "pure",
    handler: async ({ params, query, principal, services }) => {
      const listing = toListParams(query);
      const { documents, total } = await services.documents.list(principal, params.id, listing);
      return listReply("documents", listing, documents, total);
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/documents",
    operation: "documents.add",
    summary: "Add a document, or replace the one with the same key",
    description: `Text, Markdown, HTML, PDF or Word. ${STATUS}`,
    access: UPDATE,
    params: StoreParams,
    body: AddDocumentSchema,
    response: KnowledgeDocumentSchema,
    bodyLimit: JSON_LIMIT,
    effect: "idempotent",
    handler: async ({ params, body, principal, services }) => {
      const { key, title, mediaType, text, data, charset, metadata } = body;
      const recognition = toLanguages(body);
      const bytes = text === undefined ? Buffer.from(data ?? "", "base64") : Buffer.from(text, "utf8");
      const document = {
        key,
        title,
        mediaType,
        metadata,
        recognition,
        data: bytes,
        ...(text === undefined ? { charset } : {}),
      };
      return accepted(await services.documents.add(principal, params.id, document));
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/documents/upload",
    operation: false,
    summary: "Upload a document as a form",
    description: `multipart/form-data with the part \`file\`, and perhaps \`title\`, \`key\`, \`charset\`, \`metadata\`, \`recognizeText\` (\`true\`) and \`recognitionLanguages\` (\`eng,deu\`). ${STATUS}`,
    access: UPDATE,
    params: StoreParams,
    raw: true,
    response: KnowledgeDocumentSchema,
    effect: "idempotent",
    handler: async ({ params, request, principal, services }) => {
      // The store first: nobody reads 20 MiB for one that is not there.
      await services.vectorStores.get(principal.tenantId, params.id);
      return accepted(await services.documents.add(principal, params.id, await readUpload(request)));
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/documents/page",
    operation: false,
    summary: "Add a page or a file of the public internet",
    description: `It is read now, and again when it is added again. ${STATUS}`,
    access: UPDATE,
    params: StoreParams,
    body: AddPageSchema,
    response: KnowledgeDocumentSchema,
    effect: "idempotent",
    handler: async ({ params, body, principal, services, signal }) => {
      await services.vectorStores.get(principal.tenantId, params.id);
      const page = await readPage(services.outbound, body, signal);
      return accepted(await services.documents.add(principal, params.id, page));
    },
  }),
  defineRoute({
    method: "GET",
    path: "vector-stores/[id]/documents/[documentId]",
    operation: "documents.get",
    summary: "One document, with how far it is taken in",
    access: READ,
    params: DocumentParams,
    response: KnowledgeDocumentSchema,
    effect: "pure",
    handler: async ({ params, principal, services }) =>
      ok(await services.documents.get(principal.tenantId, params.id, params.documentId)),
  }),
  defineRoute({
    method: "GET",
    path: "vector-stores/[id]/documents/[documentId]/text",
    operation: "documents.text",
    summary: "The text of a document, in which citations count",
    access: READ,
    params: DocumentParams,
    response: z.strictObject({ text: z.string().nullable() }),
    effect: "pure",
    handler: async ({ params, principal, services }) =>
      ok({ text: await services.documents.text(principal.tenantId, params.id, params.documentId) }),
  }),
  defineRoute({
    method: "GET",
    path: "vector-stores/[id]/documents/[documentId]/chunks",
    operation: "documents.chunks",
    summary: "The passages of a document, as they are found",
    access: READ,
    params: DocumentParams,
    query: ListQuerySchema,
    response: z.array(DocumentChunkSchema),
    effect: "pure",
    handler: async ({ params, query, principal, services }) => {
      const listing = toListParams(query);
      const { chunks, total } = await services.documents.chunks(principal, params.id, params.documentId, listing);
      return listReply("chunks", listing, chunks, total);
    },
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/documents/[documentId]/retry",
    operation: "documents.retry",
    summary: "Take a document that failed in once more; any other stays as it is",
    access: UPDATE,
    params: DocumentParams,
    response: KnowledgeDocumentSchema,
    effect: "idempotent",
    handler: async ({ params, principal, services }) =>
      accepted(await services.documents.retry(principal.tenantId, params.id, params.documentId)),
  }),
  defineRoute({
    method: "POST",
    path: "vector-stores/[id]/documents/[documentId]/recognize",
    operation: "documents.recognize",
    summary: "Recognize the text of pages that have none, such as scans",
    description: `The document is taken in anew, and what was found of it is found until then; \`recognition\` says how far it is. It takes seconds a page. In the same languages only one that failed is. ${STATUS}`,
    access: UPDATE,
    params: DocumentParams,
    body: RecognizeTextSchema,
    response: KnowledgeDocumentSchema,
    effect: "idempotent",
    handler: async ({ params, body, principal, services }) => {
      const { id, documentId } = params;
      return accepted(await services.documents.recognize(principal.tenantId, id, documentId, body.languages));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "vector-stores/[id]/documents/[documentId]",
    operation: "documents.delete",
    summary: "Delete a document with what was made of it",
    access: UPDATE,
    params: DocumentParams,
    effect: "idempotent",
    handler: async ({ params, principal, services }) => {
      await services.documents.remove(principal.tenantId, params.id, params.documentId);
      return noContent();
    },
  }),
];
