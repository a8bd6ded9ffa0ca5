import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppStory, startApps } from "../../testing/app-story.ts";
import { type PlainRow, runRow, runRows } from "../../testing/plain-story.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
afterAll(() => story.stop());

const ONE: readonly PlainRow[] = [
  {
    node: [
      "travisCi",
      1,
      { operation: "trigger", slug: "={{ $json.s }}", branch: "main", additionalFields: { message: "m" } },
    ],
    input: { s: "a/b" },
    answers: [{ id: 1 }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.travis-ci.com/repo/a%2Fb/requests",
        authorization: "token secret of travis-ci",
        body: { request: { branch: "main", message: "m" } },
      },
    ],
  },
  {
    node: ["circleCi", 1, { vcs: "github", projectSlug: "a/b", pipelineNumber: 4 }],
    answers: [{ id: "c" }],
    reads: "={{ $json.id }}",
    read: "c",
    asked: [{ method: "GET", url: "https://circleci.com/api/v2/project/github/a%2Fb/pipeline/4" }],
  },
  {
    node: [
      "netlify",
      1,
      { operation: "create", siteId: "s", additionalFields: { title: "={{ $json.t }}", branch: "main" } },
    ],
    input: { t: "T" },
    answers: [{ id: "d" }],
    reads: "={{ $json.id }}",
    read: "d",
    asked: [
      {
        method: "POST",
        url: "https://api.netlify.com/api/v1/sites/s/deploys?title=T",
        authorization: "Bearer secret of netlify",
        body: { branch: "main" },
      },
    ],
  },
  {
    node: [
      "harvest",
      1,
      {
        resource: "client",
        operation: "create",
        accountId: "7",
        name: "={{ $json.n }}",
        additionalFields: { currency: "CHF" },
      },
    ],
    input: { n: "Acme" },
    answers: [{ id: 1 }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.harvestapp.com/v2/clients",
        authorization: "Bearer secret of harvest",
        body: { name: "Acme", currency: "CHF" },
      },
    ],
  },
  {
    node: [
      "medium",
      1,
      {
        title: "={{ $json.t }}",
        content: "c",
        contentFormat: "markdown",
        additionalFields: { publishStatus: "draft" },
      },
    ],
    input: { t: "T" },
    answers: [{ data: { id: "u1" } }, { data: { id: "p1" } }],
    reads: "={{ $json.id }}",
    read: "p1",
    asked: [
      { method: "GET", url: "https://api.medium.com/v1/me", authorization: "Bearer secret of medium" },
      {
        method: "POST",
        url: "https://api.medium.com/v1/users/u1/posts",
        authorization: "Bearer secret of medium",
        body: { tags: [], title: "T", contentFormat: "markdown", content: "c", publishStatus: "draft" },
      },
    ],
  },
  {
    node: ["nasa", 1, { download: false, additionalFields: { date: "2026-01-02T00:00:00" } }],
    answers: [{ title: "Sky" }],
    reads: "={{ $json.title }}",
    read: "Sky",
    asked: [{ method: "GET", url: "https://api.nasa.gov/planetary/apod?api_key=secret+of+nasa&date=2026-01-02" }],
  },
  {
    node: [
      "coinGecko",
      1,
      { operation: "price", baseCurrencies: ["bitcoin"], quoteCurrencies: ["eur", "usd"], options: {} },
    ],
    answers: [{ bitcoin: { eur: 1 } }],
    reads: "={{ $json.bitcoin.eur }}",
    read: "1",
    asked: [
      { method: "GET", url: "https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&vs_currencies=eur%2Cusd" },
    ],
  },
  {
    node: ["lingvaNex", 1, { text: "={{ $json.t }}", translateTo: "de_DE", options: {} }],
    input: { t: "Hi" },
    answers: [{ err: null, result: "Hallo" }],
    reads: "={{ $json.result }}",
    read: "Hallo",
    asked: [
      {
        method: "POST",
        url: "https://api-b2b.backenster.com/b1/api/v3/translate",
        authorization: "Bearer secret of lingvanex",
        body: { to: "de_DE", data: "Hi", platform: "api" },
      },
    ],
  },
  {
    node: ["disqus", 1, { id: "={{ $json.f }}", additionalFields: {} }],
    input: { f: "news" },
    answers: [{ response: { name: "N" } }],
    reads: "={{ $json.name }}",
    read: "N",
    asked: [
      { method: "GET", url: "https://disqus.com/api/3.0/forums/details.json?api_key=secret+of+disqus&forum=news" },
    ],
  },
  {
    node: [
      "raindrop",
      1,
      {
        resource: "bookmark",
        operation: "create",
        link: "={{ $json.l }}",
        collectionId: "3",
        additionalFields: { tags: "a, b", pleaseParse: true },
      },
    ],
    input: { l: "https://x.y" },
    answers: [{ item: { _id: 1 } }],
    reads: "={{ $json._id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.raindrop.io/rest/v1/raindrop",
        authorization: "Bearer secret of raindrop",
        body: { link: "https://x.y", tags: ["a", "b"], collection: { $id: "3" }, pleaseParse: {} },
      },
    ],
  },
  {
    node: ["twist", 1, { workspaceId: 1, conversationId: 2, content: "={{ $json.c }}", additionalFields: {} }],
    input: { c: "Hi" },
    answers: [{ id: 3 }],
    reads: "={{ $json.id }}",
    read: "3",
    asked: [
      {
        method: "POST",
        url: "https://api.twist.com/api/v3/conversation_messages/add",
        authorization: "Bearer secret of twist",
        body: { content: "Hi", workspace_id: 1, conversation_id: 2 },
      },
    ],
  },
  {
    node: [
      "uproc",
      1,
      { tool: "getCompanyByName", group: "company", name: "={{ $json.n }}", country: "CH", additionalOptions: {} },
    ],
    input: { n: "Acme" },
    answers: [{ message: { name: "Acme" } }],
    reads: "={{ $json.message.name }}",
    read: "Acme",
    asked: [
      {
        method: "POST",
        url: "https://api.uproc.io/api/v2/process",
        authorization: "Basic secret of uproc",
        body: { params: { name: "Acme", country: "CH" }, processor: "get-company-by-name" },
      },
    ],
  },
  {
    node: ["github", 1, { resource: "repository", operation: "getProfile", owner: "o", repository: "={{ $json.r }}" }],
    input: { r: "n" },
    answers: [{ health_percentage: 9 }],
    reads: "={{ $json.health_percentage }}",
    read: "9",
    asked: [
      {
        method: "GET",
        url: "https://api.github.com/repos/o/n/community/profile",
        authorization: "Bearer secret of github",
      },
    ],
  },
  {
    node: [
      "github",
      1,
      {
        resource: "release",
        owner: "o",
        repository: "r",
        releaseTag: "={{ $json.t }}",
        additionalFields: { name: "N" },
      },
    ],
    input: { t: "v1" },
    answers: [{ id: 1 }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.github.com/repos/o/r/releases",
        authorization: "Bearer secret of github",
        body: { name: "N", tag_name: "v1" },
      },
    ],
  },
  {
    node: [
      "github",
      1.1,
      {
        resource: "review",
        event: "requestChanges",
        owner: "o",
        repository: "r",
        pullRequestNumber: "={{ $json.p }}",
        body: "B",
        additionalFields: {},
      },
    ],
    input: { p: 4 },
    answers: [{ id: 1 }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.github.com/repos/o/r/pulls/4/reviews",
        authorization: "Bearer secret of github",
        body: { body: "B", event: "REQUEST_CHANGES" },
      },
    ],
  },
  {
    node: [
      "n8n",
      1,
      {
        operation: "update",
        workflowId: { __rl: true, mode: "id", value: "={{ $json.w }}" },
        workflowObject: "={{ JSON.stringify($json.o) }}",
        requestOptions: {},
      },
    ],
    input: { w: "7", o: { name: "N" } },
    answers: [{ id: "7" }],
    reads: "={{ $json.id }}",
    read: "7",
    asked: [{ method: "PUT", url: "https://n8n.invalid/workflows/7", body: { name: "N" } }],
  },
  {
    node: [
      "n8n",
      1,
      {
        resource: "execution",
        operation: "get",
        executionId: "={{ $json.e }}",
        options: { activeWorkflows: true },
        requestOptions: {},
      },
    ],
    input: { e: "9" },
    answers: [{ id: "9" }],
    reads: "={{ $json.id }}",
    read: "9",
    asked: [{ method: "GET", url: "https://n8n.invalid/executions/9?includeData=true" }],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: ["openThesaurus", 1, { text: "={{ $json.w }}", options: {} }],
    input: { w: "gut" },
    answers: [{ synsets: [{ id: 1 }] }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "1" } }],
    asked: [{ method: "GET", url: "https://www.openthesaurus.de/synonyme/search?q=gut&format=application%2Fjson" }],
  },
  {
    node: [
      "github",
      1.1,
      {
        resource: "repository",
        owner: { __rl: true, mode: "name", value: "o" },
        repository: { __rl: true, mode: "name", value: "r" },
        getRepositoryIssuesFilters: { state: "open" },
        limit: 2,
      },
    ],
    answers: [[{ number: 1 }, { number: 2 }]],
    reads: "={{ $json.number }}",
    read: [{ output: { u: "1" } }, { output: { u: "2" } }],
    asked: [
      {
        method: "GET",
        url: "https://api.github.com/repos/o/r/issues?state=open&per_page=2",
        authorization: "Bearer secret of github",
      },
    ],
  },
];

it("nodes of these apps ask what they ask in n8n, and hand on what they hand on there", async () => {
  const { status, error, output, asked } = await runRows(story, ONE);
  expect([status, error]).toEqual(["completed", null]);
  expect(asked).toEqual(ONE.flatMap((row) => row.asked));
  expect(output).toEqual(Object.fromEntries(ONE.map(({ read }, index) => [`r${index}`, read])));
});

it.each(LISTS)("$node hands on a list", async (row) => {
  const { status, error, output, asked } = await runRow(story, row);
  expect([status, error]).toEqual(["completed", null]);
  expect(asked).toEqual(row.asked);
  expect(output).toMatchObject({ items: row.read });
});
