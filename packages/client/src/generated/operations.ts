/* Written by `pnpm client:types` from the routes of the modules; change the route instead. */

/** What each route takes and answers. Paths are below `/api`. */
export interface Operations {
  /** Delete a connection */
  "DELETE /a2a-connections/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Disconnect a program: all its tokens end */
  "DELETE /account/connected-apps/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Unlink an account of yours */
  "DELETE /account/linked-accounts/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** End one of one's own sessions */
  "DELETE /account/sessions/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Forget a memory */
  "DELETE /agent-memory/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a conversation; its runs stay */
  "DELETE /agent-sessions/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Take back a score that you gave */
  "DELETE /agent-workflow-executions/{id}/scores/{scoreId}": {
    path: {
      id: number;
      scoreId: number;
    };
    answer: unknown;
  };
  /** Delete an agent workflow; 409 while runs are live, unless force=true cancels them */
  "DELETE /agent-workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      force?: "true" | "false";
    };
    answer: unknown;
  };
  /** Let all new runs take the live version again */
  "DELETE /agent-workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    answer: CanaryReport;
  };
  /** Discard the draft of an agent workflow, if it is of the revision that is named */
  "DELETE /agent-workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      revision?: number;
    };
    answer: unknown;
  };
  /**
   * Delete an agent with its sessions and its own workflow
   *
   * 409 while it has runs that have not ended; `force=true` cancels them.
   */
  "DELETE /agents/{id}": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      force?: "true" | "false";
    };
    answer: unknown;
  };
  /**
   * Delete a model alias
   *
   * Workflows that name it fail from then on: no other model is taken in its place.
   */
  "DELETE /ai-aliases/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a model budget */
  "DELETE /ai-budgets/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a guardrail */
  "DELETE /ai-guardrails/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a price of a model */
  "DELETE /ai-prices/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a model provider of one's own */
  "DELETE /ai-providers/{id}": {
    path: {
      id: string;
    };
    answer: unknown;
  };
  /** Delete a model rate limit */
  "DELETE /ai-rate-limits/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a connection with its operations and accounts */
  "DELETE /api-connections/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Disconnect the caller's own account */
  "DELETE /api-connections/{id}/account": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Disconnect a person's account, or with 0 the shared one */
  "DELETE /api-connections/{id}/accounts/{userId}": {
    path: {
      id: number;
      userId: number;
    };
    answer: unknown;
  };
  /** Revoke an API key; it stops working within a second */
  "DELETE /api-keys/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a bot with its messages; conversations and runs stay */
  "DELETE /bots/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a chat with all that was said; its runs stay */
  "DELETE /chat-sessions/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Disconnect a program of a user of this tenant: all its tokens end */
  "DELETE /connected-apps/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete an embed, with its visitors and what they said */
  "DELETE /embeds/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a case; results that it has stay */
  "DELETE /eval-cases/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a dataset with its cases and evaluations; the runs of its cases stay */
  "DELETE /eval-datasets/{id}": {
    path: {
      id: IdOrSlug;
    };
    answer: unknown;
  };
  /** Delete an evaluation that has ended, with its results */
  "DELETE /eval-runs/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete an event subscription with its deliveries, also those that were not sent yet */
  "DELETE /event-subscriptions/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete an event wiring with its trigger and its workflow; runs stay */
  "DELETE /event-wirings/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a chain of executors with its schedule and its runs */
  "DELETE /executor-chains/{workflow}": {
    path: {
      workflow: WorkflowId;
    };
    answer: unknown;
  };
  /** Delete a policy on graphs */
  "DELETE /graph-policies/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Let what was held go on */
  "DELETE /holds/{id}": {
    path: {
      id: number;
    };
    answer: {
      id: number;
    };
  };
  /**
   * Deliver to a webhook trigger by DELETE
   *
   * Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.
   */
  "DELETE /hooks/{token}": {
    path: {
      token: string;
    };
    answer: unknown;
  };
  /** Revoke an open invitation */
  "DELETE /invitations/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a agent step, also out of its workflow */
  "DELETE /linear-agent-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a stop checker, also out of its workflow */
  "DELETE /linear-checker-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a data container that nothing uses, with its values */
  "DELETE /linear-data-containers/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a value that a client put into a data container */
  "DELETE /linear-data-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a LLM step, also out of its workflow */
  "DELETE /linear-llm-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a record of a step that is run elsewhere */
  "DELETE /linear-step-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a trigger; its workflow has none from then on */
  "DELETE /linear-triggers/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a run of a linear workflow that has ended, with its steps and its data */
  "DELETE /linear-workflow-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a linear workflow with its trigger, its steps and its runs */
  "DELETE /linear-workflows/{uuid}": {
    path: {
      uuid: string;
    };
    answer: unknown;
  };
  /** Delete a step of a linear workflow, whatever its type */
  "DELETE /linear-workflows/{uuid}/steps/{step}": {
    path: {
      uuid: string;
      step: string;
    };
    answer: LinearWorkflow;
  };
  /** Take a linear workflow's trigger away */
  "DELETE /linear-workflows/{uuid}/trigger": {
    path: {
      uuid: string;
    };
    answer: LinearWorkflow;
  };
  /** Delete a connection with its tools and credentials */
  "DELETE /mcp-connections/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The platform itself as an MCP server (Streamable HTTP) */
  "DELETE /mcp/oven": {
    answer: unknown;
  };
  /** A trigger as a tool on an MCP server (Streamable HTTP) */
  "DELETE /mcp/triggers/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** A workflow as an MCP server (Streamable HTTP) */
  "DELETE /mcp/{slug}": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** Remove a configuration value: what is weaker holds again */
  "DELETE /module-configs/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a rule; what it has sent stays in the log */
  "DELETE /notification-rules/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Remove a role that no user has */
  "DELETE /roles/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a routed graph with its conversations */
  "DELETE /routed-graphs/{graph}": {
    path: {
      graph: string;
    };
    answer: unknown;
  };
  /** Delete a judge; the scores that it gave stay */
  "DELETE /score-judges/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a secret; calls that refer to it fail from then on */
  "DELETE /secrets/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a session graph with its sessions */
  "DELETE /session-graphs/{graph}": {
    path: {
      graph: WorkflowId;
    };
    answer: unknown;
  };
  /** Take a table's tools from agents */
  "DELETE /table-tools/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Delete a table with all its rows and tools */
  "DELETE /tables/{id}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    answer: unknown;
  };
  /** Delete a row of a table; its version stands in `If-Match` */
  "DELETE /tables/{id}/rows/{row}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
      row: number;
    };
    answer: unknown;
  };
  /** Delete a trigger and its log of deliveries; its runs stay */
  "DELETE /triggers/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** Remove a user with their sessions and keys */
  "DELETE /users/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** What is not offered of OpenAI's API: 404 */
  "DELETE /v1/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** Delete a vector store with its items and documents */
  "DELETE /vector-stores/{id}": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    answer: unknown;
  };
  /** Delete a document with what was made of it */
  "DELETE /vector-stores/{id}/documents/{documentId}": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    answer: unknown;
  };
  /** Take back a score that you gave */
  "DELETE /workflow-executions/{id}/scores/{scoreId}": {
    path: {
      id: number;
      scoreId: number;
    };
    answer: unknown;
  };
  /** Delete a workflow; 409 while runs are live, unless force=true cancels them */
  "DELETE /workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      force?: "true" | "false";
    };
    answer: unknown;
  };
  /** Let all new runs take the live version again */
  "DELETE /workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    answer: CanaryReport;
  };
  /** Discard the draft of a workflow, if it is of the revision that is named */
  "DELETE /workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      revision?: number;
    };
    answer: unknown;
  };
  /** The authorization server */
  "GET /.well-known/oauth-authorization-server": {
    answer: unknown;
  };
  /** The authorization server */
  "GET /.well-known/oauth-authorization-server/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** What takes OAuth tokens */
  "GET /.well-known/oauth-protected-resource": {
    answer: unknown;
  };
  /** What takes OAuth tokens at one address */
  "GET /.well-known/oauth-protected-resource/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** The public keys that sign receipts, and those that did */
  "GET /.well-known/oven-receipts.json": {
    answer: {
      issuer: string;
      keys: {
        kty: "OKP";
        crv: "Ed25519";
        alg: "EdDSA";
        use: "sig";
        kid: string;
        x: string;
        from: string;
        until: string | null;
      }[];
    };
  };
  /** List the outside A2A agents that are connected */
  "GET /a2a-connections": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    }[];
  };
  /** Get a connected A2A agent */
  "GET /a2a-connections/{id}": {
    path: {
      id: number;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** The A2A agent card of an exported agent */
  "GET /a2a/agents/{slug}/.well-known/agent-card.json": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** The A2A agent card of an exported workflow */
  "GET /a2a/{slug}/.well-known/agent-card.json": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** Programs that act in one's name over MCP */
  "GET /account/connected-apps": {
    answer: ConnectedApp[];
  };
  /** What a program asks to do in one's name */
  "GET /account/connection-request": {
    query: {
      client_id: string;
      resource: string;
      redirect_uri?: string;
    };
    answer: ConnectionRequest;
  };
  /** Your accounts in messengers that decide in your name */
  "GET /account/linked-accounts": {
    answer: LinkedAccount[];
  };
  /** Which account an address would link to you; it links nothing */
  "GET /account/linked-accounts/link": {
    query: {
      token: string;
    };
    answer: AccountLink;
  };
  /** The caller's own passkeys */
  "GET /account/passkeys": {
    answer: Passkey[];
  };
  /** All of one's own data as JSON, without secrets; the export itself is written down */
  "GET /account/personal-data": {
    answer: unknown;
  };
  /** How one proves beside the password that it is oneself */
  "GET /account/second-factor": {
    answer: SecondFactor;
  };
  /** Where one is signed in */
  "GET /account/sessions": {
    answer: UserSession[];
  };
  /**
   * List what agents remember
   *
   * Filter by `agentId`, `agentWorkflowId`, `userId` (null: shared), `key`, or `q` for words in it.
   */
  "GET /agent-memory": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: MemoryEntry[];
  };
  /** One memory */
  "GET /agent-memory/{id}": {
    path: {
      id: number;
    };
    answer: MemoryEntry;
  };
  /** List your conversations with agents */
  "GET /agent-sessions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: AgentSession[];
  };
  /** Get a conversation */
  "GET /agent-sessions/{id}": {
    path: {
      id: number;
    };
    answer: AgentSession;
  };
  /** What was said, oldest first, each with the run it belongs to */
  "GET /agent-sessions/{id}/messages": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: AgentMessage[];
  };
  /** How many conversations each agent has, and when something was last said to it */
  "GET /agent-stats": {
    answer: AgentStats[];
  };
  /** List runs of agent workflows */
  "GET /agent-workflow-executions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ExecutionSummary[];
  };
  /**
   * Failed runs of agent workflows of the last days by code, step and message
   *
   * Numbers, ids, addresses and what stands in quotes are taken out of messages, so that one cause is one group.
   */
  "GET /agent-workflow-executions/failures": {
    query?: {
      workflow?: IdOrSlug;
      days?: number;
    };
    answer: RunFailures;
  };
  /** What runs of agent workflows came to in the last days, by day (UTC) or by workflow */
  "GET /agent-workflow-executions/stats": {
    query?: {
      by?: "day" | "workflow";
      days?: number;
    };
    answer: RunStats[];
  };
  /** A run with its context and node runs; of many the newest, and `nodesTotal` */
  "GET /agent-workflow-executions/{id}": {
    path: {
      id: number;
    };
    answer: ExecutionOutput;
  };
  /** The checkpoints of a run, where it stood after each of its moves: `range=[0,999]` */
  "GET /agent-workflow-executions/{id}/checkpoints": {
    path: {
      id: number;
    };
    query?: {
      range?: string;
    };
    answer: RunCheckpoint[];
  };
  /** A run as it stood at a checkpoint: context, state, and what the move changed */
  "GET /agent-workflow-executions/{id}/checkpoints/{seq}": {
    path: {
      id: number;
      seq: number;
    };
    answer: RunCheckpointDetail;
  };
  /** Whether a run could go on with another version of its workflow, or with its draft */
  "GET /agent-workflow-executions/{id}/compatibility": {
    path: {
      id: number;
    };
    query?: {
      version?: "current" | "draft" | number;
      nodeId?: string;
    };
    answer: CompatibilityReport;
  };
  /** The definition that a run is pinned to: of its version, or of the draft that it tested */
  "GET /agent-workflow-executions/{id}/definition": {
    path: {
      id: number;
    };
    answer: RunDefinition;
  };
  /**
   * The run's log as server-sent events, from the beginning, after `Last-Event-ID`, or `from=now`
   *
   * With `children=true` the logs of its children too, in one stream; its ids are then opaque. Stays open while the run waits, and closes after `end`.
   */
  "GET /agent-workflow-executions/{id}/events": {
    path: {
      id: number;
    };
    query?: {
      from?: "now";
      children?: "true" | "false";
    };
    answer: unknown;
  };
  /** Everything that is known of a run and of its children, as one JSON file */
  "GET /agent-workflow-executions/{id}/export": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The node runs of a run, in order: `range=[0,999]` */
  "GET /agent-workflow-executions/{id}/nodes": {
    path: {
      id: number;
    };
    query?: {
      range?: string;
    };
    answer: NodeRun[];
  };
  /**
   * The signed receipt of a run that has ended, for `oven verify`
   *
   * One line of at most 2 KB. It is signed when it is first asked for, and the same from then on. With `certificate=true` what is proved of the policies of its version stands beside it.
   */
  "GET /agent-workflow-executions/{id}/receipt": {
    path: {
      id: number;
    };
    query?: {
      certificate?: "true" | "false";
    };
    answer: unknown;
  };
  /**
   * The log that a run's receipt is about, one entry a line
   *
   * Entries have their data as long as the run has its own; their digests, which the receipt is about, always.
   */
  "GET /agent-workflow-executions/{id}/receipt/log": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The scores of a run */
  "GET /agent-workflow-executions/{id}/scores": {
    path: {
      id: number;
    };
    answer: RunScore[];
  };
  /** Names of agent workflows that people take for each other, in groups */
  "GET /agent-workflow-lookalikes": {
    answer: LookalikeGroups;
  };
  /** The tags that agent workflows carry, the most used first */
  "GET /agent-workflow-tags": {
    answer: TagCount[];
  };
  /** List agent workflows */
  "GET /agent-workflows": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Workflow[];
  };
  /** Get an agent workflow by id or slug */
  "GET /agent-workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    answer: Workflow;
  };
  /** The candidate of an agent workflow beside the live version, since it takes runs */
  "GET /agent-workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    answer: CanaryReport;
  };
  /** The draft of an agent workflow; 404 when there is none */
  "GET /agent-workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    answer: WorkflowDraft;
  };
  /** The published definition of an agent workflow for XState (JSON or TypeScript) or Mermaid */
  "GET /agent-workflows/{id}/export": {
    path: {
      id: IdOrSlug;
    };
    query: {
      format: ExportFormat;
    };
    answer: unknown;
  };
  /** Moves of waiting runs of an agent workflow to other versions, the newest first */
  "GET /agent-workflows/{id}/migrations": {
    path: {
      id: IdOrSlug;
    };
    answer: RunMigration[];
  };
  /** How many runs of an agent workflow wait on other versions than the published one */
  "GET /agent-workflows/{id}/migrations/waiting": {
    path: {
      id: IdOrSlug;
    };
    answer: {
      count: number;
      version: number;
    };
  };
  /** A move of waiting runs, how far it is, and which runs it left out */
  "GET /agent-workflows/{id}/migrations/{migrationId}": {
    path: {
      id: IdOrSlug;
      migrationId: number;
    };
    answer: RunMigration;
  };
  /** Whether the person who started a run of the agent workflow is notified of its end */
  "GET /agent-workflows/{id}/notify": {
    path: {
      id: string;
    };
    answer: WorkflowNotify;
  };
  /** The agent workflow with what it calls, as one file for another installation */
  "GET /agent-workflows/{id}/promotion": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      /** Of the workflow itself; else what is published */
      version?: number;
      triggers?: "true" | "false";
    };
    answer: PromotionFileOutput;
  };
  /** What scores say of the runs of an agent workflow, by name, version and day (UTC) */
  "GET /agent-workflows/{id}/scores": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      days?: number;
    };
    answer: ScoreSummary[];
  };
  /** Inputs and pinned outputs that the editors of an agent workflow test it with */
  "GET /agent-workflows/{id}/test-data": {
    path: {
      id: IdOrSlug;
    };
    answer: TestData;
  };
  /** The published versions, newest first */
  "GET /agent-workflows/{id}/versions": {
    path: {
      id: IdOrSlug;
    };
    answer: WorkflowVersion[];
  };
  /** What two versions of an agent workflow differ in, by state */
  "GET /agent-workflows/{id}/versions/compare": {
    path: {
      id: IdOrSlug;
    };
    query: {
      from: number;
      to: number;
    };
    answer: VersionComparison;
  };
  /** One published version */
  "GET /agent-workflows/{id}/versions/{versionId}": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: WorkflowVersion;
  };
  /** What a published version may do: the permissions it needs and has, and those it lacks */
  "GET /agent-workflows/{id}/versions/{versionId}/grant": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: GrantReport;
  };
  /** List agents */
  "GET /agents": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Agent[];
  };
  /** Get an agent */
  "GET /agents/{id}": {
    path: {
      id: IdOrSlug;
    };
    answer: Agent;
  };
  /** What would be without an agent: its conversations, and workflows that name it */
  "GET /agents/{id}/uses": {
    path: {
      id: IdOrSlug;
    };
    answer: AgentUses;
  };
  /** An agent's versions, newest first */
  "GET /agents/{id}/versions": {
    path: {
      id: IdOrSlug;
    };
    answer: AgentVersion[];
  };
  /** What a version of an agent may do: the permissions it needs and has, and those it lacks */
  "GET /agents/{id}/versions/{versionId}/grant": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: GrantReport;
  };
  /** What has become of an agent's run: the reply, as `invoke` gives it */
  "GET /agents/{slug}/runs/{id}": {
    path: {
      slug: IdOrSlug;
      id: number;
    };
    query?: {
      wait?: number;
    };
    answer: AgentReply;
  };
  /** List model aliases and what each stands for now */
  "GET /ai-aliases": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ModelAlias[];
  };
  /** Get a model alias and what it stands for now */
  "GET /ai-aliases/{id}": {
    path: {
      id: number;
    };
    answer: ModelAlias;
  };
  /** List model budgets */
  "GET /ai-budgets": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ModelBudget[];
  };
  /** Get a model budget */
  "GET /ai-budgets/{id}": {
    path: {
      id: number;
    };
    answer: ModelBudget;
  };
  /** What was spent of a model budget, latest first */
  "GET /ai-budgets/{id}/spend": {
    path: {
      id: number;
    };
    answer: BudgetSpend[];
  };
  /** List guardrails */
  "GET /ai-guardrails": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Guardrail[];
  };
  /** Get a guardrail */
  "GET /ai-guardrails/{id}": {
    path: {
      id: number;
    };
    answer: Guardrail;
  };
  /**
   * List the models of every provider that is set up, as the provider tells them
   *
   * `problem` where a provider could not be asked. Answers are remembered for some minutes.
   */
  "GET /ai-models": {
    answer: ProviderModels[];
  };
  /** List prices of models */
  "GET /ai-prices": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ModelPrice[];
  };
  /** Get a price of a model */
  "GET /ai-prices/{id}": {
    path: {
      id: number;
    };
    answer: ModelPrice;
  };
  /** List the kinds of model providers that can be set up */
  "GET /ai-provider-kinds": {
    answer: ProviderKindInfo[];
  };
  /** List model providers and whether they are configured */
  "GET /ai-providers": {
    answer: ModelProvider[];
  };
  /** Get a model provider */
  "GET /ai-providers/{id}": {
    path: {
      id: string;
    };
    answer: ModelProvider;
  };
  /** List model rate limits */
  "GET /ai-rate-limits": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ModelRateLimit[];
  };
  /** Get a model rate limit */
  "GET /ai-rate-limits/{id}": {
    path: {
      id: number;
    };
    answer: ModelRateLimit;
  };
  /** List model calls with tokens, cost and duration */
  "GET /ai-usage-logs": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: UsageRow[];
  };
  /**
   * What model calls came to, by day (UTC), model or workflow
   *
   * Days in order, models and workflows dearest first. Narrow it with `from` and `to` (instants), `workflow` and `agent`.
   */
  "GET /ai-usage-logs/summary": {
    query?: {
      by?: "day" | "model" | "workflow";
      from?: string;
      to?: string;
      workflow?: string;
      agent?: string;
    };
    answer: UsageSummary[];
  };
  /** List where the caller may connect an account of their own, and where they have */
  "GET /api-accounts": {
    answer: ApiAccount[];
  };
  /** List well-known services with their documents, MCP addresses and ways to sign in */
  "GET /api-catalogue": {
    answer: CataloguedService[];
  };
  /** List the APIs that are connected */
  "GET /api-connections": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ApiConnection[];
  };
  /** Get a connected API */
  "GET /api-connections/{id}": {
    path: {
      id: number;
    };
    answer: ApiConnection;
  };
  /** List who has connected an account */
  "GET /api-connections/{id}/accounts": {
    path: {
      id: number;
    };
    answer: ApiAccountOwner[];
  };
  /** List the operations of a connected API, and which are approved */
  "GET /api-connections/{id}/operations": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ApiConnectionOperation[];
  };
  /** Get an operation with its schemas */
  "GET /api-connections/{id}/operations/{operationId}": {
    path: {
      id: number;
      operationId: number;
    };
    answer: ApiConnectionOperationDetail;
  };
  /** Where a service sends a person back to */
  "GET /api-connections/{id}/sign-in": {
    path: {
      id: number;
    };
    query?: {
      code?: string;
      state?: string;
      error?: string;
    };
    answer: unknown;
  };
  /** API keys; never their values */
  "GET /api-keys": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ApiKey[];
  };
  /**
   * Who did what, newest first unless sorted otherwise
   *
   * Filters besides the fields: `from` and `to`, instants; `q` looks into action, target and address.
   */
  "GET /audit-log": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: AuditEntry[];
  };
  /** The audit log as CSV or JSON, oldest first; the export itself is written down */
  "GET /audit-log/export": {
    query: {
      format: "csv" | "json";
      filter?: string;
    };
    answer: unknown;
  };
  /** Sign in and out (better-auth) */
  "GET /auth/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** The content that a reference `{$blob: id, …}` in a run stands for; takes `Range` */
  "GET /blobs/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** List the bots in Slack and Microsoft Teams */
  "GET /bots": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Bot[];
  };
  /** Get a bot */
  "GET /bots/{id}": {
    path: {
      id: number;
    };
    answer: Bot;
  };
  /** Your conversations with the builder about an agent workflow, the newest first */
  "GET /builder/conversations": {
    query: {
      workflowId: number;
    };
    answer: Building[];
  };
  /** Repairs of agent workflows, the newest first */
  "GET /builder/repairs": {
    query?: {
      workflowId?: number;
    };
    answer: RepairSummary[];
  };
  /**
   * A repair: what it changes, and what was found of it
   *
   * The proposal is there once it is proved.
   */
  "GET /builder/repairs/{executionId}": {
    path: {
      executionId: number;
    };
    answer: Repair;
  };
  /** List your chats */
  "GET /chat-sessions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ChatSession[];
  };
  /** Get a chat */
  "GET /chat-sessions/{id}": {
    path: {
      id: number;
    };
    answer: ChatSession;
  };
  /** What was said and what came of it, oldest first; `sort=["id","DESC"]` for the newest first */
  "GET /chat-sessions/{id}/messages": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ChatMessage[];
  };
  /** One message and what came of it */
  "GET /chat-sessions/{id}/messages/{messageId}": {
    path: {
      id: number;
      messageId: number;
    };
    answer: ChatMessage;
  };
  /** What was written, called and asked on the way to an answer */
  "GET /chat-sessions/{id}/messages/{messageId}/events": {
    path: {
      id: number;
      messageId: number;
    };
    answer: RunEvent[];
  };
  /**
   * The chat as server-sent events, from what goes on now or after `Last-Event-ID`; stays open
   *
   * `turn` (a message, as `messages` has it) when its run begins and when it has ended; between them the events of the run, each with `root`, the run of the message.
   */
  "GET /chat-sessions/{id}/stream": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** What you think of the answers, by message */
  "GET /chat-sessions/{id}/thumbs": {
    path: {
      id: number;
    };
    answer: ChatThumb[];
  };
  /** Agents and workflows that you may talk to; of a workflow that cannot be talked to as it is, why */
  "GET /chat-targets": {
    query?: {
      q?: string;
    };
    answer: ChatTarget[];
  };
  /** Programs that act in the names of this tenant's people over MCP, the latest first */
  "GET /connected-apps": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: OthersApp[];
  };
  /** How an embed looks, for a page that shows it */
  "GET /embed/{publicId}": {
    path: {
      publicId: string;
    };
    answer: {
      mode: "chat" | "form";
      theme: {
        accent: string;
        scheme: "auto" | "light" | "dark";
        corner: "right" | "left";
        title: string;
        greeting: string;
        /** Empty: a word in the language of the page */
        placeholder: string;
      };
      messageLength: number;
      form: {
        /** Empty: a word in the language of the page */
        submitLabel: string;
        /** Empty: a sentence in the language of the page */
        thanks: string;
        /** Whether the visitor sees the output of the run */
        showAnswer: boolean;
      };
      fields: FormField[];
    };
  };
  /** The messages of the visitor's conversation */
  "GET /embed/{publicId}/messages": {
    path: {
      publicId: string;
    };
    answer: {
      id: number;
      message: string;
      answer: string | null;
      status: "working" | "waiting" | "completed" | "failed";
      questions: {
        id: number;
        title: string;
        text: string | null;
        fields: FormField[] | null;
        digest: string;
      }[];
      createdAt: string;
    }[];
  };
  /** The answer of a message as it is written, as server-sent events: `text`, `message`, `closed` */
  "GET /embed/{publicId}/messages/{id}/stream": {
    path: {
      publicId: string;
      id: number;
    };
    answer: unknown;
  };
  /** List the embeds: agents and workflows that pages of other sites show */
  "GET /embeds": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: {
      name: string;
      enabled: boolean;
      mode: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input: JsonSchemaDocument;
      origins: string[];
      theme: {
        accent: string;
        scheme: "auto" | "light" | "dark";
        corner: "right" | "left";
        title: string;
        greeting: string;
        /** Empty: a word in the language of the page */
        placeholder: string;
      };
      limits: {
        /** Messages of one visitor */
        visitorPerHour: number;
        /** Messages of all visitors */
        embedPerHour: number;
        /** Characters of a message */
        messageLength: number;
        /** A conversation is deleted after them */
        conversationHours: number;
      };
      form: {
        /** Empty: a word in the language of the page */
        submitLabel: string;
        /** Empty: a sentence in the language of the page */
        thanks: string;
        /** Whether the visitor sees the output of the run */
        showAnswer: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides: boolean;
      id: number;
      publicId: string;
      lastError: string | null;
      createdAt: string;
      updatedAt: string;
    }[];
  };
  /** Get an embed */
  "GET /embeds/{id}": {
    path: {
      id: number;
    };
    answer: {
      name: string;
      enabled: boolean;
      mode: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input: JsonSchemaDocument;
      origins: string[];
      theme: {
        accent: string;
        scheme: "auto" | "light" | "dark";
        corner: "right" | "left";
        title: string;
        greeting: string;
        /** Empty: a word in the language of the page */
        placeholder: string;
      };
      limits: {
        /** Messages of one visitor */
        visitorPerHour: number;
        /** Messages of all visitors */
        embedPerHour: number;
        /** Characters of a message */
        messageLength: number;
        /** A conversation is deleted after them */
        conversationHours: number;
      };
      form: {
        /** Empty: a word in the language of the page */
        submitLabel: string;
        /** Empty: a sentence in the language of the page */
        thanks: string;
        /** Whether the visitor sees the output of the run */
        showAnswer: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides: boolean;
      id: number;
      publicId: string;
      lastError: string | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** List cases; `filter.datasetId` names the dataset */
  "GET /eval-cases": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EvalCase[];
  };
  /** Get a case */
  "GET /eval-cases/{id}": {
    path: {
      id: number;
    };
    answer: EvalCase;
  };
  /** List datasets */
  "GET /eval-datasets": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EvalDataset[];
  };
  /** Get a dataset by id or slug */
  "GET /eval-datasets/{id}": {
    path: {
      id: IdOrSlug;
    };
    answer: EvalDataset;
  };
  /** A dataset as a file, or its cases as JSON lines */
  "GET /eval-datasets/{id}/export": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      format?: "json" | "jsonl";
    };
    answer: unknown;
  };
  /** List evaluations: runs of datasets */
  "GET /eval-runs": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EvalRun[];
  };
  /** Two evaluations of one dataset case by case, what changed first */
  "GET /eval-runs/compare": {
    query: {
      a: number;
      b: number;
    };
    answer: EvalComparison;
  };
  /** Get an evaluation with what its results add up to */
  "GET /eval-runs/{id}": {
    path: {
      id: number;
    };
    answer: EvalRun;
  };
  /** The results of an evaluation, case by case */
  "GET /eval-runs/{id}/results": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EvalResultOutput[];
  };
  /** List where events are posted to */
  "GET /event-subscriptions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EventSubscription[];
  };
  /** Get an event subscription */
  "GET /event-subscriptions/{id}": {
    path: {
      id: number;
    };
    answer: EventSubscription;
  };
  /** What was posted, what is due, and what was given up (`status` dead) */
  "GET /event-subscriptions/{id}/deliveries": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: SubscriptionDelivery[];
  };
  /** The events that modules emit, with the schemas of what they carry */
  "GET /event-types": {
    answer: EventType[];
  };
  /** List which events make which actions happen */
  "GET /event-wirings": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: EventWiring[];
  };
  /** Get an event wiring */
  "GET /event-wirings/{id}": {
    path: {
      id: number;
    };
    answer: EventWiring;
  };
  /**
   * What happened, the newest last, with what each listener made of it
   *
   * Filters: `name`, `pattern` (such as `agents-workflow.execution.*`), `from` and `to` (instants), `executionId`, `failed`.
   */
  "GET /events": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: LoggedEvent[];
  };
  /** Get an event */
  "GET /events/{id}": {
    path: {
      id: number;
    };
    answer: LoggedEvent;
  };
  /** Files, images and large outputs that a run of either kind, or a run inside it, made; takes `range` */
  "GET /executions/{id}/artefacts": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Artefact[];
  };
  /** Runs of one's chains that failed, or of which only a part succeeded, newest first */
  "GET /executor-chain-runs/failed": {
    query?: {
      workflow_id?: WorkflowId;
      limit?: number;
    };
    answer: ChainRun[];
  };
  /** A run of a chain of executors */
  "GET /executor-chain-runs/{run}": {
    path: {
      run: string;
    };
    answer: ChainRun;
  };
  /** The rows of a run's executors */
  "GET /executor-chain-runs/{run}/executors": {
    path: {
      run: string;
    };
    answer: ExecutorRun[];
  };
  /** What came of a run of a chain of executors */
  "GET /executor-chain-runs/{run}/result": {
    path: {
      run: string;
    };
    answer: ChainResult;
  };
  /** The rows of a run's calls of tools */
  "GET /executor-chain-runs/{run}/tool-calls": {
    path: {
      run: string;
    };
    answer: ChainToolCall[];
  };
  /** What each executor of a run did */
  "GET /executor-chain-runs/{run}/trace": {
    path: {
      run: string;
    };
    answer: ChainTrace;
  };
  /** List one's chains of executors */
  "GET /executor-chains": {
    query?: {
      status?: ChainStatus;
    };
    answer: Chain[];
  };
  /** Get a chain of executors by its id or its short name */
  "GET /executor-chains/{workflow}": {
    path: {
      workflow: WorkflowId;
    };
    answer: Chain;
  };
  /** The document of a chain of executors, to be imported elsewhere */
  "GET /executor-chains/{workflow}/export": {
    path: {
      workflow: WorkflowId;
    };
    answer: ChainSpecOutput;
  };
  /** Runs of a chain of executors, newest first */
  "GET /executor-chains/{workflow}/runs": {
    path: {
      workflow: WorkflowId;
    };
    answer: ChainRun[];
  };
  /** What a CEL expression can name: variables, functions, methods and macros */
  "GET /expressions/cel": {
    answer: CelLanguage;
  };
  /** The questions of a form */
  "GET /forms/{token}": {
    path: {
      token: string;
    };
    answer: PublicForm;
  };
  /** List policies on graphs */
  "GET /graph-policies": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: GraphPolicy[];
  };
  /** Get a policy on graphs */
  "GET /graph-policies/{id}": {
    path: {
      id: number;
    };
    answer: GraphPolicy;
  };
  /** A session of a graph: its state, and what it waits for */
  "GET /graph-sessions/{session}": {
    path: {
      session: string;
    };
    answer: GraphSession;
  };
  /** The state of a session as its document has it */
  "GET /graph-sessions/{session}/state": {
    path: {
      session: string;
    };
    answer: SessionState;
  };
  /** Whether the server and its database answer, and there is room to write */
  "GET /health": {
    answer: {
      status: "ok";
      database: "pglite" | "postgres";
      version: string;
      commit?: string;
      modules: string[];
    };
  };
  /** What begins no new step until it is let go on */
  "GET /holds": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Hold[];
  };
  /** One hold */
  "GET /holds/{id}": {
    path: {
      id: number;
    };
    answer: Hold;
  };
  /**
   * Deliver to a webhook trigger by GET
   *
   * Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.
   */
  "GET /hooks/{token}": {
    path: {
      token: string;
    };
    answer: unknown;
  };
  /** The installed modules: tables, applied migrations, permissions, routes, nodes and events */
  "GET /installation/modules": {
    answer: InstalledModule[];
  };
  /** What waits to be worked on, for how long, and what came of the last hour */
  "GET /installation/queue": {
    answer: Queue;
  };
  /** How long runs of this tenant are kept, what goes next, and when the last pass was */
  "GET /installation/retention": {
    answer: RetentionState;
  };
  /** The processes of this installation: which are alive, and which runs each holds */
  "GET /installation/workers": {
    answer: Workers;
  };
  /** Invitations of this tenant; never their links */
  "GET /invitations": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Invitation[];
  };
  /** List one's agent steps */
  "GET /linear-agent-steps": {
    answer: CustomAgent[];
  };
  /** Get a agent step */
  "GET /linear-agent-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: CustomAgent;
  };
  /** List one's stop checkers */
  "GET /linear-checker-steps": {
    answer: StopChecker[];
  };
  /** Get a stop checker */
  "GET /linear-checker-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: StopChecker;
  };
  /** List one's data containers */
  "GET /linear-data-containers": {
    answer: DataContainer[];
  };
  /** Get a data container */
  "GET /linear-data-containers/{uuid}": {
    path: {
      uuid: string;
    };
    answer: DataContainer;
  };
  /** The latest values of a data container, newest first */
  "GET /linear-data-containers/{uuid}/instances": {
    path: {
      uuid: string;
    };
    answer: DataContainerInstance[];
  };
  /** The newest value of a data container in a run, in full or as {uuid, summary} */
  "GET /linear-data-containers/{uuid}/resolve": {
    path: {
      uuid: string;
    };
    query: {
      workflow_instance_uuid: string;
      target_format: "compressed" | "uncompressed";
    };
    answer: Json;
  };
  /** A value of a data container */
  "GET /linear-data-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: DataContainerInstance;
  };
  /** List one's LLM steps */
  "GET /linear-llm-steps": {
    answer: CustomLlm[];
  };
  /** Get a LLM step */
  "GET /linear-llm-steps/{uuid}": {
    path: {
      uuid: string;
    };
    answer: CustomLlm;
  };
  /** The tools that agent steps may use */
  "GET /linear-mcp-tools": {
    answer: LinearTool[];
  };
  /** A step of a run of a linear workflow */
  "GET /linear-step-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: LinearStepInstance;
  };
  /** The kinds of triggers that a linear workflow may have */
  "GET /linear-trigger-types": {
    answer: TriggerType[];
  };
  /** List one's triggers of linear workflows */
  "GET /linear-triggers": {
    answer: LinearTrigger[];
  };
  /** Get a trigger of a linear workflow */
  "GET /linear-triggers/{uuid}": {
    path: {
      uuid: string;
    };
    answer: LinearTrigger;
  };
  /** A run of a linear workflow with its steps */
  "GET /linear-workflow-instances/{uuid}": {
    path: {
      uuid: string;
    };
    answer: LinearInstance;
  };
  /** The data that a run of a linear workflow has made */
  "GET /linear-workflow-instances/{uuid}/data": {
    path: {
      uuid: string;
    };
    answer: DataContainerInstance[];
  };
  /** The steps of a run of a linear workflow */
  "GET /linear-workflow-instances/{uuid}/steps": {
    path: {
      uuid: string;
    };
    answer: LinearStepInstance[];
  };
  /** List one's linear workflows */
  "GET /linear-workflows": {
    answer: LinearWorkflow[];
  };
  /** Get a linear workflow */
  "GET /linear-workflows/{uuid}": {
    path: {
      uuid: string;
    };
    answer: LinearWorkflow;
  };
  /** Get a linear workflow with its trigger and its steps */
  "GET /linear-workflows/{uuid}/details": {
    path: {
      uuid: string;
    };
    answer: LinearWorkflowWithDetails;
  };
  /** The latest runs of a linear workflow */
  "GET /linear-workflows/{uuid}/instances": {
    path: {
      uuid: string;
    };
    answer: LinearInstance[];
  };
  /** What keeps a linear workflow from running */
  "GET /linear-workflows/{uuid}/problems": {
    path: {
      uuid: string;
    };
    answer: LinearProblem[];
  };
  /** What is stored of a linear workflow, as the tables of its document have it */
  "GET /linear-workflows/{uuid}/rows/{table}": {
    path: {
      uuid: string;
      table: "workflows" | "workflow_steps" | "data_containers" | "triggers" | "workflow_instances" | "workflow_step_instances" | "data_container_instances";
    };
    answer: JsonSchemaDocument[];
  };
  /** Get a linear workflow's trigger */
  "GET /linear-workflows/{uuid}/trigger": {
    path: {
      uuid: string;
    };
    answer: LinearTrigger;
  };
  /** List the outside MCP servers that are connected */
  "GET /mcp-connections": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: McpConnection[];
  };
  /** What OVEN is as an OAuth client, for authorization servers */
  "GET /mcp-connections/client-metadata": {
    answer: {
      client_id: string;
    } & Record<string, unknown>;
  };
  /** Where an authorization server sends a person back to */
  "GET /mcp-connections/sign-in": {
    query: {
      code?: string;
      state: string;
      iss?: string;
      error?: string;
    };
    answer: unknown;
  };
  /** Get a connected MCP server */
  "GET /mcp-connections/{id}": {
    path: {
      id: number;
    };
    answer: McpConnection;
  };
  /** List the tools of a connected server, and which are approved */
  "GET /mcp-connections/{id}/tools": {
    path: {
      id: number;
    };
    answer: McpConnectionTool[];
  };
  /** MCP servers generated from workflows */
  "GET /mcp-servers": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: McpServer[];
  };
  /** One MCP server with its tools */
  "GET /mcp-servers/{id}": {
    path: {
      id: number;
    };
    answer: McpServer;
  };
  /** The platform itself as an MCP server (Streamable HTTP) */
  "GET /mcp/oven": {
    answer: unknown;
  };
  /** A trigger as a tool on an MCP server (Streamable HTTP) */
  "GET /mcp/triggers/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** A workflow as an MCP server (Streamable HTTP) */
  "GET /mcp/{slug}": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** What this process does, in the text format of Prometheus */
  "GET /metrics": {
    answer: unknown;
  };
  /** The agents and published workflows that name a model or an alias, as far as you may see them */
  "GET /model-uses": {
    query: {
      model: string;
    };
    answer: Uses;
  };
  /** List configuration values that differ from the defaults */
  "GET /module-configs": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ModuleConfig[];
  };
  /** Every configuration key with its default, the values stored for it, and which of them holds for you */
  "GET /module-configs/cascade": {
    answer: ConfigCascade[];
  };
  /** The value that holds for you, and where it comes from */
  "GET /module-configs/resolve": {
    query: {
      moduleName: string;
      key: string;
      scopeId?: string;
    };
    answer: ResolvedConfig;
  };
  /**
   * The values of several keys of a module, by key
   *
   * `keys` is comma-separated; without it every key is answered. `scopeId` counts for keys that have instances.
   */
  "GET /module-configs/resolve-batch": {
    query: {
      moduleName: string;
      keys?: string;
      scopeId?: string;
    };
    answer: Record<string, ResolvedConfig>;
  };
  /** Get a configuration value */
  "GET /module-configs/{id}": {
    path: {
      id: number;
    };
    answer: ModuleConfig;
  };
  /** The registered modules and what each brings */
  "GET /modules": {
    answer: {
      name: string;
      namespace: string;
      description: string;
      dependencies: string[];
      nodes: string[];
      tools: string[];
      events: string[];
      permissions: string[];
    }[];
  };
  /** Every node type with its schemas; `grouped=true` answers an object by category */
  "GET /node-types": {
    query?: {
      module?: string;
      category?: NodeCategory;
      grouped?: "true" | "false";
    };
    answer: NodeType[] | Record<string, NodeType[]>;
  };
  /** The messages that were sent, or are to be sent, with their attempts */
  "GET /notification-deliveries": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: NotificationDelivery[];
  };
  /** Get a message and what came of it */
  "GET /notification-deliveries/{id}": {
    path: {
      id: number;
    };
    answer: NotificationDelivery;
  };
  /** What you want to be notified of, which way, and when */
  "GET /notification-preferences": {
    answer: NotificationPreferencesOutput;
  };
  /** List the rules that say who is notified of what */
  "GET /notification-rules": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: NotificationRule[];
  };
  /** Get a rule */
  "GET /notification-rules/{id}": {
    path: {
      id: number;
    };
    answer: NotificationRule;
  };
  /** Your notifications; `filter={"readAt":null}` for what you have not read */
  "GET /notifications": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Notification[];
  };
  /** How much of it you have not read */
  "GET /notifications/unread": {
    answer: {
      unread: number;
    };
  };
  /** Get one of your notifications */
  "GET /notifications/{id}": {
    path: {
      id: number;
    };
    answer: Notification;
  };
  /** This API as OpenAPI 3.1 */
  "GET /openapi.json": {
    answer: unknown;
  };
  /** Every permission that an installed module declares */
  "GET /permissions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: PermissionInfo[];
  };
  /** All workflows, agents, triggers and columns of tables by their names, to keep them in version control */
  "GET /promotions/everything": {
    answer: PromotedEverything;
  };
  /** What people are asked to decide, and what they decided */
  "GET /reviews": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ReviewOutput[];
  };
  /** One review */
  "GET /reviews/{id}": {
    path: {
      id: number;
    };
    answer: ReviewOutput;
  };
  /** What people wrote about a review */
  "GET /reviews/{id}/comments": {
    path: {
      id: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ReviewComment[];
  };
  /**
   * What each decision of a review leads to, or led to
   *
   * The run is followed from where it stands, without calling anything: steps that only compute are computed, every other answer is assumed, and what follows from an assumed answer is marked. It stops where people or events decide. Needs the permission to read runs, too. Of a decided review: what its decision led to, and whether it came true.
   */
  "GET /reviews/{id}/consequences": {
    path: {
      id: number;
    };
    answer: Consequences;
  };
  /** Built-in roles and this tenant's own */
  "GET /roles": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Role[];
  };
  /** One role */
  "GET /roles/{id}": {
    path: {
      id: number;
    };
    answer: Role;
  };
  /** A conversation with all that was said */
  "GET /routed-conversations/{conversation}": {
    path: {
      conversation: WorkflowId;
    };
    answer: RoutedConversation;
  };
  /** List one's routed graphs */
  "GET /routed-graphs": {
    answer: RoutedGraph[];
  };
  /** Get a routed graph by the id of its document */
  "GET /routed-graphs/{graph}": {
    path: {
      graph: string;
    };
    answer: RoutedGraph;
  };
  /** The latest conversations with a routed graph */
  "GET /routed-graphs/{graph}/conversations": {
    path: {
      graph: string;
    };
    answer: RoutedConversation[];
  };
  /** A routed graph as it was written */
  "GET /routed-graphs/{graph}/export": {
    path: {
      graph: string;
    };
    answer: RoutedGraphSpec;
  };
  /** List judges of real runs; `filter.kind` and `filter.targetId` name the workflow */
  "GET /score-judges": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ScoreJudge[];
  };
  /** Get a judge */
  "GET /score-judges/{id}": {
    path: {
      id: number;
    };
    answer: ScoreJudge;
  };
  /** List secrets: names, hosts and last use, never values */
  "GET /secrets": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Secret[];
  };
  /** Get a secret's name, hosts and last use */
  "GET /secrets/{id}": {
    path: {
      id: number;
    };
    answer: Secret;
  };
  /** Who is signed in, and what they may do */
  "GET /session": {
    answer: Session;
  };
  /** List one's session graphs */
  "GET /session-graphs": {
    answer: SessionGraph[];
  };
  /** Get a session graph */
  "GET /session-graphs/{graph}": {
    path: {
      graph: WorkflowId;
    };
    answer: SessionGraph;
  };
  /** A session graph as it was written */
  "GET /session-graphs/{graph}/export": {
    path: {
      graph: WorkflowId;
    };
    answer: SessionGraphSpec;
  };
  /** The latest sessions of a graph, with their states */
  "GET /session-graphs/{graph}/sessions": {
    path: {
      graph: WorkflowId;
    };
    answer: GraphSession[];
  };
  /** Whether the first admin is still to be made */
  "GET /setup": {
    answer: {
      open: boolean;
    };
  };
  /** How one may sign in here */
  "GET /sign-in-methods": {
    answer: SignInMethods;
  };
  /** List what agents may do with tables */
  "GET /table-tools": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: TableTool[];
  };
  /** Get what agents may do with a table */
  "GET /table-tools/{id}": {
    path: {
      id: number;
    };
    answer: TableTool;
  };
  /** List tables with their columns */
  "GET /tables": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Table[];
  };
  /** Get a table with its columns */
  "GET /tables/{id}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    answer: Table;
  };
  /** All rows of a table as CSV */
  "GET /tables/{id}/export": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    answer: unknown;
  };
  /**
   * List rows of a table
   *
   * Sorted by a column, `id`, `createdAt` or `updatedAt`. `filter` has conditions by column, such as {"age":{"gte":18}}; `q` looks into all texts.
   */
  "GET /tables/{id}/rows": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
      q?: string;
    };
    answer: TableRow[];
  };
  /** Get a row of a table */
  "GET /tables/{id}/rows/{row}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
      row: number;
    };
    answer: TableRow;
  };
  /** The tenants of this installation; empty for users of any but the first */
  "GET /tenants": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Tenant[];
  };
  /** One tenant */
  "GET /tenants/{id}": {
    path: {
      id: number;
    };
    answer: Tenant;
  };
  /** Every row of a tenant as JSON, without secrets; for users of the first tenant; the export itself is written down */
  "GET /tenants/{id}/export": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The groups that tools come in: modules and connected servers */
  "GET /tool-groups": {
    answer: ToolGroup[];
  };
  /**
   * List the tools you may call, with their schemas
   *
   * With the filter `{"granted": [true, false]}` also those of modules that you may not call.
   */
  "GET /tools": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: CatalogTool[];
  };
  /** One tool with its schemas, and whether you may call it */
  "GET /tools/{id}": {
    path: {
      /** Id of the tool, such as `orders.get` */
      id: string;
    };
    answer: CatalogTool;
  };
  /** The agents and published workflows that name a tool, as far as you may see them */
  "GET /tools/{id}/uses": {
    path: {
      /** Id of the tool, such as `orders.get` */
      id: string;
    };
    answer: Uses;
  };
  /** What arrived at triggers, what was decided, and which run came of it */
  "GET /trigger-deliveries": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: TriggerDelivery[];
  };
  /** Get a delivery */
  "GET /trigger-deliveries/{id}": {
    path: {
      id: number;
    };
    answer: TriggerDelivery;
  };
  /** The kinds of triggers, with their settings */
  "GET /trigger-types": {
    answer: TriggerType[];
  };
  /** List triggers */
  "GET /triggers": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Trigger[];
  };
  /** Get a trigger */
  "GET /triggers/{id}": {
    path: {
      id: number;
    };
    answer: Trigger;
  };
  /** The next five instants of a schedule, in exact terms */
  "GET /triggers/{id}/next": {
    path: {
      id: number;
    };
    answer: SchedulePreview | null;
  };
  /** Names of users that people take for each other, in groups */
  "GET /user-lookalikes": {
    answer: LookalikeGroups;
  };
  /** The users of this tenant */
  "GET /users": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: User[];
  };
  /** One user */
  "GET /users/{id}": {
    path: {
      id: number;
    };
    answer: User;
  };
  /** Agents and workflows that you may ask, in the shape of OpenAI's models */
  "GET /v1/models": {
    answer: {
      object: "list";
      data: {
        id: string;
        object: "model";
        created: number;
        owned_by: string;
        name: string;
        description: string | null;
      }[];
    };
  };
  /** One of them, such as `agent:support` */
  "GET /v1/models/{model}": {
    path: {
      model: string;
    };
    answer: {
      id: string;
      object: "model";
      created: number;
      owned_by: string;
      name: string;
      description: string | null;
    };
  };
  /** What has become of the run of a response */
  "GET /v1/responses/{response}": {
    path: {
      response: string;
    };
    answer: {
      id: string;
      object: "response";
      created_at: number;
      status: "completed" | "incomplete" | "in_progress" | "failed" | "cancelled";
      model: string;
      output: (Record<string, unknown> & ({
        id: string;
        type: "message";
        role: "assistant";
        status: "completed" | "in_progress";
        content: {
          type: "output_text";
          text: string;
          annotations: unknown[];
        }[];
      } | {
        id: string;
        type: "function_call";
        call_id: string;
        name: string;
        arguments: string;
        status: "completed" | "in_progress";
      }))[];
      error: {
        message: string;
        type: string;
        param: string | null;
        code: string | null;
      } | null;
      incomplete_details: {
        reason: string;
      } | null;
      instructions: string | null;
      previous_response_id: string | null;
      metadata: Record<string, string>;
      parallel_tool_calls: boolean;
      tool_choice: "auto";
      tools: unknown[];
      temperature: null;
      top_p: null;
      usage: {
        input_tokens: number;
        input_tokens_details: {
          cached_tokens: number;
        };
        output_tokens: number;
        output_tokens_details: {
          reasoning_tokens: number;
        };
        total_tokens: number;
      } | null;
    };
  };
  /** What is not offered of OpenAI's API: 404 */
  "GET /v1/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** List vector stores */
  "GET /vector-stores": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: VectorStore[];
  };
  /** One vector store with how much it holds */
  "GET /vector-stores/{id}": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    answer: VectorStore;
  };
  /** List the documents of a vector store, with how far each is taken in */
  "GET /vector-stores/{id}/documents": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: KnowledgeDocument[];
  };
  /** One document, with how far it is taken in */
  "GET /vector-stores/{id}/documents/{documentId}": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    answer: KnowledgeDocument;
  };
  /** The passages of a document, as they are found */
  "GET /vector-stores/{id}/documents/{documentId}/chunks": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: DocumentChunk[];
  };
  /** The text of a document, in which citations count */
  "GET /vector-stores/{id}/documents/{documentId}/text": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    answer: {
      text: string | null;
    };
  };
  /** List runs of workflows */
  "GET /workflow-executions": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: ExecutionSummary[];
  };
  /**
   * Failed runs of workflows of the last days by code, step and message
   *
   * Numbers, ids, addresses and what stands in quotes are taken out of messages, so that one cause is one group.
   */
  "GET /workflow-executions/failures": {
    query?: {
      workflow?: IdOrSlug;
      days?: number;
    };
    answer: RunFailures;
  };
  /** What runs of workflows came to in the last days, by day (UTC) or by workflow */
  "GET /workflow-executions/stats": {
    query?: {
      by?: "day" | "workflow";
      days?: number;
    };
    answer: RunStats[];
  };
  /** A run with its context and node runs; of many the newest, and `nodesTotal` */
  "GET /workflow-executions/{id}": {
    path: {
      id: number;
    };
    answer: ExecutionOutput;
  };
  /** The checkpoints of a run, where it stood after each of its moves: `range=[0,999]` */
  "GET /workflow-executions/{id}/checkpoints": {
    path: {
      id: number;
    };
    query?: {
      range?: string;
    };
    answer: RunCheckpoint[];
  };
  /** A run as it stood at a checkpoint: context, state, and what the move changed */
  "GET /workflow-executions/{id}/checkpoints/{seq}": {
    path: {
      id: number;
      seq: number;
    };
    answer: RunCheckpointDetail;
  };
  /** Whether a run could go on with another version of its workflow, or with its draft */
  "GET /workflow-executions/{id}/compatibility": {
    path: {
      id: number;
    };
    query?: {
      version?: "current" | "draft" | number;
      nodeId?: string;
    };
    answer: CompatibilityReport;
  };
  /** The definition that a run is pinned to: of its version, or of the draft that it tested */
  "GET /workflow-executions/{id}/definition": {
    path: {
      id: number;
    };
    answer: RunDefinition;
  };
  /**
   * The run's log as server-sent events, from the beginning, after `Last-Event-ID`, or `from=now`
   *
   * With `children=true` the logs of its children too, in one stream; its ids are then opaque. Stays open while the run waits, and closes after `end`.
   */
  "GET /workflow-executions/{id}/events": {
    path: {
      id: number;
    };
    query?: {
      from?: "now";
      children?: "true" | "false";
    };
    answer: unknown;
  };
  /** Everything that is known of a run and of its children, as one JSON file */
  "GET /workflow-executions/{id}/export": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The node runs of a run, in order: `range=[0,999]` */
  "GET /workflow-executions/{id}/nodes": {
    path: {
      id: number;
    };
    query?: {
      range?: string;
    };
    answer: NodeRun[];
  };
  /**
   * The signed receipt of a run that has ended, for `oven verify`
   *
   * One line of at most 2 KB. It is signed when it is first asked for, and the same from then on. With `certificate=true` what is proved of the policies of its version stands beside it.
   */
  "GET /workflow-executions/{id}/receipt": {
    path: {
      id: number;
    };
    query?: {
      certificate?: "true" | "false";
    };
    answer: unknown;
  };
  /**
   * The log that a run's receipt is about, one entry a line
   *
   * Entries have their data as long as the run has its own; their digests, which the receipt is about, always.
   */
  "GET /workflow-executions/{id}/receipt/log": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** The scores of a run */
  "GET /workflow-executions/{id}/scores": {
    path: {
      id: number;
    };
    answer: RunScore[];
  };
  /** The workflow formats of other systems whose documents run here */
  "GET /workflow-formats": {
    answer: WorkflowFormat[];
  };
  /** One's documents of a format, with the agent workflows they compile to */
  "GET /workflow-formats/{format}": {
    path: {
      format: string;
    };
    answer: FormatWorkflow[];
  };
  /** The document of a workflow, in its format */
  "GET /workflow-formats/{format}/{workflow}/export": {
    path: {
      format: string;
      workflow: string;
    };
    answer: JsonSchemaDocument;
  };
  /** The import that made a workflow, with its report; an empty list: it was not imported */
  "GET /workflow-imports": {
    query: {
      kind?: ExecutionKind;
      workflowId: number;
    };
    answer: StoredImport[];
  };
  /** Names of workflows that people take for each other, in groups */
  "GET /workflow-lookalikes": {
    answer: LookalikeGroups;
  };
  /** The tags that workflows carry, the most used first */
  "GET /workflow-tags": {
    answer: TagCount[];
  };
  /** List workflows */
  "GET /workflows": {
    query?: {
      sort?: string;
      range?: string;
      filter?: string;
      _sort?: string;
      _order?: string;
      _start?: number;
      _end?: number;
    };
    answer: Workflow[];
  };
  /** Get a workflow by id or slug */
  "GET /workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    answer: Workflow;
  };
  /** The candidate of a workflow beside the live version, since it takes runs */
  "GET /workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    answer: CanaryReport;
  };
  /** The draft of a workflow; 404 when there is none */
  "GET /workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    answer: WorkflowDraft;
  };
  /** The published definition of a workflow for XState (JSON or TypeScript) or Mermaid */
  "GET /workflows/{id}/export": {
    path: {
      id: IdOrSlug;
    };
    query: {
      format: ExportFormat;
    };
    answer: unknown;
  };
  /** Moves of waiting runs of a workflow to other versions, the newest first */
  "GET /workflows/{id}/migrations": {
    path: {
      id: IdOrSlug;
    };
    answer: RunMigration[];
  };
  /** How many runs of a workflow wait on other versions than the published one */
  "GET /workflows/{id}/migrations/waiting": {
    path: {
      id: IdOrSlug;
    };
    answer: {
      count: number;
      version: number;
    };
  };
  /** A move of waiting runs, how far it is, and which runs it left out */
  "GET /workflows/{id}/migrations/{migrationId}": {
    path: {
      id: IdOrSlug;
      migrationId: number;
    };
    answer: RunMigration;
  };
  /** Whether the person who started a run of the workflow is notified of its end */
  "GET /workflows/{id}/notify": {
    path: {
      id: string;
    };
    answer: WorkflowNotify;
  };
  /** The workflow with what it calls, as one file for another installation */
  "GET /workflows/{id}/promotion": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      /** Of the workflow itself; else what is published */
      version?: number;
      triggers?: "true" | "false";
    };
    answer: PromotionFileOutput;
  };
  /** What scores say of the runs of a workflow, by name, version and day (UTC) */
  "GET /workflows/{id}/scores": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      days?: number;
    };
    answer: ScoreSummary[];
  };
  /** Inputs and pinned outputs that the editors of a workflow test it with */
  "GET /workflows/{id}/test-data": {
    path: {
      id: IdOrSlug;
    };
    answer: TestData;
  };
  /** The published versions, newest first */
  "GET /workflows/{id}/versions": {
    path: {
      id: IdOrSlug;
    };
    answer: WorkflowVersion[];
  };
  /** What two versions of a workflow differ in, by state */
  "GET /workflows/{id}/versions/compare": {
    path: {
      id: IdOrSlug;
    };
    query: {
      from: number;
      to: number;
    };
    answer: VersionComparison;
  };
  /** One published version */
  "GET /workflows/{id}/versions/{versionId}": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: WorkflowVersion;
  };
  /** What a published version may do: the permissions it needs and has, and those it lacks */
  "GET /workflows/{id}/versions/{versionId}/grant": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: GrantReport;
  };
  /** Keep inputs and pinned outputs to test an agent workflow with; null takes one away, what is not named stays */
  "PATCH /agent-workflows/{id}/test-data": {
    path: {
      id: IdOrSlug;
    };
    body: ChangeTestData;
    answer: TestData;
  };
  /**
   * Deliver to a webhook trigger by PATCH
   *
   * Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.
   */
  "PATCH /hooks/{token}": {
    path: {
      token: string;
    };
    answer: unknown;
  };
  /** Change rows of a table: all, or none */
  "PATCH /tables/{id}/rows": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: ChangeRows;
    answer: WrittenRows;
  };
  /** Change a row of a table; its version stands in the body or in `If-Match` */
  "PATCH /tables/{id}/rows/{row}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
      row: number;
    };
    body: ChangeRow;
    answer: TableRow;
  };
  /** Keep inputs and pinned outputs to test a workflow with; null takes one away, what is not named stays */
  "PATCH /workflows/{id}/test-data": {
    path: {
      id: IdOrSlug;
    };
    body: ChangeTestData;
    answer: TestData;
  };
  /** Connect an outside A2A agent */
  "POST /a2a-connections": {
    body: {
      id?: unknown;
      toolId?: unknown;
      state?: unknown;
      card?: unknown;
      cardHash?: unknown;
      approvedCard?: unknown;
      approvedBy?: unknown;
      approvedAt?: unknown;
      needsApproval?: unknown;
      approvalWhen?: unknown;
      lastContactAt?: unknown;
      lastError?: unknown;
      createdBy?: unknown;
      createdAt?: unknown;
      updatedAt?: unknown;
      name: Slug;
      url: string;
      title?: string | null;
      auth?: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs?: number;
      maxTotalMs?: number;
      callsPerMinute?: number;
      callsPerDay?: number | null;
      enabled?: boolean;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Approve an agent as its card was looked at */
  "POST /a2a-connections/{id}/approve": {
    path: {
      id: number;
    };
    body: {
      hash: string;
      needsApproval?: boolean;
      approvalWhen?: ApprovalCondition | null;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Read the card of a connected agent now */
  "POST /a2a-connections/{id}/refresh": {
    path: {
      id: number;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Withdraw the approval of an agent */
  "POST /a2a-connections/{id}/withdraw": {
    path: {
      id: number;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** An exported agent as an A2A agent (JSON-RPC) */
  "POST /a2a/agents/{slug}": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** An exported workflow as an A2A agent (JSON-RPC) */
  "POST /a2a/{slug}": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** Let an account decide in your name; the address is used up */
  "POST /account/linked-accounts": {
    body: AccountLinkToken;
    answer: LinkedAccount;
  };
  /** Register the passkey that a browser has made; all other sessions end */
  "POST /account/passkeys": {
    body: {
      name: PasskeyName;
      response: Record<string, unknown>;
    };
    answer: Passkey;
  };
  /** What a browser needs to make a passkey (WebAuthn creation options) */
  "POST /account/passkeys/options": {
    body: Proof;
    answer: unknown;
  };
  /** Remove a passkey; all other sessions end */
  "POST /account/passkeys/{id}/remove": {
    path: {
      id: number;
    };
    body: Proof;
    answer: unknown;
  };
  /** Change one's own password; every other session ends */
  "POST /account/password": {
    body: {
      currentPassword: string;
      newPassword: string;
    };
    answer: unknown;
  };
  /** Confirm the app by a first code: recovery codes, which are shown once; all other sessions end */
  "POST /account/second-factor/confirm": {
    body: {
      code: SecondFactorCode;
    };
    answer: RecoveryCodes;
  };
  /** New recovery codes, which are shown once; the ones before are good for nothing */
  "POST /account/second-factor/recovery-codes": {
    body: Proof;
    answer: RecoveryCodes;
  };
  /** Begin to set up an authenticator app: its secret, which is shown once */
  "POST /account/second-factor/start": {
    body: Proof;
    answer: StartedSecondFactor;
  };
  /** Turn one's own authenticator app off, with the password and a code; all other sessions end */
  "POST /account/second-factor/turn-off": {
    body: Proof;
    answer: unknown;
  };
  /** End all of one's own sessions but this one */
  "POST /account/sessions/end-others": {
    answer: unknown;
  };
  /** Add a memory */
  "POST /agent-memory": {
    body: CreateMemory;
    answer: MemoryEntry;
  };
  /**
   * Find memories of one owner, by meaning or by words
   *
   * Without `userId` the shared ones; with it that user's own.
   */
  "POST /agent-memory/search": {
    body: SearchMemory;
    answer: MemoryMatch[];
  };
  /** Begin a conversation with an agent */
  "POST /agent-sessions": {
    body: NewAgentSession;
    answer: AgentSession;
  };
  /** Try failed runs again: those named, or all of a workflow that were not tried again yet */
  "POST /agent-workflow-executions/redrive": {
    body: RedriveBody;
    answer: RedriveReport;
  };
  /** Cancel a run; no new node starts once this is accepted */
  "POST /agent-workflow-executions/{id}/cancel": {
    path: {
      id: number;
    };
    body?: {
      reason?: string;
    };
    answer: ExecutionOutput;
  };
  /** Say what an expression or a condition would come to over the context of a run */
  "POST /agent-workflow-executions/{id}/evaluate": {
    path: {
      id: number;
    };
    body: EvaluateBody;
    answer: Evaluation;
  };
  /**
   * Send an event to a run: to its `on` handlers and to nodes that wait for it
   *
   * 202 and the run. What nothing is waiting for changes nothing and is said in the run's log. `Idempotency-Key` makes repeats safe.
   */
  "POST /agent-workflow-executions/{id}/events": {
    path: {
      id: number;
    };
    body: SendEventBody;
    answer: ExecutionSummary;
  };
  /** Begin a new run at a checkpoint of another one, with a patched context if wished */
  "POST /agent-workflow-executions/{id}/fork": {
    path: {
      id: number;
    };
    body: ForkBody;
    answer: ExecutionSummary;
  };
  /** Go through a recorded run again, without calling anything, and say whether it comes out the same */
  "POST /agent-workflow-executions/{id}/replay": {
    path: {
      id: number;
    };
    answer: ReplayReport;
  };
  /** Decide the review a paused run waits for */
  "POST /agent-workflow-executions/{id}/resume": {
    path: {
      id: number;
    };
    body: Decision | {
      input: {
        decision: string;
        feedback?: string;
      };
    };
    answer: ExecutionOutput;
  };
  /**
   * Try a run again from the step that failed, as a new run
   *
   * 202 and the new run. What had finished is not done again. `nodeId` goes on from another step, `version` with another version. `draft` goes on with the draft, as a test: it needs the permission to change the workflow, and `revision` refuses another draft than the one that is meant.
   */
  "POST /agent-workflow-executions/{id}/retry": {
    path: {
      id: number;
    };
    body: RetryBody;
    answer: ExecutionSummary;
  };
  /**
   * Score a run from 0 to 1, at any time after its start
   *
   * A later score of the same name from the same person, key or workflow replaces the earlier one. A workflow does not score its own runs.
   */
  "POST /agent-workflow-executions/{id}/scores": {
    path: {
      id: number;
    };
    body: NewRunScore;
    answer: RunScore;
  };
  /** Add and take off tags of several agent workflows, of all or none; answers those that changed */
  "POST /agent-workflow-tags": {
    body: ChangeTags;
    answer: Workflow[];
  };
  /** Create and publish an agent workflow */
  "POST /agent-workflows": {
    body: CreateWorkflow;
    answer: Workflow;
  };
  /** What a definition may do if you publish it: the permissions it needs and those you lack */
  "POST /agent-workflows/grant": {
    body: {
      definition: JsonSchemaDocument;
    };
    answer: GrantReport;
  };
  /** Create and publish an agent workflow from another dialect; `changes` says what was rewritten */
  "POST /agent-workflows/import": {
    body: CreateWorkflow;
    answer: ImportedWorkflow;
  };
  /** Check a definition without saving it */
  "POST /agent-workflows/validate": {
    body: {
      definition: JsonSchemaDocument;
    };
    answer: {
      problems: ProblemOutput[];
    };
  };
  /** What a run of a definition needs at most: model calls, tokens, money, calls of tools, reviews and time */
  "POST /agent-workflows/worst-case": {
    body: {
      definition: JsonSchemaDocument;
      workflowId?: number;
    };
    answer: WorstCase;
  };
  /** Publish the candidate as the newest version */
  "POST /agent-workflows/{id}/canary/promote": {
    path: {
      id: IdOrSlug;
    };
    answer: Workflow;
  };
  /**
   * What an agent workflow compiles to: its machine for XState, as TypeScript and as a Mermaid diagram
   *
   * The published definition, or the one in the body; nothing is saved. 400 names every problem.
   */
  "POST /agent-workflows/{id}/compile": {
    path: {
      id: IdOrSlug;
    };
    body: CompileBody;
    answer: CompiledWorkflow;
  };
  /**
   * Run the draft of an agent workflow as a test
   *
   * Needs the permission to run, too. The run's `triggerEvent` is `test` and its `workflowVersion` the draft's revision below zero. With `conversation` it is a turn of one, whose `sessionId` is below zero, too. `wait` and `Idempotency-Key` as for any run.
   */
  "POST /agent-workflows/{id}/draft/execute": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      wait?: number;
    };
    body: ExecuteDraft;
    answer: ExecutionSummary;
  };
  /**
   * Run an agent workflow
   *
   * 202 and the run. `wait` (seconds) answers 200 when it ended or paused in time. `Idempotency-Key` makes repeats safe. `options` run a part of the graph, pin outputs, go dry, or set a budget.
   */
  "POST /agent-workflows/{id}/execute": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      wait?: number;
    };
    body: ExecuteBody;
    answer: ExecutionSummary;
  };
  /**
   * Move the waiting runs of an agent workflow to another version
   *
   * 202 and the migration; its runs are moved one after the other, each as a whole or not at all. Runs that go on meanwhile are left out and named. Open reviews stay open. It can be undone for runs that no worker has taken up since.
   */
  "POST /agent-workflows/{id}/migrations": {
    path: {
      id: IdOrSlug;
    };
    body: MigrateRunsBody;
    answer: RunMigration;
  };
  /**
   * Say what moving the waiting runs of an agent workflow to another version would come to
   *
   * Groups of waiting runs that are alike, each with a verdict, what it needs, and proposals for states that are missing. Nothing is written.
   */
  "POST /agent-workflows/{id}/migrations/plan": {
    path: {
      id: IdOrSlug;
    };
    body: MigrateRunsBody;
    answer: MigrationPlan;
  };
  /** Put runs back that no worker has taken up since they were moved */
  "POST /agent-workflows/{id}/migrations/{migrationId}/undo": {
    path: {
      id: IdOrSlug;
      migrationId: number;
    };
    answer: RunMigration;
  };
  /**
   * What the policies about past runs have against publishing the draft of an agent workflow
   *
   * Goes through the runs anew, as publishing does. Errors refuse it.
   */
  "POST /agent-workflows/{id}/publish-check": {
    path: {
      id: IdOrSlug;
    };
    body: RehearseRunBody;
    answer: {
      problems: ProblemOutput[];
    };
  };
  /**
   * Go through past runs of an agent workflow on a changed definition, without calling anything
   *
   * Steps that only compute are computed; every other call gets the answer that was recorded for the same input, and people's decisions and events come as they came. `unknown` where an answer decides that was not recorded. Needs the permission to read runs, too.
   */
  "POST /agent-workflows/{id}/rehearse": {
    path: {
      id: IdOrSlug;
    };
    body: RehearseBody;
    answer: Rehearsal;
  };
  /**
   * One past run of an agent workflow and what it comes to on a changed definition, step by step
   *
   * As `rehearse` for one run, with what every step was given and what it gave on both sides.
   */
  "POST /agent-workflows/{id}/rehearse/{executionId}": {
    path: {
      id: IdOrSlug;
      executionId: number;
    };
    body: RehearseRunBody;
    answer: RehearsedSides;
  };
  /** Note that you have looked at what a past run comes to on the draft of an agent workflow */
  "POST /agent-workflows/{id}/rehearse/{executionId}/seen": {
    path: {
      id: IdOrSlug;
      executionId: number;
    };
    body: SeenDifference;
    answer: RehearsedSides;
  };
  /**
   * Score the newest run whose input has a value, such as the order that a refund is disputed of
   *
   * For outcomes that arrive days later from a system that knows no run ids. As a step it makes a workflow that an event or webhook starts report them.
   */
  "POST /agent-workflows/{id}/scores": {
    path: {
      id: IdOrSlug;
    };
    body: NewOutcome;
    answer: RunScore;
  };
  /** Publish an earlier version again, as a new one */
  "POST /agent-workflows/{id}/versions/{versionId}/restore": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: Workflow;
  };
  /**
   * Create an agent
   *
   * Without `workflowId` it gets an agent workflow of its own: a tool loop made from its settings.
   */
  "POST /agents": {
    body: CreateAgent;
    answer: Agent;
  };
  /** Make a version current again, as a new one with your permissions; the current one only if that grants more */
  "POST /agents/{id}/versions/{versionId}/restore": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: Agent;
  };
  /**
   * Say something to an agent, and get its answer
   *
   * Every call is a run. 200 and the reply when it ended or waits for a person within `wait` seconds, else 202 and its handle. With `Accept: text/event-stream` the answer as it comes. `Idempotency-Key` makes repeats safe.
   */
  "POST /agents/{slug}/invoke": {
    path: {
      slug: IdOrSlug;
    };
    body: InvokeAgent;
    answer: AgentReply;
  };
  /**
   * Make a model alias
   *
   * `models` is a chain: the next one is asked when a model is down, has too many requests or is too slow.
   */
  "POST /ai-aliases": {
    body: CreateModelAlias;
    answer: ModelAlias;
  };
  /** Make a model budget */
  "POST /ai-budgets": {
    body: CreateModelBudget;
    answer: ModelBudget;
  };
  /** Make a guardrail */
  "POST /ai-guardrails": {
    body: CreateGuardrail;
    answer: Guardrail;
  };
  /**
   * What guardrails would do to a text
   *
   * One that is given, saved or not, or all that are on. Classifiers ask their model, which costs as any call does.
   */
  "POST /ai-guardrails/try": {
    body: TryGuardrails;
    answer: TriedGuardrails;
  };
  /** Make a price of a model */
  "POST /ai-prices": {
    body: CreateModelPrice;
    answer: ModelPrice;
  };
  /**
   * Set up a model provider
   *
   * Its address must be public, or one that the operator allows with OVEN_OUTBOUND_ALLOW. Its key is a secret of /api/secrets.
   */
  "POST /ai-providers": {
    body: {
      configured?: unknown;
      simulated?: unknown;
      source?: unknown;
      createdAt?: unknown;
      updatedAt?: unknown;
      title?: string;
      baseUrl?: string | null;
      secret?: SecretName | null;
      headers?: Record<string, string | SecretReference>;
      enabled?: boolean;
      id: string;
      kind: "openai" | "openai-compatible" | "anthropic" | "google" | "black-forest-labs" | "replicate";
    };
    answer: ModelProvider;
  };
  /** Really call a model provider, and say what is wrong */
  "POST /ai-providers/{id}/test": {
    path: {
      id: string;
    };
    answer: ProviderTest;
  };
  /** Make a model rate limit */
  "POST /ai-rate-limits": {
    body: CreateModelRateLimit;
    answer: ModelRateLimit;
  };
  /** Turn texts into vectors, one each, in the same order */
  "POST /ai/embed": {
    body: EmbedBody;
    answer: EmbedAnswer;
  };
  /** Ask a model for one answer */
  "POST /ai/generate": {
    body: GenerateBody;
    answer: ModelAnswer;
  };
  /**
   * Make images; the answer has references that `/api/blobs/{$blob}` shows
   *
   * They are of no run, and stay as long as the details of one.
   */
  "POST /ai/images": {
    body: ImageOptions;
    answer: ImagesAnswer;
  };
  /** Answer a question from a vector store, naming the sources */
  "POST /ai/rag/ask": {
    body: {
      query: string;
      /** How many matches at most */
      topK?: number;
      /** `vector`: by meaning; `text`: by words; `hybrid`: both, fused */
      mode?: SearchMode;
      /** Conditions on metadata: `{"lang": "en", "year": {"gte": 2024}, "team": {"in": ["a", "b"]}}` */
      filter?: VectorFilter;
      /** Leaves out matches less similar than this; in mode `text`, of lower rank */
      minScore?: number;
      /** Whether a language model puts the matches in order */
      rerank?: boolean | Rerank;
      model?: string;
      /** Instructions for the answer, beside those about sources */
      system?: string;
      /** Id or slug of the vector store */
      store: IdOrSlug;
    };
    answer: AskAnswer;
  };
  /**
   * Find passages in a vector store, as numbered sources for a model
   *
   * `context` has them between tags that mark them as untrusted content.
   */
  "POST /ai/rag/retrieve": {
    body: {
      query: string;
      /** How many matches at most */
      topK?: number;
      /** `vector`: by meaning; `text`: by words; `hybrid`: both, fused */
      mode?: SearchMode;
      /** Conditions on metadata: `{"lang": "en", "year": {"gte": 2024}, "team": {"in": ["a", "b"]}}` */
      filter?: VectorFilter;
      /** Leaves out matches less similar than this; in mode `text`, of lower rank */
      minScore?: number;
      /** Whether a language model puts the matches in order */
      rerank?: boolean | Rerank;
      /** Id or slug of the vector store */
      store: IdOrSlug;
    };
    answer: RetrieveAnswer;
  };
  /** Connect an API by its OpenAPI document, GraphQL schema or a curl command */
  "POST /api-connections": {
    body: CreateApiConnection;
    answer: ApiConnection;
  };
  /** Read the description of an API, without storing anything */
  "POST /api-connections/inspect": {
    body: InspectApi;
    answer: ApiInspection;
  };
  /** Begin to sign the caller's own account in at a service */
  "POST /api-connections/{id}/account/authorize": {
    path: {
      id: number;
    };
    answer: ApiAuthorization;
  };
  /** Begin to sign the shared account in at a service */
  "POST /api-connections/{id}/authorize": {
    path: {
      id: number;
    };
    answer: ApiAuthorization;
  };
  /** Approve operations as they were looked at */
  "POST /api-connections/{id}/operations/approve": {
    path: {
      id: number;
    };
    body: ApproveApiOperations;
    answer: ApprovedApiOperations;
  };
  /** Call an approved operation once, by hand */
  "POST /api-connections/{id}/operations/{operationId}/try": {
    path: {
      id: number;
      operationId: number;
    };
    body: CallTool;
    answer: TriedTool;
  };
  /** Take back an operation's approval */
  "POST /api-connections/{id}/operations/{operationId}/withdraw": {
    path: {
      id: number;
      operationId: number;
    };
    answer: ApiConnectionOperation;
  };
  /** Read the document of a connected API again */
  "POST /api-connections/{id}/refresh": {
    path: {
      id: number;
    };
    answer: ApiConnection;
  };
  /** Make an API key; its value is in this answer and never shown again */
  "POST /api-keys": {
    body: {
      name: string;
      permissions: Permission[];
      workflows?: WorkflowScope[] | null;
      agents?: (number | IdOrSlug)[] | null;
      expiresInDays?: number | null;
    };
    answer: CreatedApiKey;
  };
  /**
   * What a condition for approvals would have done
   *
   * Tries a condition on the newest 200 proposals of a tool, a step, or both: how many people would have been asked about. Nothing is asked or changed.
   */
  "POST /approval-conditions/try": {
    body: TryCondition;
    answer: TriedCondition;
  };
  /** Sign in and out (better-auth) */
  "POST /auth/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /** Connect a bot */
  "POST /bots": {
    body: CreateBot;
    answer: Bot;
  };
  /** Interactivity of a Slack app: decide a review of a bot's answer */
  "POST /bots/slack/{key}/actions": {
    path: {
      key: string;
    };
    answer: unknown;
  };
  /** Events of a Slack app: messages to a bot */
  "POST /bots/slack/{key}/events": {
    path: {
      key: string;
    };
    answer: unknown;
  };
  /** Messaging endpoint of a bot of Microsoft Teams */
  "POST /bots/teams/{key}": {
    path: {
      key: string;
    };
    answer: unknown;
  };
  /** Post a test message; what does not work is in `lastError` */
  "POST /bots/{id}/test": {
    path: {
      id: number;
    };
    body: TestBot;
    answer: Bot;
  };
  /**
   * Say what an agent workflow is to do, and let the builder make a draft of it
   *
   * Begins a chat with the workflow `builder` about one agent workflow, a new one where none is named. What it makes is a draft: nothing of it runs before a person publishes it. It may do what you may: changing the draft takes `agent-workflows.update`, trying it out `agent-workflows.execute`.
   */
  "POST /builder/conversations": {
    body: StartBuilding;
    answer: Building;
  };
  /**
   * Have failed runs of an agent workflow repaired
   *
   * 201 and the run that repairs: a model proposes a change of the workflow, which is proved on recorded runs before a person is asked. Needs the permissions to run agent workflows and to read runs, too. 409 while another run repairs the same failure.
   */
  "POST /builder/repairs": {
    body: StartRepair;
    answer: StartedRepair;
  };
  /**
   * Begin a chat with an agent or a workflow
   *
   * 400 `INVALID_INPUT` with what to do where a workflow cannot be talked to as `mapping` says.
   */
  "POST /chat-sessions": {
    body: NewChatSession;
    answer: ChatSession;
  };
  /**
   * Say something: starts a run
   *
   * 202 and the message; its answer comes by `stream`, and stands in `messages`. With an `Idempotency-Key` the same request again is the same message. 409 `CONVERSATION_BUSY` while the answer before is still made.
   */
  "POST /chat-sessions/{id}/messages": {
    path: {
      id: number;
    };
    body: NewChatMessage;
    answer: ChatMessage;
  };
  /** Ask the newest message once more; the new run takes the place of `executionId` */
  "POST /chat-sessions/{id}/messages/{messageId}/retry": {
    path: {
      id: number;
      messageId: number;
    };
    body: RetryChatMessage;
    answer: ChatMessage;
  };
  /** Stop the run of a message */
  "POST /chat-sessions/{id}/messages/{messageId}/stop": {
    path: {
      id: number;
      messageId: number;
    };
    answer: ChatMessage;
  };
  /**
   * Interactivity of a Slack app: decide a review by a button
   *
   * The Request URL of a rule whose channel is `slack-app`. Signed as Slack signs, within five minutes.
   */
  "POST /decisions/slack/{key}": {
    path: {
      key: string;
    };
    answer: unknown;
  };
  /**
   * Messaging endpoint of a bot of Microsoft Teams: decide a review by a button
   *
   * Of a rule whose channel is `teams`. Each request carries a token of the Bot Connector for this bot.
   */
  "POST /decisions/teams/{key}": {
    path: {
      key: string;
    };
    answer: unknown;
  };
  /** Begin another conversation with the next message */
  "POST /embed/{publicId}/conversations": {
    path: {
      publicId: string;
    };
    answer: unknown;
  };
  /** Say something, or send the answers of a form; once per key */
  "POST /embed/{publicId}/messages": {
    path: {
      publicId: string;
    };
    body: {
      key: string;
      message?: string;
      values?: JsonSchemaDocument;
    };
    answer: {
      id: number;
      message: string;
      answer: string | null;
      status: "working" | "waiting" | "completed" | "failed";
      questions: {
        id: number;
        title: string;
        text: string | null;
        fields: FormField[] | null;
        digest: string;
      }[];
      createdAt: string;
    };
  };
  /** Answer what the run of a message asks, where the embed lets visitors do so */
  "POST /embed/{publicId}/messages/{id}/decisions": {
    path: {
      publicId: string;
      id: number;
    };
    body?: Record<string, unknown> & ({
      action: "approve" | "reject";
      question: number;
      digest: string;
    } | {
      action: "submit";
      question: number;
      digest: string;
      data: JsonSchemaDocument;
    });
    answer: {
      id: number;
      message: string;
      answer: string | null;
      status: "working" | "waiting" | "completed" | "failed";
      questions: {
        id: number;
        title: string;
        text: string | null;
        fields: FormField[] | null;
        digest: string;
      }[];
      createdAt: string;
    };
  };
  /** Begin or renew the session of a visitor; the token is for this origin, for 15 minutes */
  "POST /embed/{publicId}/sessions": {
    path: {
      publicId: string;
    };
    body?: {
      visitor?: {
        id: string;
        secret: string;
      };
    };
    answer: {
      token: string;
      expiresAt: string;
      visitor: {
        id: string;
        secret: string | null;
      };
    };
  };
  /** Make an embed; its runs have your permissions */
  "POST /embeds": {
    body: {
      name: string;
      enabled?: boolean;
      mode?: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input?: JsonSchemaDocument;
      origins: string[];
      theme?: {
        accent?: string;
        scheme?: "auto" | "light" | "dark";
        corner?: "right" | "left";
        title?: string;
        greeting?: string;
        /** Empty: a word in the language of the page */
        placeholder?: string;
      };
      limits?: {
        /** Messages of one visitor */
        visitorPerHour?: number;
        /** Messages of all visitors */
        embedPerHour?: number;
        /** Characters of a message */
        messageLength?: number;
        /** A conversation is deleted after them */
        conversationHours?: number;
      };
      form?: {
        /** Empty: a word in the language of the page */
        submitLabel?: string;
        /** Empty: a sentence in the language of the page */
        thanks?: string;
        /** Whether the visitor sees the output of the run */
        showAnswer?: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides?: boolean;
    };
    answer: {
      name: string;
      enabled: boolean;
      mode: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input: JsonSchemaDocument;
      origins: string[];
      theme: {
        accent: string;
        scheme: "auto" | "light" | "dark";
        corner: "right" | "left";
        title: string;
        greeting: string;
        /** Empty: a word in the language of the page */
        placeholder: string;
      };
      limits: {
        /** Messages of one visitor */
        visitorPerHour: number;
        /** Messages of all visitors */
        embedPerHour: number;
        /** Characters of a message */
        messageLength: number;
        /** A conversation is deleted after them */
        conversationHours: number;
      };
      form: {
        /** Empty: a word in the language of the page */
        submitLabel: string;
        /** Empty: a sentence in the language of the page */
        thanks: string;
        /** Whether the visitor sees the output of the run */
        showAnswer: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides: boolean;
      id: number;
      publicId: string;
      lastError: string | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Make a dataset */
  "POST /eval-datasets": {
    body: CreateEvalDataset;
    answer: EvalDataset;
  };
  /** Make the dataset with this slug what a file says, with its cases */
  "POST /eval-datasets/import": {
    body: EvalDatasetFile;
    answer: EvalDataset;
  };
  /** Add a case to a dataset */
  "POST /eval-datasets/{id}/cases": {
    path: {
      id: IdOrSlug;
    };
    body: NewEvalCase;
    answer: EvalCase;
  };
  /** Add a case that asks what a past run was asked */
  "POST /eval-datasets/{id}/cases/from-execution": {
    path: {
      id: IdOrSlug;
    };
    body: CaseFromExecution;
    answer: EvalCase;
  };
  /** Add and change cases by their names, from JSON lines */
  "POST /eval-datasets/{id}/cases/import": {
    path: {
      id: IdOrSlug;
    };
    body: {
      lines: string;
    };
    answer: EvalDataset;
  };
  /** Run a dataset against a version; 202 and the evaluation */
  "POST /eval-datasets/{id}/run": {
    path: {
      id: IdOrSlug;
    };
    body: StartEvalRun;
    answer: EvalRun;
  };
  /** Cancel an evaluation and the runs of its open cases */
  "POST /eval-runs/{id}/cancel": {
    path: {
      id: number;
    };
    answer: EvalRun;
  };
  /** Have events posted, signed, to another service */
  "POST /event-subscriptions": {
    body: CreateEventSubscription;
    answer: EventSubscription;
  };
  /** Post an event once more, with the same webhook-id */
  "POST /event-subscriptions/{id}/deliveries/{deliveryId}/replay": {
    path: {
      id: number;
      deliveryId: number;
    };
    answer: SubscriptionDelivery;
  };
  /** Post an example now, once, and say what the receiver answered */
  "POST /event-subscriptions/{id}/test": {
    path: {
      id: number;
    };
    answer: SubscriptionDelivery;
  };
  /** Let an event make an action happen; it has the permissions of the principal that saved it last */
  "POST /event-wirings": {
    body: CreateEventWiring;
    answer: EventWiring;
  };
  /** Deliver an event anew to a listener that was given up on, or to all of those */
  "POST /events/{id}/retry": {
    path: {
      id: number;
    };
    body?: {
      listener?: string;
    };
    answer: LoggedEvent;
  };
  /** Stop a run of a chain of executors for good */
  "POST /executor-chain-runs/{run}/cancel": {
    path: {
      run: string;
    };
    answer: ChainRun;
  };
  /** What a reference of a run stands for */
  "POST /executor-chain-runs/{run}/resolve": {
    path: {
      run: string;
    };
    body: OutputRef;
    answer: {
      value: Json;
    };
  };
  /** Go on with a run at the executor that failed, or behind it */
  "POST /executor-chain-runs/{run}/resume": {
    path: {
      run: string;
    };
    body: ResumeChain;
    answer: ChainRun;
  };
  /**
   * Make a chain of executors
   *
   * The whole chain is checked before anything is stored
   */
  "POST /executor-chains": {
    body: ChainSpec;
    answer: Chain;
  };
  /** Cancel a chain with its live runs, or take schedules away */
  "POST /executor-chains/cancel": {
    body: CancelChain;
    answer: CancelledChains;
  };
  /**
   * Make a chain of executors from a document as text
   *
   * JSON, also with comments, `True`, triple quotes and commas at the end; errors name line and column
   */
  "POST /executor-chains/import": {
    body: ImportChain;
    answer: Chain;
  };
  /** Take the tools of a chain as they are now */
  "POST /executor-chains/{workflow}/approve-tools": {
    path: {
      workflow: WorkflowId;
    };
    answer: Chain;
  };
  /** Run a chain of executors now */
  "POST /executor-chains/{workflow}/run": {
    path: {
      workflow: WorkflowId;
    };
    body: RunChain;
    answer: ChainResult;
  };
  /** Run a chain of executors now, once or again and again */
  "POST /executor-chains/{workflow}/schedule": {
    path: {
      workflow: WorkflowId;
    };
    body: ChainSchedule;
    answer: ChainJob;
  };
  /** Say whether a text is a CEL expression, and where it is not */
  "POST /expressions/cel/check": {
    body: CheckCelBody;
    answer: CelCheck;
  };
  /** Send a form; it starts a run of its workflow */
  "POST /forms/{token}": {
    path: {
      token: string;
    };
    body: FormSubmission;
    answer: FormAnswer;
  };
  /** Make a policy on graphs */
  "POST /graph-policies": {
    body: CreateGraphPolicy;
    answer: GraphPolicy;
  };
  /** What a rule would refuse of all workflows, published and drafts, without saving it */
  "POST /graph-policies/try": {
    body: TryGraphPolicy;
    answer: PolicyTrial;
  };
  /** Cancel a session */
  "POST /graph-sessions/{session}/cancel": {
    path: {
      session: string;
    };
    answer: GraphSession;
  };
  /** Give a step the input that it asks for */
  "POST /graph-sessions/{session}/input": {
    path: {
      session: string;
    };
    body: AnswerSession;
    answer: GraphSession;
  };
  /** Run a step again that failed; the session goes on from it */
  "POST /graph-sessions/{session}/steps/{step}/retry": {
    path: {
      session: string;
      step: string;
    };
    answer: GraphSession;
  };
  /**
   * Hold a run with its children, a workflow, or all runs of the tenant
   *
   * Calls that are under way finish and are recorded; no new step begins. Runs that are started meanwhile are accepted and wait. Decisions, events and timers are stored and count when it goes on. A held run can be cancelled.
   */
  "POST /holds": {
    body: NewHold;
    answer: Hold;
  };
  /**
   * Deliver to a webhook trigger by POST
   *
   * Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.
   */
  "POST /hooks/{token}": {
    path: {
      token: string;
    };
    answer: unknown;
  };
  /**
   * A backup of the whole installation as a file, for `oven backup` on the server's machine
   *
   * Takes a token that is signed with the installation's secret; no user and no API key may call it.
   */
  "POST /installation/backups": {
    body: RequestBackup;
    answer: unknown;
  };
  /** Invite a person; the link is in this answer and never shown again */
  "POST /invitations": {
    body: {
      email: string;
      roles: RoleName[];
    };
    answer: CreatedInvitation;
  };
  /** Become a user with an invitation's token, and sign in */
  "POST /invitations/accept": {
    body: {
      token: string;
      name: string;
      password: string;
    };
    answer: unknown;
  };
  /** Whom an invitation's token is for */
  "POST /invitations/inspect": {
    body: {
      token: string;
    };
    answer: {
      email: string;
      roles: string[];
    };
  };
  /** Make a agent step that belongs to no workflow yet */
  "POST /linear-agent-steps": {
    body: CreateModelStep;
    answer: CustomAgent;
  };
  /** Keep a record of a agent step that is run elsewhere */
  "POST /linear-agent-steps/{uuid}/instances": {
    path: {
      uuid: string;
    };
    body: CreateStepInstance;
    answer: LinearStepInstance;
  };
  /** Make a stop checker that belongs to no workflow yet */
  "POST /linear-checker-steps": {
    body: CreateChecker;
    answer: StopChecker;
  };
  /** Keep a record of a stop checker that is run elsewhere */
  "POST /linear-checker-steps/{uuid}/instances": {
    path: {
      uuid: string;
    };
    body: CreateStepInstance;
    answer: LinearStepInstance;
  };
  /** Make a data container with a name of its own */
  "POST /linear-data-containers": {
    answer: DataContainer;
  };
  /** Put a value into a data container of a run; it is summarised first */
  "POST /linear-data-containers/{uuid}/instances": {
    path: {
      uuid: string;
    };
    body: CreateDataInstance;
    answer: DataContainerInstance;
  };
  /** Make a LLM step that belongs to no workflow yet */
  "POST /linear-llm-steps": {
    body: CreateModelStep;
    answer: CustomLlm;
  };
  /** Keep a record of a LLM step that is run elsewhere */
  "POST /linear-llm-steps/{uuid}/instances": {
    path: {
      uuid: string;
    };
    body: CreateStepInstance;
    answer: LinearStepInstance;
  };
  /** Give a linear workflow that has none a trigger */
  "POST /linear-triggers": {
    body: CreateLinearTrigger;
    answer: LinearTrigger;
  };
  /** Stop a run of a linear workflow */
  "POST /linear-workflow-instances/{uuid}/cancel": {
    path: {
      uuid: string;
    };
    answer: LinearInstance;
  };
  /** Make an empty linear workflow */
  "POST /linear-workflows": {
    body: CreateLinearWorkflow;
    answer: LinearWorkflow;
  };
  /** Start a run of a linear workflow by hand */
  "POST /linear-workflows/{uuid}/instances": {
    path: {
      uuid: string;
    };
    body: StartLinearInstance;
    answer: LinearInstance;
  };
  /** Make a step and put it into a linear workflow */
  "POST /linear-workflows/{uuid}/steps": {
    path: {
      uuid: string;
    };
    body: AddLinearStep;
    answer: LinearWorkflow;
  };
  /** Connect an outside MCP server */
  "POST /mcp-connections": {
    body: CreateMcpConnection;
    answer: McpConnection;
  };
  /** Ask a server for its tools, without storing anything */
  "POST /mcp-connections/test": {
    body: TestMcpConnection;
    answer: McpConnectionTest;
  };
  /** Begin to sign in at a server */
  "POST /mcp-connections/{id}/authorize": {
    path: {
      id: number;
    };
    answer: McpAuthorization;
  };
  /** Ask a connected server for its tools now */
  "POST /mcp-connections/{id}/refresh": {
    path: {
      id: number;
    };
    answer: McpConnection;
  };
  /** Approve several tools as they were looked at */
  "POST /mcp-connections/{id}/tools/approve": {
    path: {
      id: number;
    };
    body: ApproveMcpTools;
    answer: ApprovedMcpTools;
  };
  /** Approve a tool as it was looked at */
  "POST /mcp-connections/{id}/tools/{toolId}/approve": {
    path: {
      id: number;
      toolId: number;
    };
    body: ApproveMcpTool;
    answer: McpConnectionTool;
  };
  /** Call an approved tool once, by hand */
  "POST /mcp-connections/{id}/tools/{toolId}/try": {
    path: {
      id: number;
      toolId: number;
    };
    body: CallTool;
    answer: TriedTool;
  };
  /** Take back a tool's approval */
  "POST /mcp-connections/{id}/tools/{toolId}/withdraw": {
    path: {
      id: number;
      toolId: number;
    };
    answer: McpConnectionTool;
  };
  /** Build the MCP server anew from its workflow */
  "POST /mcp-servers/{id}/regenerate": {
    path: {
      id: number;
    };
    answer: McpServer;
  };
  /** The platform itself as an MCP server (Streamable HTTP) */
  "POST /mcp/oven": {
    answer: unknown;
  };
  /** A trigger as a tool on an MCP server (Streamable HTTP) */
  "POST /mcp/triggers/{id}": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** A workflow as an MCP server (Streamable HTTP) */
  "POST /mcp/{slug}": {
    path: {
      slug: string;
    };
    answer: unknown;
  };
  /** Set a configuration value for a module or one of its instances */
  "POST /module-configs": {
    body: CreateModuleConfig;
    answer: ModuleConfig;
  };
  /** Send the same message once more */
  "POST /notification-deliveries/{id}/replay": {
    path: {
      id: number;
    };
    answer: NotificationDelivery;
  };
  /** Make a rule */
  "POST /notification-rules": {
    body: CreateNotificationRule;
    answer: NotificationRule;
  };
  /** Mark all of it read */
  "POST /notifications/read": {
    answer: {
      marked: number;
    };
  };
  /** Mark it read */
  "POST /notifications/{id}/read": {
    path: {
      id: number;
    };
    answer: Notification;
  };
  /** Erase one person: `confirm` repeats their e-mail address; the answer says what is gone and what stays */
  "POST /persons/erase": {
    body: ErasePerson;
    answer: PersonReport;
  };
  /** All data of one person as JSON, without secrets */
  "POST /persons/export": {
    body: PersonChoice;
    answer: unknown;
  };
  /** Where data of one person is, and what erasing does to it */
  "POST /persons/find": {
    body: PersonChoice;
    answer: PersonReport;
  };
  /** What a program of an agent.code step is as a graph; nothing is stored */
  "POST /programs/graph": {
    body: ProgramGraphRequest;
    answer: ProgramGraph;
  };
  /** Import what a plan showed, all of it or nothing */
  "POST /promotions/apply": {
    body: ApplyPromotion;
    answer: PromotionReport;
  };
  /** What importing a file of another installation would create and change, and which names are missing here */
  "POST /promotions/plan": {
    body: PlanPromotion;
    answer: PromotionPlan;
  };
  /** Let a new key sign receipts from now on; what earlier ones signed stays valid */
  "POST /receipt-keys/rotate": {
    answer: {
      kty: "OKP";
      crv: "Ed25519";
      alg: "EdDSA";
      use: "sig";
      kid: string;
      x: string;
      from: string;
      until: string | null;
    };
  };
  /** Remove now what the retention settings of this tenant say is due; otherwise it is done once a day */
  "POST /retention/run": {
    body?: Record<string, never>;
    answer: RetentionReport;
  };
  /** Decide several reviews that propose the very same, each once */
  "POST /reviews/decide": {
    body: BatchDecision;
    answer: BatchDecided[];
  };
  /** Write something about an open review */
  "POST /reviews/{id}/comments": {
    path: {
      id: number;
    };
    body: NewReviewComment;
    answer: ReviewComment;
  };
  /**
   * What one decision of an open review would lead to, with what was edited
   *
   * The run is followed from where it stands, without calling anything: steps that only compute are computed, every other answer is assumed, and what follows from an assumed answer is marked. It stops where people or events decide. Needs the permission to read runs, too.
   */
  "POST /reviews/{id}/consequences": {
    path: {
      id: number;
    };
    body: TryDecision;
    answer: Consequences;
  };
  /** Approve, edit or reject; it is decided once */
  "POST /reviews/{id}/decide": {
    path: {
      id: number;
    };
    body: Decision;
    answer: ReviewOutput;
  };
  /** Ask another person to decide instead */
  "POST /reviews/{id}/delegate": {
    path: {
      id: number;
    };
    body: Delegation;
    answer: ReviewOutput;
  };
  /** Make a role from permissions you have */
  "POST /roles": {
    body: {
      name: RoleName;
      title: string;
      description?: string;
      permissions: Permission[];
    };
    answer: Role;
  };
  /** Go on with a conversation, once its last turn has ended */
  "POST /routed-conversations/{conversation}/messages": {
    path: {
      conversation: WorkflowId;
    };
    body: RoutedTurn;
    answer: RoutedConversation;
  };
  /**
   * Make or replace a routed graph from its document as text
   *
   * By the id in it. Errors name line, column and path; what is no longer in the document is gone
   */
  "POST /routed-graphs": {
    body: ImportRoutedGraph;
    answer: RoutedGraph;
  };
  /** Begin a conversation with a routed graph */
  "POST /routed-graphs/{graph}/conversations": {
    path: {
      graph: string;
    };
    body: RoutedTurn;
    answer: RoutedConversation;
  };
  /**
   * What a schedule in words, or a cron expression, means exactly
   *
   * `text` is such as `tomorrow 9am`, `every weekday at 8:30`, `on the first friday of the month at 8`, the same in German, or a cron expression. Each of its words is understood, or it is refused with the part that is not.
   */
  "POST /schedules/preview": {
    body: {
      text: string;
      timezone?: string;
    };
    answer: SchedulePreview;
  };
  /** Let a model score a sample of a workflow's completed runs */
  "POST /score-judges": {
    body: NewScoreJudge;
    answer: ScoreJudge;
  };
  /** Keep a secret, bound to the hosts that it may be sent to */
  "POST /secrets": {
    body: {
      name: SecretName;
      value: string;
      hosts: string[];
      id?: unknown;
      lastUsedAt?: unknown;
      createdBy?: unknown;
      createdAt?: unknown;
      updatedAt?: unknown;
    };
    answer: Secret;
  };
  /** Seal with the present key whatever an earlier OVEN_SECRET sealed */
  "POST /secrets/rotate": {
    answer: SecretRotation;
  };
  /**
   * Make a session graph
   *
   * The whole graph is checked before anything is stored
   */
  "POST /session-graphs": {
    body: SessionGraphSpec;
    answer: SessionGraph;
  };
  /**
   * Make a session graph from a document as text
   *
   * JSON, also with comments and commas at the end; errors name line, column and path
   */
  "POST /session-graphs/import": {
    body: ImportSessionGraph;
    answer: SessionGraph;
  };
  /**
   * Make a session graph of the STEP nodes and NEXT relationships in Neo4j
   *
   * Reads the database that an operator opened to the tenant (`OVEN_NEO4J_URL`), once
   */
  "POST /session-graphs/import-neo4j": {
    body: ImportNeo4jGraph;
    answer: SessionGraph;
  };
  /** Start a session of a graph */
  "POST /session-graphs/{graph}/sessions": {
    path: {
      graph: WorkflowId;
    };
    answer: GraphSession;
  };
  /** Make the first admin with the one-time link's token */
  "POST /setup": {
    body: {
      token: string;
      name: string;
      email: string;
      password: string;
    };
    answer: unknown;
  };
  /** Let agents do something with a table */
  "POST /table-tools": {
    body: CreateTableTool;
    answer: TableTool;
  };
  /** Make a table */
  "POST /tables": {
    body: CreateTable;
    answer: Table;
  };
  /** Take a CSV file into a table, or say what would become of it */
  "POST /tables/{id}/import": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: ImportTable;
    answer: TableImport;
  };
  /** What a change of columns would do: values that are lost, and rows that do not fit */
  "POST /tables/{id}/plan": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: PlanTable;
    answer: TablePlan;
  };
  /** Add rows to a table: all, or none */
  "POST /tables/{id}/rows": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: InsertRows;
    answer: WrittenRows;
  };
  /** Delete rows of a table: all, or none */
  "POST /tables/{id}/rows/delete": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: DeleteRows;
    answer: unknown;
  };
  /** Make a tenant; its first owner's link is in this answer and never shown again */
  "POST /tenants": {
    body: {
      name: string;
      ownerEmail: string;
    };
    answer: CreatedTenant;
  };
  /** Erase a tenant with its people, workflows and runs: `confirm` repeats its name; for users of the first tenant */
  "POST /tenants/{id}/erase": {
    path: {
      id: number;
    };
    body: EraseTenant;
    answer: ErasedTenant;
  };
  /**
   * Call a tool once, by hand, as yourself
   *
   * As a model's call: the same permissions, the same check of the arguments. A tool that needs approval is refused with APPROVAL_NEEDED: only a run can ask for it. What the tool itself says went wrong is in `error`.
   */
  "POST /tools/{id}/call": {
    path: {
      /** Id of the tool, such as `orders.get` */
      id: string;
    };
    body: CallTool;
    answer: TriedTool;
  };
  /** Deliver up to 100 things once more */
  "POST /trigger-deliveries/replay": {
    body: {
      ids: number[];
    };
    answer: TriggerDelivery[];
  };
  /** Deliver the same thing once more, by the trigger as it is now */
  "POST /trigger-deliveries/{id}/replay": {
    path: {
      id: number;
    };
    answer: TriggerDelivery;
  };
  /** Make a trigger; its runs are started with the permissions of the principal that saved it last */
  "POST /triggers": {
    body: CreateTrigger;
    answer: Trigger;
  };
  /** Fire a trigger by hand */
  "POST /triggers/{id}/fire": {
    path: {
      id: number;
    };
    body?: {
      payload?: Json;
    };
    answer: TriggerDelivery;
  };
  /** What a payload, a past delivery or the type's sample would do; nothing is started */
  "POST /triggers/{id}/test": {
    path: {
      id: number;
    };
    body?: {
      payload?: Json;
      deliveryId?: number;
    };
    answer: TriggerTest;
  };
  /** Give a trigger a new address; the one before is unknown from then on */
  "POST /triggers/{id}/token": {
    path: {
      id: number;
    };
    answer: Trigger;
  };
  /** Take a person's authenticator app, recovery codes and passkeys away, and end their sessions */
  "POST /users/{id}/reset-second-factor": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /** End every session of a user */
  "POST /users/{id}/sign-out": {
    path: {
      id: number;
    };
    answer: unknown;
  };
  /**
   * Ask an agent or a workflow, in the shape of OpenAI's chat completions
   *
   * Every request is a run; the conversation comes with it. `stream` answers chunks. A run that waits for a person is answered with words about it, and its outcome by the same request with `metadata.oven_run_id`.
   */
  "POST /v1/chat/completions": {
    body: {
      model: string;
      messages: ({
        role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
        content?: string | ({
          type: string;
        } & Record<string, unknown>)[] | null;
        refusal?: string | null;
        tool_calls?: ({
          id?: string;
          function?: {
            name: string;
            arguments: string;
          } & Record<string, unknown>;
        } & Record<string, unknown>)[] | null;
        tool_call_id?: string;
      } & Record<string, unknown>)[];
      stream?: boolean | null;
      stream_options?: {
        include_usage?: boolean | null;
      } & Record<string, unknown> | null;
      tools?: ({
        type: string;
      } & Record<string, unknown>)[] | null;
      tool_choice?: unknown;
      metadata?: Record<string, string | number | boolean | null> | null;
      oven?: {
        parameters?: Record<string, Json>;
      };
    } & Record<string, unknown>;
    answer: {
      id: string;
      object: "chat.completion";
      created: number;
      model: string;
      choices: {
        index: 0;
        message: {
          role: "assistant";
          content: string | null;
          refusal: null;
          tool_calls?: {
            id: string;
            type: "function";
            function: {
              name: string;
              arguments: string;
            };
          }[];
        };
        finish_reason: "stop" | "tool_calls";
        logprobs: null;
      }[];
      usage: {
        prompt_tokens: number;
        completion_tokens: number;
        total_tokens: number;
        prompt_tokens_details: {
          cached_tokens: number;
        };
        completion_tokens_details: {
          reasoning_tokens: number;
        };
      };
      metadata: Record<string, string>;
    };
  };
  /**
   * Ask an agent or a workflow, in the shape of OpenAI's responses
   *
   * Every request is a run. `previous_response_id` goes on with that conversation, and answers the outcome of a run that waited for a person. `stream` answers typed events.
   */
  "POST /v1/responses": {
    body: {
      model: string;
      input?: string | ({
        type?: string;
        role?: "system" | "developer" | "user" | "assistant";
        content?: string | ({
          type: string;
        } & Record<string, unknown>)[] | null;
        id?: string | null;
        name?: string;
        arguments?: string;
        call_id?: string;
        output?: string | ({
          type: string;
        } & Record<string, unknown>)[] | null;
      } & Record<string, unknown>)[];
      instructions?: string | null;
      previous_response_id?: string | null;
      stream?: boolean | null;
      tools?: ({
        type: string;
      } & Record<string, unknown>)[] | null;
      tool_choice?: unknown;
      metadata?: Record<string, string | number | boolean | null> | null;
      oven?: {
        parameters?: Record<string, Json>;
      };
    } & Record<string, unknown>;
    answer: {
      id: string;
      object: "response";
      created_at: number;
      status: "completed" | "incomplete" | "in_progress" | "failed" | "cancelled";
      model: string;
      output: (Record<string, unknown> & ({
        id: string;
        type: "message";
        role: "assistant";
        status: "completed" | "in_progress";
        content: {
          type: "output_text";
          text: string;
          annotations: unknown[];
        }[];
      } | {
        id: string;
        type: "function_call";
        call_id: string;
        name: string;
        arguments: string;
        status: "completed" | "in_progress";
      }))[];
      error: {
        message: string;
        type: string;
        param: string | null;
        code: string | null;
      } | null;
      incomplete_details: {
        reason: string;
      } | null;
      instructions: string | null;
      previous_response_id: string | null;
      metadata: Record<string, string>;
      parallel_tool_calls: boolean;
      tool_choice: "auto";
      tools: unknown[];
      temperature: null;
      top_p: null;
      usage: {
        input_tokens: number;
        input_tokens_details: {
          cached_tokens: number;
        };
        output_tokens: number;
        output_tokens_details: {
          reasoning_tokens: number;
        };
        total_tokens: number;
      } | null;
    };
  };
  /** What is not offered of OpenAI's API: 404 */
  "POST /v1/{path}": {
    path: {
      path: string;
    };
    answer: unknown;
  };
  /**
   * Create a vector store
   *
   * Its embedding model is asked once, and fixed: vectors of different models cannot be compared.
   */
  "POST /vector-stores": {
    body: CreateVectorStore;
    answer: VectorStore;
  };
  /**
   * Add a document, or replace the one with the same key
   *
   * Text, Markdown, HTML, PDF or Word. It is taken in afterwards: its `status` and `progress` say how far, and it is found when it is `ready`.
   */
  "POST /vector-stores/{id}/documents": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    body: AddDocument;
    answer: KnowledgeDocument;
  };
  /**
   * Add a page or a file of the public internet
   *
   * It is read now, and again when it is added again. It is taken in afterwards: its `status` and `progress` say how far, and it is found when it is `ready`.
   */
  "POST /vector-stores/{id}/documents/page": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    body: AddPage;
    answer: KnowledgeDocument;
  };
  /**
   * Upload a document as a form
   *
   * multipart/form-data with the part `file`, and perhaps `title`, `key`, `charset`, `metadata`, `recognizeText` (`true`) and `recognitionLanguages` (`eng,deu`). It is taken in afterwards: its `status` and `progress` say how far, and it is found when it is `ready`.
   */
  "POST /vector-stores/{id}/documents/upload": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    answer: KnowledgeDocument;
  };
  /**
   * Recognize the text of pages that have none, such as scans
   *
   * The document is taken in anew, and what was found of it is found until then; `recognition` says how far it is. It takes seconds a page. In the same languages only one that failed is. It is taken in afterwards: its `status` and `progress` say how far, and it is found when it is `ready`.
   */
  "POST /vector-stores/{id}/documents/{documentId}/recognize": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    body: RecognizeText;
    answer: KnowledgeDocument;
  };
  /** Take a document that failed in once more; any other stays as it is */
  "POST /vector-stores/{id}/documents/{documentId}/retry": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
      documentId: number;
    };
    answer: KnowledgeDocument;
  };
  /** Search a vector store by meaning, by words, or both */
  "POST /vector-stores/{id}/query": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    body: QueryVectors;
    answer: QueryVectorsAnswer;
  };
  /**
   * Add texts to a vector store, or replace those with the same key
   *
   * Vectors that are left out are computed by the store's model.
   */
  "POST /vector-stores/{id}/upsert": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    body: UpsertVectors;
    answer: UpsertVectorsAnswer;
  };
  /** Try failed runs again: those named, or all of a workflow that were not tried again yet */
  "POST /workflow-executions/redrive": {
    body: RedriveBody;
    answer: RedriveReport;
  };
  /** Cancel a run; no new node starts once this is accepted */
  "POST /workflow-executions/{id}/cancel": {
    path: {
      id: number;
    };
    body?: {
      reason?: string;
    };
    answer: ExecutionOutput;
  };
  /** Say what an expression or a condition would come to over the context of a run */
  "POST /workflow-executions/{id}/evaluate": {
    path: {
      id: number;
    };
    body: EvaluateBody;
    answer: Evaluation;
  };
  /**
   * Send an event to a run: to its `on` handlers and to nodes that wait for it
   *
   * 202 and the run. What nothing is waiting for changes nothing and is said in the run's log. `Idempotency-Key` makes repeats safe.
   */
  "POST /workflow-executions/{id}/events": {
    path: {
      id: number;
    };
    body: SendEventBody;
    answer: ExecutionSummary;
  };
  /** Begin a new run at a checkpoint of another one, with a patched context if wished */
  "POST /workflow-executions/{id}/fork": {
    path: {
      id: number;
    };
    body: ForkBody;
    answer: ExecutionSummary;
  };
  /** Go through a recorded run again, without calling anything, and say whether it comes out the same */
  "POST /workflow-executions/{id}/replay": {
    path: {
      id: number;
    };
    answer: ReplayReport;
  };
  /** Decide the review a paused run waits for */
  "POST /workflow-executions/{id}/resume": {
    path: {
      id: number;
    };
    body: Decision | {
      input: {
        decision: string;
        feedback?: string;
      };
    };
    answer: ExecutionOutput;
  };
  /**
   * Try a run again from the step that failed, as a new run
   *
   * 202 and the new run. What had finished is not done again. `nodeId` goes on from another step, `version` with another version. `draft` goes on with the draft, as a test: it needs the permission to change the workflow, and `revision` refuses another draft than the one that is meant.
   */
  "POST /workflow-executions/{id}/retry": {
    path: {
      id: number;
    };
    body: RetryBody;
    answer: ExecutionSummary;
  };
  /**
   * Score a run from 0 to 1, at any time after its start
   *
   * A later score of the same name from the same person, key or workflow replaces the earlier one. A workflow does not score its own runs.
   */
  "POST /workflow-executions/{id}/scores": {
    path: {
      id: number;
    };
    body: NewRunScore;
    answer: RunScore;
  };
  /** The definition that a document compiles to; nothing is stored */
  "POST /workflow-formats/{format}/compile": {
    path: {
      format: string;
    };
    body: FormatSource;
    answer: CompiledFormat;
  };
  /** Make a workflow of a document as text; errors name line, column and path */
  "POST /workflow-formats/{format}/import": {
    path: {
      format: string;
    };
    body: FormatSource;
    answer: FormatWorkflow;
  };
  /** A copy of what a document compiles to, as an agent workflow of one's own; there is no way back */
  "POST /workflow-formats/{format}/{workflow}/convert": {
    path: {
      format: string;
      workflow: string;
    };
    answer: Workflow;
  };
  /** Make a workflow of one of n8n, Dify, Flowise, LangGraph or Amazon States Language; with placeholders it is a draft that cannot be published yet */
  "POST /workflow-imports": {
    body: CreateFromImport;
    answer: CreatedFromImport;
  };
  /** What becomes of a workflow of n8n, Dify, Flowise, LangGraph or Amazon States Language: a draft of a definition and a report; nothing is stored */
  "POST /workflow-imports/preview": {
    body: FormatSource;
    answer: {
      product: "n8n" | "dify" | "flowise" | "langgraph" | "states-language";
      productTitle: string;
      name: string;
      description: string | null;
      definition: JsonSchemaDocument;
      problems: ProblemOutput[];
      report: ImportReport;
    };
  };
  /** Add and take off tags of several workflows, of all or none; answers those that changed */
  "POST /workflow-tags": {
    body: ChangeTags;
    answer: Workflow[];
  };
  /** Create and publish a workflow */
  "POST /workflows": {
    body: CreateWorkflow;
    answer: Workflow;
  };
  /** What a definition may do if you publish it: the permissions it needs and those you lack */
  "POST /workflows/grant": {
    body: {
      definition: JsonSchemaDocument;
    };
    answer: GrantReport;
  };
  /** Create and publish a workflow from another dialect; `changes` says what was rewritten */
  "POST /workflows/import": {
    body: CreateWorkflow;
    answer: ImportedWorkflow;
  };
  /** Check a definition without saving it */
  "POST /workflows/validate": {
    body: {
      definition: JsonSchemaDocument;
    };
    answer: {
      problems: ProblemOutput[];
    };
  };
  /** What a run of a definition needs at most: model calls, tokens, money, calls of tools, reviews and time */
  "POST /workflows/worst-case": {
    body: {
      definition: JsonSchemaDocument;
      workflowId?: number;
    };
    answer: WorstCase;
  };
  /** Publish the candidate as the newest version */
  "POST /workflows/{id}/canary/promote": {
    path: {
      id: IdOrSlug;
    };
    answer: Workflow;
  };
  /**
   * What a workflow compiles to: its machine for XState, as TypeScript and as a Mermaid diagram
   *
   * The published definition, or the one in the body; nothing is saved. 400 names every problem.
   */
  "POST /workflows/{id}/compile": {
    path: {
      id: IdOrSlug;
    };
    body: CompileBody;
    answer: CompiledWorkflow;
  };
  /**
   * Run the draft of a workflow as a test
   *
   * Needs the permission to run, too. The run's `triggerEvent` is `test` and its `workflowVersion` the draft's revision below zero. With `conversation` it is a turn of one, whose `sessionId` is below zero, too. `wait` and `Idempotency-Key` as for any run.
   */
  "POST /workflows/{id}/draft/execute": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      wait?: number;
    };
    body: ExecuteDraft;
    answer: ExecutionSummary;
  };
  /**
   * Run a workflow
   *
   * 202 and the run. `wait` (seconds) answers 200 when it ended or paused in time. `Idempotency-Key` makes repeats safe. `options` run a part of the graph, pin outputs, go dry, or set a budget.
   */
  "POST /workflows/{id}/execute": {
    path: {
      id: IdOrSlug;
    };
    query?: {
      wait?: number;
    };
    body: ExecuteBody;
    answer: ExecutionSummary;
  };
  /**
   * Move the waiting runs of a workflow to another version
   *
   * 202 and the migration; its runs are moved one after the other, each as a whole or not at all. Runs that go on meanwhile are left out and named. Open reviews stay open. It can be undone for runs that no worker has taken up since.
   */
  "POST /workflows/{id}/migrations": {
    path: {
      id: IdOrSlug;
    };
    body: MigrateRunsBody;
    answer: RunMigration;
  };
  /**
   * Say what moving the waiting runs of a workflow to another version would come to
   *
   * Groups of waiting runs that are alike, each with a verdict, what it needs, and proposals for states that are missing. Nothing is written.
   */
  "POST /workflows/{id}/migrations/plan": {
    path: {
      id: IdOrSlug;
    };
    body: MigrateRunsBody;
    answer: MigrationPlan;
  };
  /** Put runs back that no worker has taken up since they were moved */
  "POST /workflows/{id}/migrations/{migrationId}/undo": {
    path: {
      id: IdOrSlug;
      migrationId: number;
    };
    answer: RunMigration;
  };
  /**
   * What the policies about past runs have against publishing the draft of a workflow
   *
   * Goes through the runs anew, as publishing does. Errors refuse it.
   */
  "POST /workflows/{id}/publish-check": {
    path: {
      id: IdOrSlug;
    };
    body: RehearseRunBody;
    answer: {
      problems: ProblemOutput[];
    };
  };
  /**
   * Go through past runs of a workflow on a changed definition, without calling anything
   *
   * Steps that only compute are computed; every other call gets the answer that was recorded for the same input, and people's decisions and events come as they came. `unknown` where an answer decides that was not recorded. Needs the permission to read runs, too.
   */
  "POST /workflows/{id}/rehearse": {
    path: {
      id: IdOrSlug;
    };
    body: RehearseBody;
    answer: Rehearsal;
  };
  /**
   * One past run of a workflow and what it comes to on a changed definition, step by step
   *
   * As `rehearse` for one run, with what every step was given and what it gave on both sides.
   */
  "POST /workflows/{id}/rehearse/{executionId}": {
    path: {
      id: IdOrSlug;
      executionId: number;
    };
    body: RehearseRunBody;
    answer: RehearsedSides;
  };
  /** Note that you have looked at what a past run comes to on the draft of a workflow */
  "POST /workflows/{id}/rehearse/{executionId}/seen": {
    path: {
      id: IdOrSlug;
      executionId: number;
    };
    body: SeenDifference;
    answer: RehearsedSides;
  };
  /**
   * Score the newest run whose input has a value, such as the order that a refund is disputed of
   *
   * For outcomes that arrive days later from a system that knows no run ids. As a step it makes a workflow that an event or webhook starts report them.
   */
  "POST /workflows/{id}/scores": {
    path: {
      id: IdOrSlug;
    };
    body: NewOutcome;
    answer: RunScore;
  };
  /** Publish an earlier version again, as a new one */
  "POST /workflows/{id}/versions/{versionId}/restore": {
    path: {
      id: IdOrSlug;
      versionId: number;
    };
    answer: Workflow;
  };
  /** Change a connection; at another address the agent must be approved anew */
  "PUT /a2a-connections/{id}": {
    path: {
      id: number;
    };
    body?: {
      id?: unknown;
      toolId?: unknown;
      state?: unknown;
      card?: unknown;
      cardHash?: unknown;
      approvedCard?: unknown;
      approvedBy?: unknown;
      approvedAt?: unknown;
      needsApproval?: unknown;
      approvalWhen?: unknown;
      lastContactAt?: unknown;
      lastError?: unknown;
      createdBy?: unknown;
      createdAt?: unknown;
      updatedAt?: unknown;
      name?: Slug;
      title?: string | null;
      url?: string;
      auth?: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs?: number;
      maxTotalMs?: number;
      callsPerMinute?: number;
      callsPerDay?: number | null;
      enabled?: boolean;
    };
    answer: {
      id: number;
      name: Slug;
      title: string | null;
      url: string;
      auth: Record<string, unknown> & ({
        type: "none";
      } | {
        type: "bearer";
        secret: string;
      } | {
        type: "header";
        header: string;
        secret: string;
      });
      timeoutMs: number;
      maxTotalMs: number;
      callsPerMinute: number;
      callsPerDay: number | null;
      enabled: boolean;
      toolId: string;
      state: "new" | "approved" | "changed" | "failing" | "disabled";
      card: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      cardHash: string | null;
      approvedCard: {
        name: string;
        description: string;
        skills: {
          id: string;
          name: string;
          description: string;
          tags: string[];
          examples: string[];
        }[];
        interfaces: {
          url: string;
          binding: string;
          version: string;
          tenant: string;
        }[];
      } | null;
      approvedBy: number | null;
      approvedAt: string | null;
      needsApproval: boolean;
      approvalWhen: string | null;
      lastContactAt: string | null;
      lastError: string | null;
      createdBy: number | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Rename a passkey */
  "PUT /account/passkeys/{id}": {
    path: {
      id: number;
    };
    body: {
      name: PasskeyName;
    };
    answer: unknown;
  };
  /** Correct a memory */
  "PUT /agent-memory/{id}": {
    path: {
      id: number;
    };
    body: UpdateMemory;
    answer: MemoryEntry;
  };
  /** Give a conversation another title */
  "PUT /agent-sessions/{id}": {
    path: {
      id: number;
    };
    body: UpdateAgentSession;
    answer: AgentSession;
  };
  /** Change an agent workflow; anything but `meta` publishes a new version */
  "PUT /agent-workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    body: UpdateWorkflow;
    answer: Workflow;
  };
  /**
   * Let a share of the new runs of an agent workflow, or those of some callers, take another version
   *
   * The draft is published as a version that is not live. Runs that have begun keep their version. With `rollback` it ends when more of its runs fail than that allows.
   */
  "PUT /agent-workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    body: SetCanaryBody;
    answer: CanaryReport;
  };
  /**
   * Save the draft of an agent workflow; it need not be valid
   *
   * Replaces the `revision` that is named, 0 for the first. When there is another by now: 409 with it in `details.current`.
   */
  "PUT /agent-workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    body: SaveDraft;
    answer: WorkflowDraft;
  };
  /** Say whether the person who started a run of the agent workflow is notified of its end */
  "PUT /agent-workflows/{id}/notify": {
    path: {
      id: string;
    };
    body: {
      onComplete: boolean;
      onFailure: boolean;
    };
    answer: WorkflowNotify;
  };
  /**
   * Change an agent
   *
   * A changed setting makes a new version. Runs go on with the one they began with.
   */
  "PUT /agents/{id}": {
    path: {
      id: IdOrSlug;
    };
    body: UpdateAgent;
    answer: Agent;
  };
  /**
   * Change what a model alias stands for
   *
   * Runs that start or go on afterwards use the new model at their next model call.
   */
  "PUT /ai-aliases/{id}": {
    path: {
      id: number;
    };
    body: UpdateModelAlias;
    answer: ModelAlias;
  };
  /** Change a model budget */
  "PUT /ai-budgets/{id}": {
    path: {
      id: number;
    };
    body: UpdateModelBudget;
    answer: ModelBudget;
  };
  /** Change a guardrail */
  "PUT /ai-guardrails/{id}": {
    path: {
      id: number;
    };
    body: UpdateGuardrail;
    answer: Guardrail;
  };
  /** Change a price of a model */
  "PUT /ai-prices/{id}": {
    path: {
      id: number;
    };
    body: UpdateModelPrice;
    answer: ModelPrice;
  };
  /** Change a model provider of one's own */
  "PUT /ai-providers/{id}": {
    path: {
      id: string;
    };
    body: UpdateModelProvider;
    answer: ModelProvider;
  };
  /** Change a model rate limit */
  "PUT /ai-rate-limits/{id}": {
    path: {
      id: number;
    };
    body: UpdateModelRateLimit;
    answer: ModelRateLimit;
  };
  /** Change a connection; at another server its operations must be approved anew */
  "PUT /api-connections/{id}": {
    path: {
      id: number;
    };
    body: UpdateApiConnection;
    answer: ApiConnection;
  };
  /** Connect the caller's own account by a key of theirs */
  "PUT /api-connections/{id}/account": {
    path: {
      id: number;
    };
    body: ConnectApiAccount;
    answer: ApiAccount;
  };
  /** Change a bot */
  "PUT /bots/{id}": {
    path: {
      id: number;
    };
    body: UpdateBot;
    answer: Bot;
  };
  /** Give a chat another title, or its next messages other parameters */
  "PUT /chat-sessions/{id}": {
    path: {
      id: number;
    };
    body: UpdateChatSession;
    answer: ChatSession;
  };
  /** Say what you think of an answer: a score of its run */
  "PUT /chat-sessions/{id}/messages/{messageId}/thumb": {
    path: {
      id: number;
      messageId: number;
    };
    body: RateChatMessage;
    answer: ChatThumb;
  };
  /** Change an embed; its runs have your permissions from then on. Switching it off ends its sessions at once */
  "PUT /embeds/{id}": {
    path: {
      id: number;
    };
    body: {
      name: string;
      enabled?: boolean;
      mode?: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input?: JsonSchemaDocument;
      origins: string[];
      theme?: {
        accent?: string;
        scheme?: "auto" | "light" | "dark";
        corner?: "right" | "left";
        title?: string;
        greeting?: string;
        /** Empty: a word in the language of the page */
        placeholder?: string;
      };
      limits?: {
        /** Messages of one visitor */
        visitorPerHour?: number;
        /** Messages of all visitors */
        embedPerHour?: number;
        /** Characters of a message */
        messageLength?: number;
        /** A conversation is deleted after them */
        conversationHours?: number;
      };
      form?: {
        /** Empty: a word in the language of the page */
        submitLabel?: string;
        /** Empty: a sentence in the language of the page */
        thanks?: string;
        /** Whether the visitor sees the output of the run */
        showAnswer?: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides?: boolean;
    };
    answer: {
      name: string;
      enabled: boolean;
      mode: "chat" | "form";
      target: {
        kind: ChatTargetKind;
        id: number;
      };
      /** What every run gets besides */
      input: JsonSchemaDocument;
      origins: string[];
      theme: {
        accent: string;
        scheme: "auto" | "light" | "dark";
        corner: "right" | "left";
        title: string;
        greeting: string;
        /** Empty: a word in the language of the page */
        placeholder: string;
      };
      limits: {
        /** Messages of one visitor */
        visitorPerHour: number;
        /** Messages of all visitors */
        embedPerHour: number;
        /** Characters of a message */
        messageLength: number;
        /** A conversation is deleted after them */
        conversationHours: number;
      };
      form: {
        /** Empty: a word in the language of the page */
        submitLabel: string;
        /** Empty: a sentence in the language of the page */
        thanks: string;
        /** Whether the visitor sees the output of the run */
        showAnswer: boolean;
      };
      /** Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool */
      visitorDecides: boolean;
      id: number;
      publicId: string;
      lastError: string | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Change a case */
  "PUT /eval-cases/{id}": {
    path: {
      id: number;
    };
    body: UpdateEvalCase;
    answer: EvalCase;
  };
  /** Change a dataset */
  "PUT /eval-datasets/{id}": {
    path: {
      id: IdOrSlug;
    };
    body: UpdateEvalDataset;
    answer: EvalDataset;
  };
  /** Change an event subscription; while it is off, what is due waits and new events are left out */
  "PUT /event-subscriptions/{id}": {
    path: {
      id: number;
    };
    body: UpdateEventSubscription;
    answer: EventSubscription;
  };
  /** Change an event wiring */
  "PUT /event-wirings/{id}": {
    path: {
      id: number;
    };
    body: UpdateEventWiring;
    answer: EventWiring;
  };
  /** Write a chain of executors anew */
  "PUT /executor-chains/{workflow}": {
    path: {
      workflow: WorkflowId;
    };
    body: ChainSpec;
    answer: Chain;
  };
  /** Pause or archive a chain of executors, or make it active again */
  "PUT /executor-chains/{workflow}/status": {
    path: {
      workflow: WorkflowId;
    };
    body: SetChainStatus;
    answer: Chain;
  };
  /** Change a policy on graphs */
  "PUT /graph-policies/{id}": {
    path: {
      id: number;
    };
    body: UpdateGraphPolicy;
    answer: GraphPolicy;
  };
  /**
   * Write the state of a session, which goes on from there
   *
   * What became active starts, what became complete is gone on from, what waits is tried again. A session that has ended is taken up again. `last_evaluated`, when given, must be as it was read.
   */
  "PUT /graph-sessions/{session}/state": {
    path: {
      session: string;
    };
    body: Json;
    answer: GraphSession;
  };
  /**
   * Deliver to a webhook trigger by PUT
   *
   * Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.
   */
  "PUT /hooks/{token}": {
    path: {
      token: string;
    };
    answer: unknown;
  };
  /** Save a agent step; its ids and its summary stay */
  "PUT /linear-agent-steps/{uuid}": {
    path: {
      uuid: string;
    };
    body: CustomAgent;
    answer: LinearStep;
  };
  /** Save a stop checker; its ids and its summary stay */
  "PUT /linear-checker-steps/{uuid}": {
    path: {
      uuid: string;
    };
    body: StopChecker;
    answer: LinearStep;
  };
  /** Rename a data container */
  "PUT /linear-data-containers/{uuid}": {
    path: {
      uuid: string;
    };
    body: UpdateDataContainer;
    answer: DataContainer;
  };
  /** Change a value that a client put into a data container; it is summarised anew */
  "PUT /linear-data-instances/{uuid}": {
    path: {
      uuid: string;
    };
    body: UpdateDataInstance;
    answer: DataContainerInstance;
  };
  /** Save a LLM step; its ids and its summary stay */
  "PUT /linear-llm-steps/{uuid}": {
    path: {
      uuid: string;
    };
    body: CustomLlm;
    answer: LinearStep;
  };
  /** Change a record of a step that is run elsewhere */
  "PUT /linear-step-instances/{uuid}": {
    path: {
      uuid: string;
    };
    body: LinearStepInstance;
    answer: LinearStepInstance;
  };
  /** Save a trigger's settings, rules and description */
  "PUT /linear-triggers/{uuid}": {
    path: {
      uuid: string;
    };
    body: LinearTrigger;
    answer: LinearTrigger;
  };
  /** Change a run of a linear workflow: it can be stopped, all else is its record */
  "PUT /linear-workflow-instances/{uuid}": {
    path: {
      uuid: string;
    };
    body: UpdateLinearInstance;
    answer: LinearInstance;
  };
  /** Rename a linear workflow, switch it on or off */
  "PUT /linear-workflows/{uuid}": {
    path: {
      uuid: string;
    };
    body: UpdateLinearWorkflow;
    answer: LinearWorkflow;
  };
  /** Put the steps of a linear workflow into another order */
  "PUT /linear-workflows/{uuid}/steps": {
    path: {
      uuid: string;
    };
    body: ReorderLinearSteps;
    answer: LinearWorkflow;
  };
  /** Give a linear workflow a trigger, in place of the one before */
  "PUT /linear-workflows/{uuid}/trigger": {
    path: {
      uuid: string;
    };
    body: SetLinearTrigger;
    answer: LinearWorkflow;
  };
  /** Change a connection; with another address its tools must be approved anew */
  "PUT /mcp-connections/{id}": {
    path: {
      id: number;
    };
    body: UpdateMcpConnection;
    answer: McpConnection;
  };
  /** Change a configuration value */
  "PUT /module-configs/{id}": {
    path: {
      id: number;
    };
    body: UpdateModuleConfig;
    answer: ModuleConfig;
  };
  /** Say what you want to be notified of, which way, and when */
  "PUT /notification-preferences": {
    body: NotificationPreferences;
    answer: NotificationPreferencesOutput;
  };
  /** Change a rule */
  "PUT /notification-rules/{id}": {
    path: {
      id: number;
    };
    body: UpdateNotificationRule;
    answer: NotificationRule;
  };
  /** Change a role of this tenant; users who have it may do so at once */
  "PUT /roles/{id}": {
    path: {
      id: number;
    };
    body: {
      title: string;
      description?: string;
      permissions: Permission[];
      id?: unknown;
      name?: unknown;
      builtIn?: unknown;
      requiresSecondFactor?: unknown;
    };
    answer: Role;
  };
  /**
   * Demand a second factor of those who have a role, built-in ones included, or no longer
   *
   * It holds at once, also for sessions that there are. It takes all the permissions of the role.
   */
  "PUT /roles/{id}/second-factor": {
    path: {
      id: number;
    };
    body: {
      required: boolean;
    };
    answer: Role;
  };
  /**
   * Make a routed graph, or put a document in its place
   *
   * What is no longer in the document is gone. Runs that go on keep the graph they began with
   */
  "PUT /routed-graphs/{graph}": {
    path: {
      graph: string;
    };
    body: RoutedGraphSpec;
    answer: RoutedGraph;
  };
  /** Change a judge; runs that wait for it are judged as it is then */
  "PUT /score-judges/{id}": {
    path: {
      id: number;
    };
    body: UpdateScoreJudge;
    answer: ScoreJudge;
  };
  /** Change a secret's value or hosts */
  "PUT /secrets/{id}": {
    path: {
      id: number;
    };
    body?: {
      value?: string;
      hosts?: string[];
      name?: unknown;
      id?: unknown;
      lastUsedAt?: unknown;
      createdBy?: unknown;
      createdAt?: unknown;
      updatedAt?: unknown;
    };
    answer: Secret;
  };
  /**
   * Write a session graph anew
   *
   * Sessions that go on keep the graph they began with
   */
  "PUT /session-graphs/{graph}": {
    path: {
      graph: WorkflowId;
    };
    body: SessionGraphSpec;
    answer: SessionGraph;
  };
  /** Change what agents may do with a table */
  "PUT /table-tools/{id}": {
    path: {
      id: number;
    };
    body: UpdateTableTool;
    answer: TableTool;
  };
  /** Change the names and columns of a table, with all its rows */
  "PUT /tables/{id}": {
    path: {
      /** Id or slug of the table */
      id: IdOrSlug;
    };
    body: UpdateTable;
    answer: Table;
  };
  /** Rename, disable or enable a tenant */
  "PUT /tenants/{id}": {
    path: {
      id: number;
    };
    body?: {
      name?: string;
      disabled?: boolean;
      id?: unknown;
      createdAt?: unknown;
    };
    answer: Tenant;
  };
  /** Change a trigger */
  "PUT /triggers/{id}": {
    path: {
      id: number;
    };
    body: UpdateTrigger;
    answer: Trigger;
  };
  /**
   * Rename a user, change their roles, disable or enable them
   *
   * Disabling ends their sessions at once and stops their keys within a second.
   */
  "PUT /users/{id}": {
    path: {
      id: number;
    };
    body?: {
      name?: string;
      roles?: RoleName[];
      disabled?: boolean;
      id?: unknown;
      email?: unknown;
      secondFactor?: unknown;
      lastSignInAt?: unknown;
      createdAt?: unknown;
    };
    answer: User;
  };
  /** Rename or describe a vector store */
  "PUT /vector-stores/{id}": {
    path: {
      /** Id or slug of the vector store */
      id: IdOrSlug;
    };
    body: UpdateVectorStore;
    answer: VectorStore;
  };
  /** Change a workflow; anything but `meta` publishes a new version */
  "PUT /workflows/{id}": {
    path: {
      id: IdOrSlug;
    };
    body: UpdateWorkflow;
    answer: Workflow;
  };
  /**
   * Let a share of the new runs of a workflow, or those of some callers, take another version
   *
   * The draft is published as a version that is not live. Runs that have begun keep their version. With `rollback` it ends when more of its runs fail than that allows.
   */
  "PUT /workflows/{id}/canary": {
    path: {
      id: IdOrSlug;
    };
    body: SetCanaryBody;
    answer: CanaryReport;
  };
  /**
   * Save the draft of a workflow; it need not be valid
   *
   * Replaces the `revision` that is named, 0 for the first. When there is another by now: 409 with it in `details.current`.
   */
  "PUT /workflows/{id}/draft": {
    path: {
      id: IdOrSlug;
    };
    body: SaveDraft;
    answer: WorkflowDraft;
  };
  /** Say whether the person who started a run of the workflow is notified of its end */
  "PUT /workflows/{id}/notify": {
    path: {
      id: string;
    };
    body: {
      onComplete: boolean;
      onFailure: boolean;
    };
    answer: WorkflowNotify;
  };
}

export type AccountLink = {
  provider: DecisionProvider;
  workspace: string;
  account: string;
  name: string;
  expiresAt: string;
};

export type AccountLinkToken = {
  token: string;
};

export type Actor = {
  kind: "user" | "api-key" | "system";
  id: number | null;
};

export type AddDocument = {
  key?: string;
  title: string;
  mediaType?: DocumentType;
  text?: string;
  data?: string;
  charset?: string;
  /** Whether pages of a PDF that have no text, such as scans, are read by text recognition. It takes seconds a page. Absent: as the document with this key has it, and not at all for a new one */
  recognizeText?: boolean;
  /** With `recognizeText`: languages of the pages, `eng` (English), `deu` (German) or both. Absent: `eng` */
  recognitionLanguages?: RecognitionLanguage[];
  metadata?: JsonSchemaDocument;
};

export type AddLinearStep = {
  type: LinearStepType;
  name: string;
  position?: number;
};

export type AddPage = {
  url: string;
  title?: string;
  key?: string;
  /** Whether pages of a PDF that have no text, such as scans, are read by text recognition. It takes seconds a page. Absent: as the document with this key has it, and not at all for a new one */
  recognizeText?: boolean;
  /** With `recognizeText`: languages of the pages, `eng` (English), `deu` (German) or both. Absent: `eng` */
  recognitionLanguages?: RecognitionLanguage[];
  metadata?: JsonSchemaDocument;
};

export type Agent = {
  systemPrompt: string;
  model: string | null;
  agentConfig: {
    temperature?: number;
    topP?: number;
    maxOutputTokens?: number;
    seed?: number;
    timeoutMs?: number;
  };
  exposedParameters: JsonSchemaDocument | null;
  toolBindings: ToolPattern[];
  memoryConfig: MemoryConfig | null;
  callerTools: boolean;
  a2aExport: boolean;
  outputSchema: JsonSchemaDocument | null;
  maxToolIterations: number | null;
  streamingEnabled: boolean;
  workflowId: number | null;
  name: string;
  slug: Slug;
  description: string | null;
  enabled: boolean;
  id: number;
  tenantId: number | null;
  version: number;
  runsWorkflowId: number | null;
  notes: SchemaNote[];
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type AgentConfig = {
  model?: string;
  system?: string;
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
  tools?: string[];
  timeoutMs?: number;
};

export type AgentMessage = {
  id: number;
  sessionId: number;
  role: "user" | "assistant";
  content: string;
  executionId: number | null;
  createdAt: string;
};

export type AgentReply = {
  status: ExecutionStatus;
  text: string | null;
  object?: Json;
  output: Json;
  error: {
    code: string;
    message: string;
  } | null;
  sessionId: number | null;
  agent: {
    id: number;
    slug: string;
    version: number;
  };
  pending: McpPending[];
  tokenUsage: TokenUsage;
  costMicros: number;
  simulated: boolean;
  run: {
    id: number;
    url: string;
  };
};

export type AgentSession = {
  id: number;
  tenantId: number | null;
  agentId: number;
  userId: number | null;
  title: string | null;
  createdAt: string;
  updatedAt: string;
};

export type AgentSettingsOutput = {
  systemPrompt: string;
  model: string | null;
  agentConfig: {
    temperature?: number;
    topP?: number;
    maxOutputTokens?: number;
    seed?: number;
    timeoutMs?: number;
  };
  exposedParameters: JsonSchemaDocument | null;
  toolBindings: ToolPattern[];
  memoryConfig: MemoryConfig | null;
  callerTools: boolean;
  a2aExport: boolean;
  outputSchema: JsonSchemaDocument | null;
  maxToolIterations: number | null;
  streamingEnabled: boolean;
  workflowId: number | null;
};

export type AgentStats = {
  agentId: number;
  sessions: number;
  lastUsedAt: string | null;
};

export type AgentUses = {
  sessions: number;
  workflows: {
    kind: "workflow" | "agent-workflow";
    id: number;
    name: string;
  }[];
};

export type AgentVersion = {
  id: number;
  agentId: number;
  version: number;
  settings: AgentSettingsOutput;
  description: string | null;
  granted: string[];
  createdBy: number | null;
  createdAt: string;
};

export type AliasSettings = {
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
  timeoutMs?: number;
  idleTimeoutMs?: number;
  cacheTtlMs?: number;
};

export type AnswerSession = {
  step: string;
  input: Json;
};

export type ApiAccount = {
  connectionId: number;
  connection: string;
  origin: string;
  how: "oauth" | "value";
  connected: boolean;
  connectedAt: string | null;
};

export type ApiAccountOwner = {
  userId: number;
  connectedAt: string;
};

export type ApiAuth = Record<string, unknown> & ({
  type: "none";
} | {
  type: "api-key";
  in: "header" | "query";
  name: string;
  prefix?: string;
  secret?: SecretName;
} | {
  type: "bearer";
  secret?: SecretName;
} | {
  type: "basic";
  user?: string;
  secret?: SecretName;
} | {
  type: "oauth";
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret?: SecretName;
  scope?: string;
  clientIn?: "header" | "body";
  parameters?: Record<string, string>;
} | {
  type: "client-credentials";
  tokenUrl: string;
  clientId: string;
  clientSecret: SecretName;
  scope?: string;
  clientIn?: "header" | "body";
});

export type ApiAuthOutput = Record<string, unknown> & ({
  type: "none";
} | {
  type: "api-key";
  in: "header" | "query";
  name: string;
  prefix?: string;
  secret?: SecretName;
} | {
  type: "bearer";
  secret?: SecretName;
} | {
  type: "basic";
  user: string;
  secret?: SecretName;
} | {
  type: "oauth";
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret?: SecretName;
  scope: string;
  clientIn: "header" | "body";
  parameters: Record<string, string>;
} | {
  type: "client-credentials";
  tokenUrl: string;
  clientId: string;
  clientSecret: SecretName;
  scope: string;
  clientIn: "header" | "body";
});

export type ApiAuthorization = {
  url: string;
};

export type ApiBody = {
  property: string | null;
  properties: Record<string, string>;
  mediaType: string;
  kind: "json" | "form" | "multipart" | "text" | "file";
  required: boolean;
  fields: Record<string, ApiField>;
};

export type ApiConnection = {
  id: number;
  tenantId: number | null;
  name: Slug;
  title: string | null;
  serverUrl: string;
  auth: ApiAuthOutput;
  accounts: "shared" | "own";
  timeoutMs: number;
  maxBytes: number;
  callsPerMinute: number;
  callsPerDay: number | null;
  enabled: boolean;
  sourceUrl: string | null;
  sourceType: "url" | "graphql" | "text";
  document: {
    kind: "openapi" | "graphql" | "curl";
    formatVersion: string;
    title: string;
    version: string;
    hash: string;
    servers: {
      url: string;
      description: string;
    }[];
    signIns: ApiSignIn[];
    notes: string[];
  };
  status: "ok" | "failing" | "sign-in" | "disabled";
  readAt: string;
  lastError: string | null;
  nextCheckAt: string | null;
  operations: {
    total: number;
    approved: number;
    waiting: number;
    changed: number;
    vanished: number;
    refused: number;
  };
  signedIn: boolean | null;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type ApiConnectionOperation = {
  id: number;
  connectionId: number;
  toolId: string;
  name: string;
  title: string;
  description: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  path: string;
  tags: string[];
  deprecated: boolean;
  reads: boolean;
  problem: string | null;
  state: ApiOperationState;
  hash: string;
  effect: Effect;
  needsApproval: boolean;
  approvalWhen: string | null;
  approvedBy: number | null;
  approvedAt: string | null;
};

export type ApiConnectionOperationDetail = {
  id: number;
  connectionId: number;
  toolId: string;
  name: string;
  title: string;
  description: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  path: string;
  tags: string[];
  deprecated: boolean;
  reads: boolean;
  problem: string | null;
  state: ApiOperationState;
  hash: string;
  effect: Effect;
  needsApproval: boolean;
  approvalWhen: string | null;
  approvedBy: number | null;
  approvedAt: string | null;
  listed: ApiOperation;
  approved: ApiOperation | null;
  notes: SchemaNote[];
};

export type ApiField = {
  style: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  explode: boolean;
};

export type ApiInspection = {
  ok: boolean;
  error: string | null;
  fix: string | null;
  kind: "openapi" | "graphql" | "curl" | null;
  title: string;
  version: string;
  description: string;
  servers: {
    url: string;
    description: string;
  }[];
  signIns: ApiSignIn[];
  operations: {
    name: string;
    title: string;
    description: string;
    method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
    path: string;
    tags: string[];
    deprecated: boolean;
    reads: boolean;
    problem: string | null;
  }[];
  notes: string[];
};

export type ApiKey = {
  id: number;
  name: string | null;
  start: string | null;
  permissions: string[];
  workflows: string[] | null;
  agents: number[] | null;
  userId: number | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
};

export type ApiOperation = {
  name: string;
  operationId: string | null;
  title: string;
  description: string;
  tags: string[];
  deprecated: boolean;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  path: string;
  serverUrl: string | null;
  parameters: ApiParameter[];
  body: ApiBody | null;
  accept: string | null;
  inputSchema: JsonSchemaDocument;
  defaults: JsonSchemaDocument;
  outputSchema: JsonSchemaDocument | null;
  effect: Effect;
  idempotencyHeader: string | null;
  reads: boolean;
  signIn: Record<string, string[]>[];
  query: string | null;
  notes: string[];
  problem: string | null;
};

export type ApiOperationState = "new" | "approved" | "changed" | "vanished" | "refused";

export type ApiParameter = {
  property: string;
  name: string;
  in: "path" | "query" | "header" | "cookie";
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  explode: boolean;
  allowReserved: boolean;
  json: boolean;
};

export type ApiSignIn = {
  name: string;
  description: string;
  how: Record<string, unknown> & ({
    type: "api-key";
    in: "header" | "query" | "cookie";
    name: string;
  } | {
    type: "basic";
  } | {
    type: "bearer";
  } | {
    type: "oauth";
    authorizationUrl: string | null;
    tokenUrl: string | null;
    refreshUrl: string | null;
    scopes: Record<string, string>;
    flow: "code" | "client-credentials";
  } | {
    type: "other";
    problem: string;
  });
};

export type ApiSource = Record<string, unknown> & ({
  type: "url";
  url: string;
} | {
  type: "graphql";
  url: string;
} | {
  type: "text";
  text: string;
});

export type ApplyPromotion = {
  file: PromotionFile;
  mapping?: PromotionMapping;
  /** false: workflows that are here get a draft; agents and triggers that are here stay as they are */
  publish?: boolean;
  /** Of the plan that was shown: anything else is refused */
  digest: string;
  /** Whether to go on although something that is named is not here */
  allowMissing?: boolean;
};

export type ApprovalCondition = string;

export type ApproveApiOperations = {
  operations: {
    id: number;
    hash: string;
  }[];
  effect?: Effect;
  needsApproval?: boolean;
  approvalWhen?: ApprovalCondition | null;
};

export type ApproveMcpTool = {
  hash: string;
  effect?: Effect;
  needsApproval?: boolean;
  approvalWhen?: ApprovalCondition | null;
};

export type ApproveMcpTools = {
  tools: {
    id: number;
    hash: string;
  }[];
  effect?: Effect;
  needsApproval?: boolean;
  approvalWhen?: ApprovalCondition | null;
};

export type ApprovedApiOperations = {
  approved: number;
  changed: string[];
};

export type ApprovedMcpTools = {
  approved: number;
  changed: string[];
};

export type Artefact = {
  id: number;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
  mediaType: string;
  bytes: number;
  sha256: string;
  createdAt: string;
};

export type AskAnswer = {
  matches: VectorMatch[];
  warnings: string[];
  context: string;
  answer: string | null;
  citations: Citation[];
  usage: TokenUsage;
  costMicros: number;
  model: ResolvedModel | null;
};

export type Assignee = string;

export type AuditEntry = {
  id: number;
  at: string;
  tenantId: number;
  action: string;
  outcome: "done" | "refused" | "failed";
  status: number | null;
  errorCode: string | null;
  actorKind: "user" | "api-key" | "system" | "nobody";
  userId: number | null;
  keyId: number | null;
  targetType: string | null;
  targetId: string | null;
  targetVersion: number | null;
  argumentDigest: string | null;
  address: string | null;
  userAgent: string | null;
};

export type BatchDecided = {
  id: number;
  review: ReviewOutput | null;
  error: {
    code: string;
    message: string;
    fix?: string;
    path?: string;
    details?: Record<string, Json>;
    docs: string;
  } | null;
};

export type BatchDecision = {
  action: string;
  data?: Json;
  reason?: string;
  digest: string;
  ids: number[];
};

export type BlobReference = {
  $blob: number;
  mediaType: string;
  bytes: number;
  sha256: string;
  summary: string;
};

export type Bot = {
  id: number;
  name: string;
  enabled: boolean;
  connection: BotConnectionOutput;
  target: {
    kind: ChatTargetKind;
    id: number;
  };
  guests: {
    permissions: string[];
  } | null;
  listens: {
    mentions: boolean;
    direct: boolean;
    channels: string[];
  };
  perHour: number;
  language: BotLanguage | null;
  targetName: string | null;
  eventsPath: string;
  actionsPath: string | null;
  workspace: string | null;
  lastError: string | null;
  lastMessageAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type BotConnection = Record<string, unknown> & ({
  type: "slack-app";
  token: {
    $secret: SecretName;
  };
  signingSecret: {
    $secret: SecretName;
  };
  host?: string;
} | {
  type: "teams";
  appId: string;
  directory: string;
  password: {
    $secret: SecretName;
  };
  serviceUrl?: string;
  loginHost?: string;
  keysHost?: string;
});

export type BotConnectionOutput = Record<string, unknown> & ({
  type: "slack-app";
  token: {
    $secret: SecretName;
  };
  signingSecret: {
    $secret: SecretName;
  };
  host: string;
} | {
  type: "teams";
  appId: string;
  directory: string;
  password: {
    $secret: SecretName;
  };
  serviceUrl: string;
  loginHost: string;
  keysHost: string;
});

export type BotLanguage = "en" | "de";

export type BudgetScope = "run" | "workflow" | "agent" | "tenant" | "key";

export type BudgetSpend = {
  subject: string;
  period: string;
  spentMicros: number;
  spentTokens: number;
  reservedMicros: number;
  reservedTokens: number;
};

export type Building = {
  chatId: number;
  workflowId: number;
  title: string | null;
  updatedAt: string;
};

export type CallTool = {
  arguments: JsonSchemaDocument;
};

export type Canary = {
  version: number;
  /** Percent of new runs, where no callers are named */
  share: number;
  /** Only these take the candidate, with all of their runs; empty: a share of all runs does */
  callers: string[];
  rollback: {
    /** More failed runs than this end the canary */
    failurePercent: number;
    /** So many runs of the candidate must have ended */
    minRuns: number;
    score?: {
      name: ScoreName;
      /** A lower mean of the candidate's runs than this ends the canary */
      below: ScoreValue;
      /** So many scores of this name its runs must have */
      samples: number;
    };
  } | null;
  startedBy: number | null;
  startedAt: string;
  /** Its rule has stopped it: no new run takes it, and both sides can still be looked at */
  stopped?: {
    at: string;
    why: string;
  };
};

export type CanaryReport = {
  canary: Canary | null;
  live: {
    version: number;
    starts: number;
    completed: number;
    failed: number;
    costMicros: number;
    medianMs: number | null;
    scores: {
      name: ScoreName;
      count: number;
      mean: number;
    }[];
  } | null;
  candidate: {
    version: number;
    starts: number;
    completed: number;
    failed: number;
    costMicros: number;
    medianMs: number | null;
    scores: {
      name: ScoreName;
      count: number;
      mean: number;
    }[];
  } | null;
};

export type CancelChain = {
  workflow_id?: WorkflowId | null;
  schedule_type?: ChainScheduleType | null;
};

export type CancelledChains = {
  cancelled: {
    workflow_id: string;
    runs_cancelled: number;
  }[];
};

export type CaseFromExecution = {
  executionId: Id;
  name?: string;
  expectations?: Expectation[];
};

export type CatalogTool = {
  id: string;
  title: string;
  description: string;
  inputSchema: JsonSchemaDocument;
  outputSchema: JsonSchemaDocument;
  effect: Effect;
  needsApproval: boolean;
  approvalWhen?: string;
  permission: string | null;
  permissions?: string[];
  mayNeed?: string[];
  delegates?: true;
  source: "tool" | "route" | "action" | "mcp" | "api" | "a2a";
  asksCaller?: true;
  note?: string;
  tags?: string[];
  group: string;
  granted: boolean;
  notes?: SchemaNote[];
};

export type CataloguedService = {
  description: string;
  steps: string[];
  notes: string[];
  slug: Slug;
  name: string;
  category: ServiceCategory;
  documentation: string;
  translations: {
    de: {
      description: string;
      steps: string[];
      notes: string[];
    };
  };
  checkedAt: string;
  source: {
    type: "url" | "graphql";
    url: string;
  };
  serverUrl: string;
  auth: ServiceAuth;
  operations: string[];
} | {
  description: string;
  steps: string[];
  notes: string[];
  slug: Slug;
  name: string;
  category: ServiceCategory;
  documentation: string;
  translations: {
    de: {
      description: string;
      steps: string[];
      notes: string[];
    };
  };
  checkedAt: string;
  source: {
    type: "mcp";
    url: string;
    auth: "none" | "bearer" | "oauth";
  };
};

export type CelCheck = {
  problem: {
    message: string;
    fix: string;
    start: number;
    end: number;
  } | null;
};

export type CelFunction = {
  name: string;
  receiver: string | null;
  form: string;
  returns: string;
  description: string;
};

export type CelLanguage = {
  variables: {
    name: string;
    description: string;
  }[];
  functions: CelFunction[];
};

export type Chain = {
  id: number;
  workflow_id: string;
  slug: string;
  user_id: string;
  thread_id: string;
  name: string;
  description: string;
  executors: ExecutorSpecOutput[];
  tool_manifest_hash: string;
  tool_manifest_json: ToolManifest;
  tool_manifest_version: string;
  schedule_type: ChainScheduleType;
  schedule_time: string | null;
  cron_expression: string | null;
  timezone: string;
  next_run_time: string | null;
  status: ChainStatus;
  total_runs: number;
  successful_runs: number;
  failed_runs: number;
  notify_on_complete: boolean;
  notify_on_failure: boolean;
  created_at: string;
  updated_at: string;
};

export type ChainJob = {
  workflow_id: string;
  schedule_type: ChainScheduleType;
  next_run_time: string | null;
  timezone: string;
  cron_expression: string | null;
  says: string;
  run_id: string | null;
};

export type ChainLoop = {
  type?: "none" | "for_each" | "repeat_until";
  input_path?: string | null;
  max_items?: number | null;
  max_iters?: number | null;
  predicate_path?: string | null;
  predicate_value?: string | null;
};

export type ChainLoopOutput = {
  type: "none" | "for_each" | "repeat_until";
  input_path: string | null;
  max_items: number | null;
  max_iters: number | null;
  predicate_path: string | null;
  predicate_value: string | null;
};

export type ChainResult = {
  workflow_id: string;
  run_id: string;
  status: ChainRunStatus;
  executor_results: {
    executor_id: string;
    status: ExecutorRunStatus;
    output?: Json;
    error?: string;
  }[];
  final_output: Json;
};

export type ChainRun = {
  id: number;
  run_id: string;
  workflow_id: string;
  user_id: string;
  thread_id: string;
  status: ChainRunStatus;
  current_executor: number;
  total_executors: number;
  result: Json;
  final_output_ref: OutputRef | null;
  final_output_summary: string | null;
  error_message: string | null;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
  execution_id: number;
};

export type ChainRunStatus = "pending" | "running" | "completed" | "failed" | "cancelled" | "partial_success";

export type ChainSchedule = {
  schedule_type: ChainScheduleType;
  schedule_time?: string | null;
  cron_expression?: string | null;
  timezone?: Timezone | null;
  misfire?: "skip" | "once" | "all";
  overlap?: Overlap;
};

export type ChainScheduleType = "immediate" | "scheduled" | "recurring";

export type ChainSpec = {
  workflow_id?: WorkflowId | null;
  name: string;
  description: string;
  executors: ExecutorSpec[];
  schedule_type?: ChainScheduleType;
  schedule_time?: string | null;
  cron_expression?: string | null;
  timezone?: Timezone | null;
  misfire?: "skip" | "once" | "all";
  overlap?: Overlap;
  notify_on_complete?: boolean;
  notify_on_failure?: boolean;
};

export type ChainSpecOutput = {
  workflow_id: WorkflowId | null;
  name: string;
  description: string;
  executors: ExecutorSpecOutput[];
  schedule_type: ChainScheduleType;
  schedule_time: string | null;
  cron_expression: string | null;
  timezone: Timezone | null;
  misfire: "skip" | "once" | "all";
  overlap: Overlap;
  notify_on_complete: boolean;
  notify_on_failure: boolean;
};

export type ChainStatus = "active" | "paused" | "archived";

export type ChainToolCall = {
  id: number;
  executor_run_id: number;
  tool_name: string;
  tool_input: Json;
  tool_output: Json;
  tool_input_ref: OutputRef | null;
  tool_output_ref: OutputRef | null;
  status: ChainToolCallStatus;
  error_message: string | null;
  duration_ms: number;
  started_at: string;
  completed_at: string | null;
};

export type ChainToolCallStatus = "running" | "success" | "failed" | "timeout";

export type ChainTrace = {
  run_id: string;
  workflow_id: string;
  status: ChainRunStatus;
  started_at: string | null;
  completed_at: string | null;
  error_message: string | null;
  warnings: string[];
  final_output: Json;
  executor_runs: {
    executor_id: string;
    name: string;
    model: string;
    status: ExecutorRunStatus;
    duration_ms: number;
    tokens: {
      prompt: number;
      completion: number;
      total: number;
    };
    input: Json;
    structured_output: Json;
    tools_used: string[];
    tool_calls: {
      tool: string;
      input: Json;
      output: Json;
      duration_ms: number;
      status: ChainToolCallStatus;
      error_message?: string;
    }[];
    iterations: ExecutorIteration[];
    exhausted: boolean;
    error_message?: string;
  }[];
};

export type ChangeRow = {
  version?: number;
  values: RowValues;
};

export type ChangeRows = {
  changes: {
    id: Id;
    /** Of the row that was read; another one is refused */
    version: number;
    values: RowValues;
  }[];
};

export type ChangeTags = {
  ids: number[];
  add?: Tags;
  remove?: Tags;
};

export type ChangeTestData = {
  inputs?: Record<string, JsonSchemaDocument | null>;
  pins?: Record<string, PinnedOutput | null>;
};

export type ChatMapping = {
  message: string;
  messages: string | null;
  answer: string | null;
  input: JsonSchemaDocument;
};

export type ChatMessage = {
  id: number;
  sessionId: number;
  message: string;
  answer: string | null;
  status: ExecutionStatus;
  error: {
    code: string;
    message: string;
  } | null;
  executionId: number | null;
  executionKind: "workflow" | "agent-workflow";
  toolCalls: number;
  simulated: boolean;
  tokenUsage: TokenUsage;
  costMicros: number;
  durationMs: number | null;
  createdAt: string;
};

export type ChatSession = {
  id: number;
  title: string | null;
  target: {
    kind: ChatTargetKind;
    id: number;
    name: string;
  };
  agentSessionId: number | null;
  parameters: JsonSchemaDocument;
  modelSettings: ModelSettings;
  mapping: ChatMapping | null;
  createdAt: string;
  updatedAt: string;
};

export type ChatTarget = {
  kind: ChatTargetKind;
  id: number;
  slug: string;
  name: string;
  description: string | null;
  createdAt: string;
  misfit: string | null;
  remembers: boolean;
  mapping: ChatMapping | null;
  parameters: JsonSchemaDocument | null;
};

export type ChatTargetKind = "agent" | "agent-workflow" | "workflow";

export type ChatThumb = {
  messageId: number;
  executionId: number;
  value: number | null;
  comment: string | null;
};

export type CheckCelBody = {
  expression: string;
};

export type Checkpoint = {
  seq: number;
  waiting: Waiting[];
};

export type Citation = {
  number: number;
  key: string;
  source: CitationSource | null;
};

export type CitationSource = {
  documentId: number;
  title: string;
  chunk: number;
  start: number;
  end: number;
  headings: string[];
};

export type ColumnFilter = string | number | boolean | null | {
  eq?: string | number | boolean | null;
  ne?: string | number | boolean | null;
  in?: (string | number | boolean | null)[];
  gt?: string | number;
  gte?: string | number;
  lt?: string | number;
  lte?: string | number;
  /** Of texts, in any case */
  contains?: string;
  /** Of texts, in any case */
  startsWith?: string;
  /** Whether the column has a value */
  exists?: boolean;
};

export type ColumnName = string;

export type ColumnType = "text" | "number" | "boolean" | "date" | "datetime" | "choice" | "json" | "reference";

export type CompatibilityReport = {
  version: number;
  checkpoint: number | null;
  compatible: boolean;
  problems: {
    stateId: string;
    message: string;
  }[];
  changed: string[];
};

export type CompileBody = {
  definition?: JsonSchemaDocument;
};

export type CompiledFormat = {
  definition: JsonSchemaDocument;
  warnings: {
    path: string;
    message: string;
    fix: string;
  }[];
};

export type CompiledWorkflow = {
  contentHash: string;
  xstate: JsonSchemaDocument;
  typescript: string;
  mermaid: string;
  states: string[];
};

export type ConfigCascade = {
  moduleName: string;
  key: string;
  type: "number" | "string" | "boolean" | "object" | "array";
  description: string;
  defaultValue: Json;
  instances: string | null;
  value: Json;
  source: ConfigSource;
  problem: string | null;
  stored: {
    id: number;
    source: ConfigSource;
    scopeId: string | null;
    value: Json;
  }[];
};

export type ConfigSource = "tenant-instance" | "tenant-module" | "platform-instance" | "platform-module" | "default";

export type ConnectApiAccount = {
  value: string;
};

export type ConnectedApp = {
  id: number;
  client: {
    name: string;
    uri: string | null;
    document: string | null;
    returnsTo: string;
    local: boolean;
  };
  servers: string[];
  scopes: {
    id: string;
    title: string;
  }[];
  allowedAt: string;
  lastTokenAt: string | null;
};

export type ConnectionRequest = {
  client: {
    name: string;
    uri: string | null;
    document: string | null;
    returnsTo: string;
    local: boolean;
  };
  server: {
    title: string;
    url: string;
  };
  scopes: {
    id: string;
    title: string;
  }[];
  withheld: {
    id: string;
    title: string;
  }[];
  offline: boolean;
};

export type Consequence = {
  action: string;
  steps: (Record<string, unknown> & ({
    type: "call";
    nodeId: string;
    visit: number;
    item: string | null;
    /** The node type, or the tool */
    src: string;
    /** What it is called with; the beginning of its JSON as text where it is large */
    input: Json;
    asksModel: boolean;
    /** What its answer is taken to be. recorded: that of a past call with the same input. example: one that fits the schema of its output. Null: nothing is known, or no answer is needed */
    origin: "recorded" | "example" | null;
    /** Whether it follows from an assumed answer: it comes so only if the answer comes as it was assumed */
    isAssumed: boolean;
    /** Of a decided review: whether it came so. Null: the run has not gone that far, or the review is open */
    cameTrue: boolean | null;
  } | {
    type: "review";
    nodeId: string;
    visit: number;
    item: string | null;
    title: string;
    /** As `input` of a call */
    proposal: Json;
    assignees: string[];
    /** Whether it follows from an assumed answer: it comes so only if the answer comes as it was assumed */
    isAssumed: boolean;
    /** Of a decided review: whether it came so. Null: the run has not gone that far, or the review is open */
    cameTrue: boolean | null;
  } | {
    type: "wait";
    nodeId: string;
    ms: number;
    /** Whether it follows from an assumed answer: it comes so only if the answer comes as it was assumed */
    isAssumed: boolean;
    /** Of a decided review: whether it came so. Null: the run has not gone that far, or the review is open */
    cameTrue: boolean | null;
  }))[];
  /** How the run ends; null where it does not end by itself */
  end: {
    status: "completed" | "failed" | "cancelled";
    outcome: string | null;
    output: string;
    /** The code of its error */
    error: string | null;
  } | null;
  rest: {
    /** review: people decide. event: it waits for an event. child: it waits for another run. running: steps beside it are at work. unknown: nothing is known of an answer. too-large, too-long: beyond what is followed */
    reason: "review" | "event" | "child" | "running" | "unknown" | "too-large" | "too-long";
    nodeId: string | null;
  } | null;
  /** Whether it follows from an assumed answer: it comes so only if the answer comes as it was assumed */
  isAssumed: boolean;
  /** Of a decided review: whether it came so. Null: the run has not gone that far, or the review is open */
  cameTrue: boolean | null;
};

export type Consequences = {
  consequences: Consequence[];
};

export type CreateAgent = {
  systemPrompt?: string;
  model?: string | null;
  agentConfig?: {
    temperature?: number;
    topP?: number;
    maxOutputTokens?: number;
    seed?: number;
    timeoutMs?: number;
  };
  exposedParameters?: JsonSchemaDocument | null;
  toolBindings?: ToolPattern[];
  memoryConfig?: MemoryConfig | null;
  callerTools?: boolean;
  a2aExport?: boolean;
  outputSchema?: JsonSchemaDocument | null;
  maxToolIterations?: number | null;
  streamingEnabled?: boolean;
  workflowId?: number | null;
  id?: unknown;
  tenantId?: unknown;
  runsWorkflowId?: unknown;
  notes?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: string;
  slug?: Slug;
  description?: string | null;
  enabled?: boolean;
  version?: unknown;
  note?: string;
};

export type CreateApiConnection = {
  id?: unknown;
  tenantId?: unknown;
  sourceUrl?: unknown;
  sourceType?: unknown;
  document?: unknown;
  status?: unknown;
  readAt?: unknown;
  lastError?: unknown;
  nextCheckAt?: unknown;
  operations?: unknown;
  signedIn?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: Slug;
  title?: string | null;
  source: ApiSource;
  serverUrl?: string;
  auth?: ApiAuth;
  accounts?: "shared" | "own";
  timeoutMs?: number;
  maxBytes?: number;
  callsPerMinute?: number;
  callsPerDay?: number | null;
  enabled?: boolean;
};

export type CreateBot = {
  name: string;
  enabled?: boolean;
  connection: BotConnection;
  target: {
    kind: ChatTargetKind;
    id: number;
  };
  guests?: {
    permissions: string[];
  } | null;
  listens?: {
    mentions?: boolean;
    direct?: boolean;
    channels?: string[];
  };
  perHour?: number;
  language?: BotLanguage | null;
};

export type CreateChecker = {
  name: string;
  stop_conditions: StopCondition[];
};

export type CreateDataInstance = {
  workflow_instance_uuid: string;
  raw_data: Json;
  step_instance_uuid?: string | null;
  markdown_representation?: string | null;
};

export type CreateEvalDataset = {
  name: string;
  slug?: Slug;
  description?: string | null;
  target: EvalTarget;
  allowEffects?: boolean;
  timeoutMs?: number;
};

export type CreateEventSubscription = {
  name: string;
  url: string;
  events: EventPattern[];
  secret: SecretName;
  headers?: Record<string, string | SecretReference>;
  enabled?: boolean;
};

export type CreateEventWiring = {
  name: string;
  event: EventPattern;
  action: string;
  condition?: Guard | null;
  input?: Record<string, Json>;
  enabled?: boolean;
};

export type CreateFromImport = {
  source: string;
  kind?: ExecutionKind;
  /** Left out, the document's own */
  name?: string;
  slug?: Slug;
};

export type CreateGraphPolicy = {
  name: string;
  description?: string | null;
  rule: GraphPolicyRule;
  severity?: "error" | "warning";
  enabled?: boolean;
  id?: unknown;
  tenantId?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type CreateGuardrail = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: string;
  direction: "input" | "output" | "both";
  action: "block" | "warn" | "redact";
  rule: GuardrailRule;
  enabled?: boolean;
};

export type CreateLinearTrigger = {
  workflow_uuid: string;
  type_id: string;
};

export type CreateLinearWorkflow = {
  name: string;
  description: string;
};

export type CreateMcpConnection = {
  id?: unknown;
  tenantId?: unknown;
  transport?: unknown;
  status?: unknown;
  protocolVersion?: unknown;
  serverName?: unknown;
  instructions?: unknown;
  lastContactAt?: unknown;
  latencyMs?: unknown;
  lastError?: unknown;
  nextCheckAt?: unknown;
  notes?: unknown;
  tools?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: Slug;
  url: string;
  title?: string | null;
  auth?: McpConnectionAuth;
  timeoutMs?: number;
  maxTotalMs?: number;
  maxBytes?: number;
  callsPerMinute?: number;
  callsPerDay?: number | null;
  maxSessions?: number;
  sessionWaitMs?: number;
  sessionIdleMs?: number;
  enabled?: boolean;
};

export type CreateMemory = {
  agentId?: number | null;
  agentWorkflowId?: number | null;
  userId?: number | null;
  key: string;
  content: string;
  metadata?: JsonSchemaDocument | null;
  expiresAt?: string | null;
  /** Slug or id of a vector store; else the tenant's own */
  store?: string;
};

export type CreateModelAlias = {
  id?: unknown;
  tenantId?: unknown;
  resolvesTo?: unknown;
  problem?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: string;
  model?: string;
  models?: string[];
  settings?: AliasSettings;
};

export type CreateModelBudget = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name: string;
  scope: BudgetScope;
  target?: string | null;
  period: "run" | "day" | "month";
  limitMicros?: number | null;
  limitTokens?: number | null;
  action?: "block" | "pause";
  enabled?: boolean;
};

export type CreateModelPrice = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  providerId: string;
  modelId: string;
  inputMicros?: number;
  cachedInputMicros?: number;
  outputMicros?: number;
  imageMicros?: number;
  maxOutputTokens?: number | null;
  contextTokens?: number | null;
  videoSecondMicros?: number;
};

export type CreateModelRateLimit = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  providerId: string;
  requestsPerMinute?: number | null;
  tokensPerMinute?: number | null;
};

export type CreateModelStep = {
  name: string;
  model: string;
  system_prompt: string;
};

export type CreateModuleConfig = {
  moduleName: string;
  key: string;
  scopeId?: string | null;
  value: Json;
  platform?: boolean;
  id?: unknown;
  tenantId?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type CreateNotificationRule = {
  name: string;
  enabled?: boolean;
  scope?: NotificationScope;
  events: NotificationKind[];
  channel: NotificationChannel;
  recipients?: NotificationRecipient[];
  subject?: string | null;
  text?: string | null;
  quietHours?: QuietHours | null;
  timezone?: Timezone;
};

export type CreateStepInstance = {
  workflow_instance_uuid: string;
};

export type CreateTable = {
  name: string;
  slug?: Slug;
  description?: string | null;
  columns?: NewTableColumn[];
  /** Groups of columns whose values together no two rows share */
  unique?: ColumnName[][];
};

export type CreateTableTool = {
  name: Slug;
  table: Slug;
  /** For the model: what is in the table, and when to use it */
  description: string;
  enabled?: boolean;
  actions: TableToolAction[];
  /** Rows that it reaches; no call reaches others */
  where?: TableFilter;
  /** null: all columns */
  visible?: ColumnName[] | null;
  /** null: all visible columns */
  writable?: ColumnName[] | null;
  /** Rows that one call finds or writes at most */
  most?: number;
  /** A person approves each call that writes */
  needsApproval?: boolean;
};

export type CreateTrigger = {
  type: string;
  name: string;
  target: TriggerTarget;
  enabled?: boolean;
  config?: JsonSchemaDocument;
  filter?: Guard | null;
  input?: JsonSchemaDocument | null;
  shaping?: TriggerShaping | null;
  overlap?: Overlap;
  overlapCountsPaused?: boolean;
};

export type CreateVectorStore = {
  name: string;
  slug?: Slug;
  description?: string | null;
  embeddingModel?: string;
  metric?: VectorMetric;
  language?: TextLanguage;
};

export type CreateWorkflow = {
  name: string;
  slug?: Slug;
  description?: string | null;
  definition: JsonSchemaDocument;
  enabled?: boolean;
  tags?: Tags;
  agentConfig?: AgentConfig | null;
  memoryConfig?: MemoryConfig | null;
  mcpExport?: boolean;
  note?: string;
  id?: unknown;
  tenantId?: unknown;
  canary?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  version?: unknown;
};

export type CreatedApiKey = {
  id: number;
  name: string | null;
  start: string | null;
  permissions: string[];
  workflows: string[] | null;
  agents: number[] | null;
  userId: number | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  key: string;
};

export type CreatedFromImport = {
  workflow: Workflow;
  draft: boolean;
  problems: ProblemOutput[];
  report: ImportReport;
};

export type CreatedInvitation = {
  id: number;
  email: string;
  roles: string[];
  status: "open" | "accepted" | "revoked" | "expired";
  expiresAt: string;
  createdAt: string;
  link: string;
};

export type CreatedTenant = {
  id: number;
  name: string;
  disabled: boolean;
  createdAt: string;
  link: string;
};

export type CustomAgent = {
  uuid: string;
  user_id: string;
  name: string;
  description: string;
  model: string;
  system_prompt: string;
  output_datacontainer_uuid: string;
  generated_summary: string | null;
  type: "custom_agent";
  tools: LinearTools;
};

export type CustomAgentInstance = {
  uuid: string;
  user_id: string;
  workflow_instance_uuid: string;
  status: LinearStepStatus;
  started_at: string | null;
  finished_at: string | null;
  error_message: string | null;
  created_at: string;
  input_data: JsonSchemaDocument | null;
  messages: LinearMessage[];
  output_container_instance_uuid: string | null;
  type: "custom_agent";
  agent_definition_uuid: string;
};

export type CustomLlm = {
  uuid: string;
  user_id: string;
  name: string;
  description: string;
  model: string;
  system_prompt: string;
  output_datacontainer_uuid: string;
  generated_summary: string | null;
  type: "custom_llm";
};

export type CustomLlmInstance = {
  uuid: string;
  user_id: string;
  workflow_instance_uuid: string;
  status: LinearStepStatus;
  started_at: string | null;
  finished_at: string | null;
  error_message: string | null;
  created_at: string;
  input_data: JsonSchemaDocument | null;
  messages: LinearMessage[];
  output_container_instance_uuid: string | null;
  type: "custom_llm";
  llm_definition_uuid: string;
};

export type DataContainer = {
  uuid: string;
  user_id: string;
  name: string;
};

export type DataContainerInstance = {
  uuid: string;
  user_id: string;
  workflow_instance_uuid: string;
  datacontainer_uuid: string;
  step_instance_uuid: string | null;
  raw_data: Json;
  generated_summary: string | null;
  markdown_representation: string | null;
  created_at: string;
};

export type Decision = {
  action: string;
  data?: Json;
  reason?: string;
  reviewId?: number;
  digest?: string;
};

export type DecisionProvider = "slack" | "teams";

export type DefinitionChange = {
  path: string;
  rule: string;
};

export type Delegation = {
  to: Assignee;
  reason?: string;
};

export type DeleteRows = {
  rows: {
    id: Id;
    version: number;
  }[];
};

export type DeliveryDecision = "received" | "queued" | "held" | "merged" | "started" | "filtered" | "skipped" | "refused" | "failed";

export type DocumentChunk = {
  id: number;
  chunk: number;
  text: string;
  start: number;
  end: number;
  headings: string[];
  metadata: Record<string, Json>;
};

export type DocumentType = "text/plain" | "text/markdown" | "text/html" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export type DraftTurn = {
  message: string;
  /** The test conversation it belongs to, as the run before said; left out: a new one */
  sessionId?: number;
  /** Id or slug of an agent that runs this workflow: the turn is spoken with its settings and its memory */
  agent?: number | string;
};

export type Duration = number | string;

export type Effect = "pure" | "idempotent" | "at-least-once" | "at-most-once";

export type EmbedAnswer = {
  embeddings: number[][];
  dimensions: number;
  usage: TokenUsage;
  costMicros: number;
  model: ResolvedModel;
  source?: "recording";
};

export type EmbedBody = {
  model?: string;
  values: string[];
};

export type ErasePerson = {
  userId: number;
  confirm: string;
} | {
  email: string;
  confirm: string;
};

export type EraseTenant = {
  confirm: string;
};

export type ErasedTenant = {
  tables: {
    table: string;
    rows: number;
  }[];
};

export type ErrorInfo = {
  code: string;
  nodeId: string | null;
  message: string;
  details?: Record<string, Json>;
};

export type EvalCase = {
  id: Id;
  datasetId: Id;
  name: string;
  input: JsonSchemaDocument;
  expectations: ExpectationOutput[];
  decisions: ScriptedDecision[];
  pins: Record<string, Json> | null;
  tags: string[];
  enabled: boolean;
  position: number;
  createdAt: string;
  updatedAt: string;
};

export type EvalCheckOutput = {
  expectation: ExpectationOutput;
  passed: boolean;
  score: number;
  seen: Json;
  reason: string | null;
};

export type EvalComparison = {
  a: EvalRun;
  b: EvalRun;
  summary: {
    a: {
      passRate: number | null;
      score: number | null;
      costMicros: number;
      tokens: number;
      p50DurationMs: number | null;
      p95DurationMs: number | null;
    };
    b: {
      passRate: number | null;
      score: number | null;
      costMicros: number;
      tokens: number;
      p50DurationMs: number | null;
      p95DurationMs: number | null;
    };
  };
  cases: {
    caseName: string;
    change: "regressed" | "improved" | "output" | "added" | "removed" | "same";
    a: EvalResultOutput | null;
    b: EvalResultOutput | null;
  }[];
  regressions: string[];
};

export type EvalDataset = {
  id: Id;
  name: string;
  slug: Slug;
  description: string | null;
  allowEffects: boolean;
  timeoutMs: number;
  target: {
    kind: EvalTargetKind;
    id: Id;
  };
  cases: number;
  createdAt: string;
  updatedAt: string;
};

export type EvalDatasetFile = {
  format: "oven.eval-dataset";
  formatVersion: 1;
  name: string;
  slug: Slug;
  description?: string | null;
  target: EvalTarget;
  allowEffects?: boolean;
  timeoutMs?: number;
  cases: NewEvalCase[];
};

export type EvalMode = "live" | "record" | "replay";

export type EvalResultOutput = {
  id: Id;
  runId: Id;
  caseId: number | null;
  caseName: string;
  position: number;
  tags: string[];
  status: EvalResultStatus;
  executionKind: ExecutionKind | null;
  executionId: number | null;
  input: Json;
  output: Json;
  score: number | null;
  checks: EvalCheckOutput[];
  error: {
    code: string;
    message: string;
  } | null;
  tokens: number;
  costMicros: number;
  durationMs: number | null;
  startedAt: string | null;
  endedAt: string | null;
};

export type EvalResultStatus = "pending" | "running" | "passed" | "failed" | "error";

export type EvalRun = {
  id: Id;
  datasetId: Id;
  target: {
    kind: EvalTargetKind;
    id: Id;
    version: number;
  };
  status: EvalRunStatus;
  mode: EvalMode;
  recording: string | null;
  concurrency: number;
  allowEffects: boolean;
  cases: number;
  passed: number;
  failed: number;
  errors: number;
  passRate: number | null;
  tokens: number;
  costMicros: number;
  durationMs: number | null;
  startedBy: number | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
};

export type EvalRunStatus = "queued" | "running" | "completed" | "cancelled";

export type EvalTarget = {
  kind: EvalTargetKind;
  id: Id | string;
};

export type EvalTargetKind = "workflow" | "agent-workflow" | "agent";

export type EvaluateBody = {
  /** A path, template, {$cel} or anything that holds some */
  value?: Json;
  /** A condition */
  guard?: Guard;
  /** Conditions of branches, in their order */
  guards?: Guard[];
  /** seq of a checkpoint; left out, the last one */
  checkpoint?: number;
  /** Where it stands: what a loop around the state gives is read, too */
  state?: string;
  /** In a condition after the state, which sees `output` */
  after?: "done";
};

export type Evaluation = {
  seq: number;
  value?: Json;
  problem: {
    message: string;
    fix: string | null;
  } | null;
  results?: {
    value?: Json;
    problem: {
      message: string;
      fix: string | null;
    } | null;
  }[];
};

export type EventDelivery = {
  listener: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  lastError: string | null;
  nextAttemptAt: string;
  deliveredAt: string | null;
};

export type EventPattern = string;

export type EventSubscription = {
  id: number;
  name: string;
  url: string;
  events: EventPattern[];
  secret: SecretName;
  headers: Record<string, string | SecretReference>;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
};

export type EventType = {
  name: string;
  module: string;
  description: string;
  payloadSchema: JsonSchemaDocument;
};

export type EventWiring = {
  id: number;
  name: string;
  event: EventPattern;
  action: string | null;
  condition: Guard | null;
  input: Record<string, Json>;
  enabled: boolean;
  triggerId: number;
  workflowId: number;
  createdAt: string;
  updatedAt: string;
};

export type ExecuteBody = {
  input?: JsonSchemaDocument;
  priority?: number;
  options?: RunOptions;
};

export type ExecuteDraft = {
  from?: string;
  until?: string;
  items?: Record<string, number>;
  pins?: Record<string, Json>;
  dryRun?: boolean;
  recordingOf?: number;
  maxTokens?: number;
  maxCostMicros?: number;
  input?: JsonSchemaDocument;
  /** The revision that is to run; left out, the newest; 0: there is no draft, and the published version is tested */
  revision?: number;
  conversation?: DraftTurn;
};

export type ExecutionKind = "workflow" | "agent-workflow";

export type ExecutionOutput = {
  id: number;
  kind: ExecutionKind;
  agentWorkflowId?: number;
  workflowId?: number;
  workflowName: string;
  workflowSlug: string;
  workflowVersion: number;
  tenantId: number | null;
  status: ExecutionStatus;
  outcome: string | null;
  currentState: string;
  activeStates: string[];
  waitingUntil: string | null;
  output: Json;
  agentId: number | null;
  sessionId: number | null;
  triggerEvent: string | null;
  triggeredBy: Actor;
  parentId: number | null;
  rootId: number;
  parentNodeId: string | null;
  parentVisit: number | null;
  parentItem: string | null;
  part: string | null;
  depth: number;
  retryOf: number | null;
  forkOf: number | null;
  originSeq: number | null;
  options: RunOptionsOutput | null;
  priority: number;
  tokenUsage: TokenUsage;
  costMicros: number;
  steps: number;
  simulated: boolean;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  error: string | null;
  errorInfo: ErrorInfo | null;
  input: Json;
  context: Json;
  stateValue: Json;
  checkpoint: Checkpoint | null;
  nodes: NodeRun[];
  nodesTotal?: number;
};

export type ExecutionStatus = "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";

export type ExecutionSummary = {
  id: number;
  kind: ExecutionKind;
  agentWorkflowId?: number;
  workflowId?: number;
  workflowName: string;
  workflowSlug: string;
  workflowVersion: number;
  tenantId: number | null;
  status: ExecutionStatus;
  outcome: string | null;
  currentState: string;
  activeStates: string[];
  waitingUntil: string | null;
  output: Json;
  agentId: number | null;
  sessionId: number | null;
  triggerEvent: string | null;
  triggeredBy: Actor;
  parentId: number | null;
  rootId: number;
  parentNodeId: string | null;
  parentVisit: number | null;
  parentItem: string | null;
  part: string | null;
  depth: number;
  retryOf: number | null;
  forkOf: number | null;
  originSeq: number | null;
  options: RunOptionsOutput | null;
  priority: number;
  tokenUsage: TokenUsage;
  costMicros: number;
  steps: number;
  simulated: boolean;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  error: string | null;
  errorInfo: ErrorInfo | null;
};

export type ExecutorIteration = {
  index: number;
  status: ExecutorRunStatus;
  prompt_tokens: number;
  completion_tokens: number;
  duration_ms: number;
};

export type ExecutorRun = {
  id: number;
  run_id: string;
  executor_id: string;
  executor_name: string;
  input_data: Json;
  input_ref: OutputRef | null;
  input_summary: string | null;
  model: string;
  tools_used: string[];
  status: ExecutorRunStatus;
  structured_output: Json;
  structured_output_ref: OutputRef | null;
  structured_output_summary: string | null;
  total_tokens: number;
  prompt_tokens: number;
  completion_tokens: number;
  duration_ms: number;
  error_message: string | null;
  retry_count: number;
  started_at: string | null;
  completed_at: string | null;
  iterations: ExecutorIteration[];
  exhausted: boolean;
};

export type ExecutorRunStatus = "running" | "success" | "failed" | "skipped";

export type ExecutorSpec = {
  executor_id: string;
  name: string;
  description?: string;
  model: string;
  tools: string[];
  system_prompt: string;
  output_schema: JsonSchemaDocument;
  iteration_hint?: string | null;
  loop?: ChainLoop | null;
};

export type ExecutorSpecOutput = {
  executor_id: string;
  name: string;
  description: string;
  model: string;
  tools: string[];
  system_prompt: string;
  output_schema: JsonSchemaDocument;
  iteration_hint: string | null;
  loop: ChainLoopOutput | null;
};

export type Expectation = Record<string, unknown> & ({
  type: "exact";
  path?: string;
  value: Json;
} | {
  type: "contains";
  path?: string;
  text: string | string[];
  mode?: "all" | "any";
  caseSensitive?: boolean;
} | {
  type: "notContains";
  path?: string;
  text: string | string[];
  mode?: "all" | "any";
  caseSensitive?: boolean;
} | {
  type: "matches";
  path?: string;
  pattern: string;
} | {
  type: "jsonPath";
  path: string;
  exists?: boolean;
} | {
  type: "schema";
  path?: string;
  schema: JsonSchemaDocument;
} | {
  type: "cel";
  expression: string;
} | {
  type: "judge";
  path?: string;
  rubric: string;
  model?: string;
  threshold?: number;
} | {
  type: "toolCalled";
  tool: string;
  arguments?: JsonSchemaDocument;
  atLeast?: number;
  atMost?: number;
} | {
  type: "toolNotCalled";
  tool: string;
} | {
  type: "toolOrder";
  tools: string[];
} | {
  type: "status";
  status: ExecutionStatus;
  outcome?: string;
  error?: string;
} | {
  type: "paused";
  node?: string;
  tool?: string;
} | {
  type: "atMost";
  measure: "tokens" | "costMicros" | "durationMs" | "steps";
  value: number;
});

export type ExpectationOutput = Record<string, unknown> & ({
  type: "exact";
  path: string;
  value: Json;
} | {
  type: "contains";
  path: string;
  text: string | string[];
  mode: "all" | "any";
  caseSensitive: boolean;
} | {
  type: "notContains";
  path: string;
  text: string | string[];
  mode: "all" | "any";
  caseSensitive: boolean;
} | {
  type: "matches";
  path: string;
  pattern: string;
} | {
  type: "jsonPath";
  path: string;
  exists: boolean;
} | {
  type: "schema";
  path: string;
  schema: JsonSchemaDocument;
} | {
  type: "cel";
  expression: string;
} | {
  type: "judge";
  path: string;
  rubric: string;
  model: string;
  threshold: number;
} | {
  type: "toolCalled";
  tool: string;
  arguments?: JsonSchemaDocument;
  atLeast: number;
  atMost?: number;
} | {
  type: "toolNotCalled";
  tool: string;
} | {
  type: "toolOrder";
  tools: string[];
} | {
  type: "status";
  status: ExecutionStatus;
  outcome?: string;
  error?: string;
} | {
  type: "paused";
  node?: string;
  tool?: string;
} | {
  type: "atMost";
  measure: "tokens" | "costMicros" | "durationMs" | "steps";
  value: number;
});

export type ExportFormat = "xstate" | "typescript" | "mermaid";

export type FailureGroup = {
  workflow: {
    kind: ExecutionKind;
    id: number;
    name: string;
    version: number;
  };
  code: string;
  nodeId: string | null;
  message: string;
  runs: number;
  open: number[];
  newest: {
    id: number;
    message: string;
  };
  firstAt: string;
  lastAt: string;
  versions: number[];
};

export type FieldFilter = string | number | boolean | null | {
  eq?: string | number | boolean | null;
  ne?: string | number | boolean | null;
  in?: (string | number | boolean | null)[];
  gt?: string | number;
  gte?: string | number;
  lt?: string | number;
  lte?: string | number;
  contains?: string | number | boolean | null;
  exists?: boolean;
};

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** completes: it ends as completed. passes: it gets past the step that failed; what follows was never recorded. same-failure: nothing is better. fails: it fails otherwise. unknown: it is not known whether it gets past the step that failed. no-recording: there is none */
export type FixVerdict = "completes" | "passes" | "same-failure" | "fails" | "unknown" | "no-recording";

export type ForkBody = {
  /** seq of a checkpoint */
  checkpoint: number;
  /** Changes to the context; RFC 6902 */
  patch?: JsonPatchOp[];
  /** The version of the workflow to go on with; left out, the one of the run */
  version?: number | "current";
};

export type FormAnswer = {
  message: string;
  redirect: string | null;
};

export type FormField = {
  name: string;
  label: string;
  description: string | null;
  required: boolean;
  control: "text" | "long-text" | "email" | "date" | "date-time" | "time" | "number" | "integer" | "boolean" | "choice" | "choices" | "text-list" | "json";
  choices: Json[];
  choiceLabels: string[];
  longAsText: boolean;
  initial: Json;
};

export type FormSubmission = {
  submission: string;
  values: JsonSchemaDocument;
  website?: string;
};

export type FormatSource = {
  source: string;
};

export type FormatWorkflow = {
  format: string;
  id: string;
  name: string;
  agent_workflow_id: number | null;
  updated_at: string;
};

export type GenerateBody = {
  model: string;
  system?: string;
  messages: Message[];
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
  outputSchema?: JsonSchemaDocument;
  maxCorrections?: number;
};

export type GrantReport = {
  granted: string[];
  missing: {
    permission: string;
    steps: string[];
    roles: string[];
  }[];
  computed: string[];
  beyond: string[];
};

export type GraphPolicy = {
  id: number;
  tenantId: number | null;
  name: string;
  description: string | null;
  severity: "error" | "warning";
  enabled: boolean;
  rule: GraphPolicyRuleOutput;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type GraphPolicyRule = Record<string, unknown> & ({
  kind: "review-before";
  target: PolicyTarget;
  role?: string;
} | {
  kind: "untrusted-flow";
  sinks?: PolicyTarget;
  role?: string;
} | {
  kind: "bounded-loops";
  maxIterations?: number;
} | {
  kind: "allowed-models";
  models: string[];
} | {
  kind: "forbidden-nodes";
  nodeTypes: string[];
} | {
  kind: "worst-case";
  maxCostMicros?: number;
  maxModelCalls?: number;
  maxTokens?: number;
  maxToolCalls?: number;
  maxReviews?: number;
  maxDurationMs?: number;
} | {
  kind: "scores";
  name: ScoreName;
  samples: number;
  days?: number;
  atLeast?: ScoreValue;
} | {
  kind: "past-runs";
  workflow?: {
    kind: ExecutionKind;
    id: Id;
  };
  runs?: number;
  status?: "all" | "failed";
  dataset?: IdOrSlug;
  minSame?: number;
  noNewToolCalls?: true;
  live?: {
    /** 10⁻⁶ USD. No call begins once that much is spent; the one that goes beyond it is the last */
    maxCostMicros: number;
    maxCalls?: number;
  };
  everyDifferenceSeen?: true;
});

export type GraphPolicyRuleOutput = Record<string, unknown> & ({
  kind: "review-before";
  target: PolicyTarget;
  role?: string;
} | {
  kind: "untrusted-flow";
  sinks?: PolicyTarget;
  role?: string;
} | {
  kind: "bounded-loops";
  maxIterations?: number;
} | {
  kind: "allowed-models";
  models: string[];
} | {
  kind: "forbidden-nodes";
  nodeTypes: string[];
} | {
  kind: "worst-case";
  maxCostMicros?: number;
  maxModelCalls?: number;
  maxTokens?: number;
  maxToolCalls?: number;
  maxReviews?: number;
  maxDurationMs?: number;
} | {
  kind: "scores";
  name: ScoreName;
  samples: number;
  days: number;
  atLeast?: ScoreValue;
} | {
  kind: "past-runs";
  workflow?: {
    kind: ExecutionKind;
    id: Id;
  };
  runs: number;
  status: "all" | "failed";
  dataset?: IdOrSlug;
  minSame?: number;
  noNewToolCalls?: true;
  live?: {
    /** 10⁻⁶ USD. No call begins once that much is spent; the one that goes beyond it is the last */
    maxCostMicros: number;
    maxCalls: number;
  };
  everyDifferenceSeen?: true;
});

export type GraphSession = {
  id: string;
  state: SessionState;
  created_at: string;
  graph_id: string;
  status: GraphSessionStatus;
  reason: string | null;
  waiting: SessionWait[];
  failed_steps: string[];
  execution_id: number;
};

export type GraphSessionStatus = "pending" | "running" | "waiting" | "completed" | "completed_with_errors" | "failed" | "cancelled";

export type Guard = Record<string, unknown> & ({
  type: "condition";
  params: {
    key: string;
    operator: Operator;
    value?: Json;
  };
  loose?: boolean;
} | {
  type: "all" | "any";
  guards: Guard[];
} | {
  type: "not";
  guard: Guard;
} | {
  type: "cel";
  params: {
    expression: string;
  };
});

export type Guardrail = {
  name: string;
  direction: "input" | "output" | "both";
  action: "block" | "warn" | "redact";
  rule: GuardrailRule;
  enabled: boolean;
  id: number;
  tenantId: number | null;
  createdAt: string;
  updatedAt: string;
};

export type GuardrailRule = Record<string, unknown> & ({
  kind: "keyword";
  words: string[];
} | {
  kind: "pattern";
  pattern: string;
} | {
  kind: "schema";
  schema: JsonSchemaDocument;
} | {
  kind: "classifier";
  model: string;
  instructions: string;
  labels: string[];
  unwanted: string[];
});

export type Hold = {
  id: number;
  /** The run at the top of its family; null: it is not about one run */
  executionId: number | null;
  /** Null: it is not about one workflow. With neither a run nor a workflow: all runs of the tenant */
  workflow: {
    kind: ExecutionKind;
    id: number;
    name: string;
  } | null;
  reason: string | null;
  heldBy: number | null;
  heldByName: string | null;
  createdAt: string;
};

export type Id = number;

export type IdOrSlug = string;

export type ImageOptions = {
  prompt: string;
  /** Alias (`image`) or `providerId:modelId` */
  model?: string;
  /** `1024x1024` */
  size?: string;
  /** `16:9`, for models that take no size */
  aspectRatio?: string;
  style?: string;
  quality?: string;
  count?: number;
  seed?: number;
};

export type ImagePart = {
  type: "image";
  url?: string;
  file?: BlobReference;
  providerOptions?: Record<string, Record<string, Json>>;
} & Record<string, unknown>;

export type ImagesAnswer = {
  usage: TokenUsage;
  costMicros: number;
  model: ResolvedModel;
  warnings: string[];
  fallbacks?: ModelFallback[];
  source?: "cache" | "recording";
  images: BlobReference[];
};

export type ImportChain = {
  source: string;
};

export type ImportNeo4jGraph = {
  graph?: string;
  workflow_id?: WorkflowId;
  name?: string;
  description?: string;
  max_iterations?: number;
};

export type ImportOutcome = "mapped" | "noted" | "placeholder" | "ignored";

export type ImportReport = {
  elements: ImportedElement[];
  settings: ImportSetting[];
  notes: string[];
};

export type ImportRoutedGraph = {
  source: string;
  repair?: boolean;
};

export type ImportSessionGraph = {
  source: string;
};

export type ImportSetting = {
  kind: "credential" | "model" | "trigger" | "configuration" | "tool" | "knowledge" | "workflow";
  name: string;
  advice: string;
  path: string;
  line: number;
  column: number;
};

export type ImportTable = {
  /** The file: CSV with a line of headings */
  data: string;
  /** Of the file; else by its byte order mark, else UTF-8 */
  charset?: string;
  /** Between values; else as the file looks */
  delimiter?: "," | ";" | "\t" | "|";
  /** Column by heading, null: none. Else the column of that name or title */
  columns?: Record<string, ColumnName | null>;
  /** Unique columns: rows that have the same values there are changed instead of added */
  on?: ColumnName[] | null;
  /** Says what would become of it, and writes nothing */
  dryRun?: boolean;
  /** Lines that do not fit are left out; else none is taken in */
  skipRefused?: boolean;
};

export type ImportedElement = {
  name: string;
  type: string;
  outcome: ImportOutcome;
  state: string | null;
  notes: string[];
  path: string;
  line: number;
  column: number;
};

export type ImportedWorkflow = {
  id: number;
  tenantId: number | null;
  name: string;
  slug: string;
  description: string | null;
  definition: JsonSchemaDocument;
  agentConfig: JsonSchemaDocument | null;
  memoryConfig: JsonSchemaDocument | null;
  mcpExport: boolean;
  enabled: boolean;
  tags: string[];
  version: number;
  canary?: Canary | null;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
  changes: DefinitionChange[];
};

export type InsertRows = {
  rows: RowValues[];
};

export type InspectApi = {
  source: ApiSource;
};

export type InstalledModule = {
  name: string;
  namespace: string;
  description: string;
  dependencies: string[];
  tables: string[];
  migrations: number | null;
  migratedAt: string | null;
  permissions: {
    id: string;
    title: string;
  }[];
  routes: {
    method: string;
    path: string;
    summary: string;
    access: string;
  }[];
  nodes: string[];
  tools: string[];
  emits: string[];
  listensTo: string[];
};

export type Invitation = {
  id: number;
  email: string;
  roles: string[];
  status: "open" | "accepted" | "revoked" | "expired";
  expiresAt: string;
  createdAt: string;
};

export type InvokeAgent = {
  message?: string;
  messages?: SpokenMessage[];
  parameters?: JsonSchemaDocument;
  sessionId?: number;
  wait?: number;
};

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

export type JsonPatchOp = Record<string, unknown> & ({
  op: "add";
  path: string;
  value: Json;
} | {
  op: "replace";
  path: string;
  value: Json;
} | {
  op: "remove";
  path: string;
});

export type JsonSchemaDocument = JsonObject;

export type KnowledgeDocument = {
  id: number;
  tenantId: number;
  vectorStoreId: number;
  key: string;
  title: string;
  mediaType: DocumentType;
  bytes: number;
  contentHash: string;
  metadata: Record<string, Json>;
  status: "queued" | "running" | "ready" | "failed";
  progress: {
    done: number;
    total: number;
  };
  error: {
    code: string;
    message: string;
    fix: string | null;
  } | null;
  warnings: (Record<string, unknown> & ({
    kind: "pages-without-text";
    pages: number[];
    count: number;
    of: number;
  } | {
    kind: "undecodable";
    count: number;
    charset: string;
  } | {
    kind: "uncertain-text";
    pages: number[];
    count: number;
  } | {
    kind: "pages-not-recognized";
    reason: "limit" | "slow" | "failed";
    pages: number[];
    count: number;
  }))[];
  charset: string | null;
  recognition: {
    /** Languages of the pages: `eng` (English), `deu` (German), or both */
    languages: RecognitionLanguage[];
    done: number;
    total: number;
    pages: number[];
  } | null;
  chunks: number;
  createdAt: string;
  updatedAt: string;
};

export type LinearInstance = {
  uuid: string;
  user_id: string;
  workflow_definition_uuid: string;
  status: LinearInstanceStatus;
  stop_reason: "condition" | "cancelled" | null;
  error_message: string | null;
  triggering_data: Json;
  step_instances: LinearStepInstance[];
  execution_id: number;
  created_at: string;
  updated_at: string;
};

export type LinearInstanceStatus = "running" | "completed" | "stopped" | "failed";

export type LinearMessage = {
  content: string | null;
  role: string;
  tool_calls: JsonSchemaDocument[] | null;
} & Record<string, unknown>;

export type LinearProblem = {
  step_uuid: string | null;
  message: string;
  fix: string;
};

export type LinearStep = Record<string, unknown> & (CustomLlm | CustomAgent | StopChecker);

export type LinearStepInstance = Record<string, unknown> & (CustomLlmInstance | CustomAgentInstance | StopCheckerInstance);

export type LinearStepStatus = "pending" | "running" | "completed" | "failed" | "skipped";

export type LinearStepType = "custom_llm" | "custom_agent" | "stop_checker";

export type LinearTool = {
  name: string;
  description: string;
  input_schema: JsonSchemaDocument;
  server: string;
  note?: string;
};

export type LinearTools = Record<string, {
  enabled?: boolean;
} & Record<string, unknown>>;

export type LinearTrigger = {
  uuid: string;
  user_id: string;
  workflow_uuid: string;
  type: string;
  config: JsonSchemaDocument;
  filter_rules: JsonSchemaDocument;
  output_datacontainer_uuid: string;
  initial_data_description: string;
  created_at: string;
  updated_at: string;
};

export type LinearWorkflow = {
  uuid: string;
  user_id: string;
  name: string;
  description: string;
  is_active: boolean;
  template_id: string | null;
  template_version: string | null;
  created_at: string;
  updated_at: string;
  trigger_uuid: string | null;
  steps: string[];
};

export type LinearWorkflowWithDetails = {
  uuid: string;
  user_id: string;
  name: string;
  description: string;
  is_active: boolean;
  template_id: string | null;
  template_version: string | null;
  created_at: string;
  updated_at: string;
  trigger: LinearTrigger | null;
  steps: LinearStep[];
};

export type LinkedAccount = {
  id: number;
  provider: DecisionProvider;
  workspace: string;
  account: string;
  name: string;
  createdAt: string;
};

export type LoggedEvent = {
  id: number;
  name: string;
  at: string;
  tenantId: number;
  actor: Actor;
  payload: JsonSchemaDocument;
  executionId: number | null;
  deliveredAt: string | null;
  deliveries: EventDelivery[];
};

export type LookalikeGroups = string[][];

export type McpAuthorization = {
  url: string | null;
};

export type McpConnection = {
  id: number;
  tenantId: number | null;
  name: Slug;
  title: string | null;
  url: string | null;
  auth: McpConnectionAuth;
  timeoutMs: number;
  maxTotalMs: number;
  maxBytes: number;
  callsPerMinute: number;
  callsPerDay: number | null;
  maxSessions: number;
  sessionWaitMs: number;
  sessionIdleMs: number;
  enabled: boolean;
  transport: "http" | "stdio";
  status: "new" | "ok" | "failing" | "sign-in" | "disabled";
  protocolVersion: string | null;
  serverName: string | null;
  instructions: string | null;
  lastContactAt: string | null;
  latencyMs: number | null;
  lastError: string | null;
  nextCheckAt: string | null;
  notes: string[];
  tools: {
    approved: number;
    waiting: number;
    changed: number;
    vanished: number;
    refused: number;
  };
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type McpConnectionAuth = Record<string, unknown> & ({
  type: "none";
} | {
  type: "bearer";
  secret: string;
} | {
  type: "oauth";
  scope?: string;
  clientId?: string;
  clientSecret?: string;
} | {
  type: "client-credentials";
  scope?: string;
  clientId: string;
  clientSecret: string;
});

export type McpConnectionTest = {
  ok: boolean;
  error: string | null;
  fix: string | null;
  protocolVersion: string | null;
  serverName: string | null;
  latencyMs: number;
  tools: {
    name: string;
    description: string;
  }[];
};

export type McpConnectionTool = {
  id: number;
  connectionId: number;
  toolId: string;
  name: string;
  state: "new" | "approved" | "changed" | "vanished" | "refused";
  problem: string | null;
  notes: SchemaNote[];
  looksLike: string[];
  listed: McpListedTool;
  listedHash: string;
  approved: McpListedTool | null;
  approvedHash: string | null;
  approvedBy: number | null;
  approvedAt: string | null;
  effect: Effect;
  needsApproval: boolean;
  approvalWhen: string | null;
  lastSeenAt: string;
};

export type McpListedTool = {
  name: string;
  title: string | null;
  description: string;
  inputSchema: JsonSchemaDocument;
  outputSchema: JsonSchemaDocument | null;
  hints: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
};

export type McpPending = {
  reviewId: number;
  title: string;
  proposal: Json;
  warning?: string;
  context?: Json;
  shortened?: "context"[];
  tool: string | null;
  risk: {
    effect: Effect;
    tags: string[];
  } | null;
  workflow: string;
  assignees: string[];
  dueAt: string | null;
  schema: Record<string, Json> | null;
  actions: string[];
  digest: string;
  url: string;
};

export type McpServer = {
  id: number;
  tenantId: number | null;
  agentWorkflowId: number;
  name: string;
  slug: string;
  url: string;
  toolDefinitions: McpToolDefinition[];
  status: "active" | "disabled";
  lastGeneratedAt: string;
  createdAt: string;
  updatedAt: string;
};

export type McpToolDefinition = {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, Json>;
  outputSchema: Record<string, Json>;
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
  source?: Record<string, unknown> & ({
    kind: "workflow";
  } | {
    kind: "runs";
  } | {
    kind: "tool";
    id: string;
  } | {
    kind: "agent";
    slug: string;
  });
  notes?: SchemaNote[];
  worstCase?: WorstCaseSummary;
};

export type MemoryConfig = {
  enabled?: boolean;
  scope?: "agent" | "agent+user";
  strategy?: MemoryStrategy;
  topK?: number;
  store?: string;
};

export type MemoryEntry = {
  id: number;
  tenantId: number;
  agentId: number | null;
  agentWorkflowId: number | null;
  userId: number | null;
  key: string;
  content: string;
  metadata: JsonSchemaDocument;
  vectorStoreId: number | null;
  embedded: boolean;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type MemoryMatch = {
  id: number;
  tenantId: number;
  agentId: number | null;
  agentWorkflowId: number | null;
  userId: number | null;
  key: string;
  content: string;
  metadata: JsonSchemaDocument;
  vectorStoreId: number | null;
  embedded: boolean;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  score: number;
  similarity: number | null;
};

export type MemoryStrategy = "semantic" | "keyword" | "hybrid";

export type Message = Record<string, unknown> & ({
  role: "system";
  content: string;
} & Record<string, unknown> | {
  role: "user";
  content: string | (Record<string, unknown> & (TextPart | ImagePart))[];
} & Record<string, unknown> | {
  role: "assistant";
  content: string | (Record<string, unknown> & (TextPart | ReasoningPart | ToolCallPart))[];
} & Record<string, unknown> | {
  role: "tool";
  content: ToolResultPart[];
} & Record<string, unknown>);

export type MigrateRunsBody = {
  /** To which version; left out, the published one */
  version?: number;
  /** States of the versions that runs come from, each with the state of the new version that takes its place */
  mapping?: Record<string, string>;
};

export type MigrationPlan = {
  version: number;
  /** Waiting runs on other versions */
  total: number;
  counts: {
    same: number;
    mapped: number;
    mapping: number;
    cannot: number;
  };
  groups: {
    version: number;
    /** Where they stand */
    states: string[];
    count: number;
    executionIds: number[];
    /** same: the runs go on where they stand. mapped: they do with the given mapping. mapping: name the states that take the place of others. cannot: they end on the version they have */
    verdict: "same" | "mapped" | "mapping" | "cannot";
    problems: {
      stateId: string;
      message: string;
    }[];
    /** States of these runs that the version does not have as they were, with those that may take their place */
    unplaced: {
      stateId: string;
      label: string | null;
      proposals: {
        stateId: string;
        label: string | null;
        /** From 0 to 1: how alike the two are */
        score: number;
      }[];
    }[];
    /** Steps of the version whose output is read later, with states of these runs that may have made it */
    missing: {
      stateId: string;
      readBy: string;
      proposals: {
        stateId: string;
        label: string | null;
        /** From 0 to 1: how alike the two are */
        score: number;
      }[];
    }[];
    /** Steps that are not as they were; what was done in them stays done */
    changed: string[];
    /** Reviews that these runs would pass over: it needs `executions.override` */
    passedReviews: string[];
  }[];
};

export type ModelAlias = {
  id: number;
  tenantId: number | null;
  name: string;
  model: string;
  models: string[];
  settings: AliasSettings;
  resolvesTo: ResolvedModel | null;
  problem: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ModelAnswer = {
  text: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  message: Message;
  object?: Json;
  notes?: string[];
  usage: TokenUsage;
  costMicros: number;
  model: ResolvedModel;
  warnings: string[];
  fallbacks?: ModelFallback[];
  source?: "cache" | "recording";
};

export type ModelBudget = {
  id: number;
  tenantId: number | null;
  createdAt: string;
  updatedAt: string;
  name: string;
  scope: BudgetScope;
  target: string | null;
  period: "run" | "day" | "month";
  limitMicros: number | null;
  limitTokens: number | null;
  action: "block" | "pause";
  enabled: boolean;
};

export type ModelFallback = {
  model: string;
  code: string;
  message: string;
};

export type ModelPrice = {
  id: number;
  tenantId: number | null;
  createdAt: string;
  updatedAt: string;
  providerId: string;
  modelId: string;
  inputMicros: number;
  cachedInputMicros: number;
  outputMicros: number;
  imageMicros: number;
  maxOutputTokens: number | null;
  contextTokens: number | null;
  videoSecondMicros: number;
};

export type ModelProvider = {
  id: string;
  title: string;
  kind: ProviderKind;
  configured: boolean;
  simulated: boolean;
  source: "environment" | "tenant" | "built-in";
  enabled: boolean;
  baseUrl: string | null;
  secret: string | null;
  headers: Record<string, string | SecretReference>;
  createdAt: string | null;
  updatedAt: string | null;
};

export type ModelRateLimit = {
  id: number;
  tenantId: number | null;
  createdAt: string;
  updatedAt: string;
  providerId: string;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
};

export type ModelSettings = {
  model?: string;
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
};

export type ModuleConfig = {
  id: number;
  tenantId: number | null;
  moduleName: string;
  key: string;
  scopeId: string | null;
  value: Json;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type NewAgentSession = {
  agent: number | string;
  title?: string;
};

export type NewChatMessage = {
  message: string;
};

export type NewChatSession = {
  target: {
    kind: ChatTargetKind;
    id: number | IdOrSlug;
  };
  title?: string;
  parameters?: JsonSchemaDocument;
  modelSettings?: ModelSettings;
  mapping?: {
    message?: string;
    messages?: string | null;
    answer?: string | null;
    input?: JsonSchemaDocument;
  };
};

export type NewEvalCase = {
  name: string;
  input: JsonSchemaDocument;
  expectations?: Expectation[];
  decisions?: ScriptedDecision[];
  pins?: Record<string, Json> | null;
  tags?: string[];
  enabled?: boolean;
};

export type NewHold = {
  executionId?: number;
  workflow?: {
    kind: ExecutionKind;
    id: number;
  };
  all?: true;
  reason?: string;
};

export type NewOutcome = {
  name: ScoreName;
  value: ScoreValue;
  comment?: string | null;
  /** Names the newest run of the workflow whose input has this value */
  correlation: {
    /** A field of the run's input: `orderId`, or `order.id` of an object in it */
    field: string;
    /** What that field has */
    value: string | number;
  };
};

export type NewReviewComment = {
  text: string;
};

export type NewRunScore = {
  name: ScoreName;
  value: ScoreValue;
  comment?: string | null;
};

export type NewScoreJudge = {
  target: {
    kind: ExecutionKind;
    id: Id | string;
  };
  name: ScoreName;
  rubric: string;
  path?: string;
  model?: string;
  percent?: number;
  maxPerDay?: number;
  enabled?: boolean;
};

export type NewTableColumn = {
  name: ColumnName;
  /** What people see; else the name */
  title?: string;
  type: ColumnType;
  description?: string;
  required?: boolean;
  /** No two rows have the same value; empty ones do not count */
  unique?: boolean;
  /** Rows are found by a value of it without reading the table */
  indexed?: boolean;
  /** The value of a new row that gives none */
  default?: Json;
  /** Of the type `choice` */
  choices?: string[];
  /** Of the type `reference`: slug of the table whose rows it names */
  references?: Slug;
};

export type NewTableColumnOutput = {
  name: ColumnName;
  /** What people see; else the name */
  title?: string;
  type: ColumnType;
  description?: string;
  required: boolean;
  /** No two rows have the same value; empty ones do not count */
  unique: boolean;
  /** Rows are found by a value of it without reading the table */
  indexed: boolean;
  /** The value of a new row that gives none */
  default?: Json;
  /** Of the type `choice` */
  choices?: string[];
  /** Of the type `reference`: slug of the table whose rows it names */
  references?: Slug;
};

export type NodeCategory = "core" | "agent" | "data" | "api";

export type NodeKind = "model" | "tool" | "memory" | "human" | "data" | "flow" | "child";

export type NodeRun = {
  id: number;
  executionId: number;
  nodeId: string;
  parentNodeId: string | null;
  nodeType: string;
  nodeVersion: number;
  visit: number;
  attempt: number;
  item: string | null;
  status: NodeStatus;
  input: Json;
  output: Json;
  tokenUsage: TokenUsage | null;
  toolCalls: ToolCallRecord[] | null;
  costMicros: number;
  error: string | null;
  errorInfo: ErrorInfo | null;
  durationMs: number | null;
  startedAt: string;
  completedAt: string | null;
};

export type NodeStatus = "running" | "completed" | "failed" | "paused" | "cancelled" | "skipped";

export type NodeType = {
  id: string;
  version: number;
  title: string;
  docs: string;
  synonyms?: string[];
  firstFields?: string[];
  category: NodeCategory;
  kind: NodeKind;
  module: string;
  effect: Effect;
  composite: boolean;
  inputSchema: Record<string, Json>;
  outputSchema: Record<string, Json>;
  outcomes: {
    id: string;
    title: string;
    guard?: Json;
  }[];
  permissions: string[];
  timeoutMs: number | null;
  isWait: boolean;
};

export type Notification = {
  id: number;
  kind: NotificationKind;
  subject: string;
  text: string;
  link: string;
  executionKind: ExecutionKind | null;
  executionId: number | null;
  reviewId: number | null;
  readAt: string | null;
  createdAt: string;
};

export type NotificationChannel = Record<string, unknown> & ({
  type: "in-app";
} | {
  type: "email";
} | {
  type: "webhook";
  url: string;
  secret?: {
    $secret: SecretName;
  } | null;
} | {
  type: "slack";
  url: {
    $secret: SecretName;
  };
  host?: string;
} | {
  type: "slack-app";
  token: {
    $secret: SecretName;
  };
  signingSecret: {
    $secret: SecretName;
  };
  conversation: string;
  host?: string;
} | {
  type: "teams";
  appId: string;
  directory: string;
  password: {
    $secret: SecretName;
  };
  conversation: string;
  serviceUrl?: string;
  loginHost?: string;
  keysHost?: string;
});

export type NotificationChannelOutput = Record<string, unknown> & ({
  type: "in-app";
} | {
  type: "email";
} | {
  type: "webhook";
  url: string;
  secret: {
    $secret: SecretName;
  } | null;
} | {
  type: "slack";
  url: {
    $secret: SecretName;
  };
  host: string;
} | {
  type: "slack-app";
  token: {
    $secret: SecretName;
  };
  signingSecret: {
    $secret: SecretName;
  };
  conversation: string;
  host: string;
} | {
  type: "teams";
  appId: string;
  directory: string;
  password: {
    $secret: SecretName;
  };
  conversation: string;
  serviceUrl: string;
  loginHost: string;
  keysHost: string;
});

export type NotificationDelivery = {
  id: number;
  ruleId: number | null;
  channel: "email" | "webhook" | "slack" | "slack-app" | "teams";
  recipient: string;
  kind: NotificationKind;
  eventKey: string;
  subject: string;
  text: string;
  link: string;
  facts: JsonSchemaDocument;
  status: NotificationDeliveryStatus;
  reason: string | null;
  attempts: number;
  digest: boolean;
  replayOf: number | null;
  nextAttemptAt: string;
  sentAt: string | null;
  createdAt: string;
};

export type NotificationDeliveryStatus = "pending" | "sent" | "skipped" | "failed";

export type NotificationKind = "run.completed" | "run.failed" | "review.opened" | "review.deadline" | "review.assigned" | "budget.exhausted" | "trigger.unusable" | "mcp-tool.changed" | "api-operation.changed" | "a2a-agent.changed" | "canary.stopped";

export type NotificationPreferences = {
  kinds?: Record<string, {
    inApp: boolean;
    email: boolean;
  }>;
  quietHours?: QuietHours | null;
  timezone?: Timezone;
  digest?: "none" | "hourly" | "daily";
};

export type NotificationPreferencesOutput = {
  kinds: Record<string, {
    inApp: boolean;
    email: boolean;
  }>;
  quietHours: QuietHours | null;
  timezone: Timezone;
  digest: "none" | "hourly" | "daily";
};

export type NotificationRecipient = Record<string, unknown> & ({
  kind: "starter";
} | {
  kind: "assignees";
} | {
  kind: "user";
  userId: number;
} | {
  kind: "role";
  role: string;
});

export type NotificationRule = {
  id: number;
  name: string;
  enabled: boolean;
  scope: NotificationScope;
  events: NotificationKind[];
  channel: NotificationChannelOutput;
  recipients: NotificationRecipient[];
  subject: string | null;
  text: string | null;
  quietHours: QuietHours | null;
  timezone: Timezone;
  decisionsPath: string | null;
  createdAt: string;
  updatedAt: string;
};

export type NotificationScope = {
  kind: "all";
} | {
  kind: ExecutionKind;
  workflowId: number;
};

export type OnDeadline = "error" | {
  action: "approve" | "reject";
  reason?: string;
} | {
  escalateTo: Assignee[];
  dueIn: Duration;
};

export type Operator = "==" | "!=" | ">" | "<" | ">=" | "<=" | "contains" | "exists" | "empty" | "in" | "matches";

export type OthersApp = {
  id: number;
  client: {
    name: string;
    uri: string | null;
    document: string | null;
    returnsTo: string;
    local: boolean;
  };
  servers: string[];
  scopes: {
    id: string;
    title: string;
  }[];
  allowedAt: string;
  lastTokenAt: string | null;
  user: {
    id: number;
    name: string;
    email: string;
  };
};

export type OutputRef = Record<string, unknown> & ({
  type: "file";
  path: string;
  blob_id: number;
} | {
  type: "db";
  table: string;
  row_id: string;
} | {
  type: "kb";
  kb_id: string;
  row_id: string;
});

export type OutsideEventName = string;

export type Overlap = "allow" | "skip" | "queue" | "cancel";

export type Passkey = {
  id: number;
  name: string;
  synced: boolean;
  createdAt: string;
};

export type PasskeyName = string;

export type Permission = string;

export type PermissionInfo = {
  id: string;
  title: string;
  module: string;
};

export type PersonChoice = {
  userId: number;
} | {
  email: string;
};

export type PersonReport = {
  userId: number | null;
  email: string | null;
  holdings: {
    module: string;
    table: string;
    title: string;
    rows: number;
    erasure: "delete" | "clear" | "remove" | "retain";
    why: string | null;
    left: number[];
  }[];
};

export type PinnedOutput = {
  output: Json;
  basis: string;
};

export type PlanPromotion = {
  file: PromotionFile;
  mapping?: PromotionMapping;
  /** false: workflows that are here get a draft; agents and triggers that are here stay as they are */
  publish?: boolean;
};

export type PlanTable = {
  name: string;
  slug: Slug;
  description: string | null;
  columns: {
    /** Of a column that is there */
    key?: string;
    name: ColumnName;
    /** What people see; else the name */
    title?: string;
    type: ColumnType;
    description?: string;
    required?: boolean;
    /** No two rows have the same value; empty ones do not count */
    unique?: boolean;
    /** Rows are found by a value of it without reading the table */
    indexed?: boolean;
    /** The value of a new row that gives none */
    default?: Json;
    /** Of the type `choice` */
    choices?: string[];
    /** Of the type `reference`: slug of the table whose rows it names */
    references?: Slug;
  }[];
  /** Groups of columns whose values together no two rows share */
  unique: ColumnName[][];
  /** Of the table that was read */
  version: number;
};

export type PolicyTarget = {
  effects?: Effect[];
  tags?: string[];
  tools?: string[];
  nodeTypes?: string[];
};

export type PolicyTrial = {
  published: {
    checked: number;
    refused: number;
  };
  drafts: {
    checked: number;
    refused: number;
  };
  refused: {
    kind: ExecutionKind;
    id: Id;
    name: string;
    of: "published" | "draft";
    problems: {
      step: string | null;
      path: string;
      message: string;
      fix: string;
    }[];
    found: number;
  }[];
  undecided: {
    kind: ExecutionKind;
    id: Id;
    name: string;
    of: "published" | "draft";
  }[];
  invalidDrafts: number;
  left: number;
};

export type ProblemOutput = {
  path: string;
  rule: string;
  message: string;
  fix: string;
  severity: "error" | "warning";
  line?: number;
  about?: string;
  note?: SchemaNote;
};

export type ProgramGraph = {
  definition: JsonSchemaDocument;
  calls: number;
  notes: ProgramNote[];
};

export type ProgramGraphRequest = {
  definition: JsonSchemaDocument;
  stateId: string;
  program?: string;
};

export type ProgramNote = Record<string, unknown> & ({
  /** This step computes with code */
  kind: "code";
  state: string;
  line: number;
} | {
  /** This step stays a program that calls tools */
  kind: "program";
  state: string;
  line: number;
} | {
  /** Numbers such as 5.0 reach the next step as 5, and the program writes numbers as texts */
  kind: "numbers";
  line: number;
});

export type PromotedEverything = {
  workflows: {
    kind: ExecutionKind;
    slug: Slug;
    name: string;
    description: string | null;
    tags: Tags;
    definition: JsonSchemaDocument;
  }[];
  agents: {
    slug: Slug;
    name: string;
    description: string | null;
    settings: {
      systemPrompt: string;
      model: string | null;
      agentConfig: {
        temperature?: number;
        topP?: number;
        maxOutputTokens?: number;
        seed?: number;
        timeoutMs?: number;
      };
      exposedParameters: JsonSchemaDocument | null;
      toolBindings: ToolPattern[];
      memoryConfig: MemoryConfig | null;
      callerTools: boolean;
      a2aExport: boolean;
      outputSchema: JsonSchemaDocument | null;
      maxToolIterations: number | null;
      streamingEnabled: boolean;
    };
    workflow: Slug | null;
  }[];
  triggers: {
    type: string;
    name: string;
    config: JsonSchemaDocument;
    filter: Guard | null;
    input: JsonSchemaDocument | null;
    shaping: TriggerShapingOutput | null;
    overlap: Overlap;
    overlapCountsPaused: boolean;
    target: {
      kind: ExecutionKind;
      slug: Slug;
    };
  }[];
  tables: {
    slug: Slug;
    name: string;
    description: string | null;
    columns: NewTableColumnOutput[];
    /** Groups of columns whose values together no two rows share */
    unique: ColumnName[][];
  }[];
  notExported: {
    kind: ExecutionKind;
    slug: Slug;
    message: string;
  }[];
  withheld: ("workflow" | "agent-workflow" | "agent" | "trigger" | "table")[];
};

export type PromotionFile = {
  format: "oven-promotion";
  version: 1;
  root: {
    kind: ExecutionKind;
    slug: Slug;
  };
  workflows: {
    kind: ExecutionKind;
    slug: Slug;
    name: string;
    description: string | null;
    tags: Tags;
    definition: JsonSchemaDocument;
  }[];
  agents: {
    slug: Slug;
    name: string;
    description: string | null;
    settings: {
      systemPrompt?: string;
      model?: string | null;
      agentConfig?: {
        temperature?: number;
        topP?: number;
        maxOutputTokens?: number;
        seed?: number;
        timeoutMs?: number;
      };
      exposedParameters?: JsonSchemaDocument | null;
      toolBindings?: ToolPattern[];
      memoryConfig?: MemoryConfig | null;
      callerTools?: boolean;
      a2aExport?: boolean;
      outputSchema?: JsonSchemaDocument | null;
      maxToolIterations?: number | null;
      streamingEnabled?: boolean;
    };
    workflow: Slug | null;
  }[];
  triggers: {
    type: string;
    name: string;
    config?: JsonSchemaDocument;
    filter?: Guard | null;
    input?: JsonSchemaDocument | null;
    shaping?: TriggerShaping | null;
    overlap?: Overlap;
    overlapCountsPaused?: boolean;
    target: {
      kind: ExecutionKind;
      slug: Slug;
    };
  }[];
  tables?: {
    slug: Slug;
    name: string;
    description: string | null;
    columns: NewTableColumn[];
    /** Groups of columns whose values together no two rows share */
    unique: ColumnName[][];
  }[];
};

export type PromotionFileOutput = {
  format: "oven-promotion";
  version: 1;
  root: {
    kind: ExecutionKind;
    slug: Slug;
  };
  workflows: {
    kind: ExecutionKind;
    slug: Slug;
    name: string;
    description: string | null;
    tags: Tags;
    definition: JsonSchemaDocument;
  }[];
  agents: {
    slug: Slug;
    name: string;
    description: string | null;
    settings: {
      systemPrompt: string;
      model: string | null;
      agentConfig: {
        temperature?: number;
        topP?: number;
        maxOutputTokens?: number;
        seed?: number;
        timeoutMs?: number;
      };
      exposedParameters: JsonSchemaDocument | null;
      toolBindings: ToolPattern[];
      memoryConfig: MemoryConfig | null;
      callerTools: boolean;
      a2aExport: boolean;
      outputSchema: JsonSchemaDocument | null;
      maxToolIterations: number | null;
      streamingEnabled: boolean;
    };
    workflow: Slug | null;
  }[];
  triggers: {
    type: string;
    name: string;
    config: JsonSchemaDocument;
    filter: Guard | null;
    input: JsonSchemaDocument | null;
    shaping: TriggerShapingOutput | null;
    overlap: Overlap;
    overlapCountsPaused: boolean;
    target: {
      kind: ExecutionKind;
      slug: Slug;
    };
  }[];
  tables: {
    slug: Slug;
    name: string;
    description: string | null;
    columns: NewTableColumnOutput[];
    /** Groups of columns whose values together no two rows share */
    unique: ColumnName[][];
  }[];
};

export type PromotionMapping = Record<string, Record<string, string>>;

export type PromotionPlan = {
  digest: string;
  items: {
    kind: "workflow" | "agent-workflow" | "agent" | "trigger";
    name: string;
    of: string | null;
    change: "create" | "update" | "draft" | "same" | "mapped" | "kept";
    current: {
      id: number;
      version: number | null;
    } | null;
    definition: {
      added: string[];
      removed: string[];
      changed: {
        path: string;
        from?: Json;
        to?: Json;
        stateId: string;
      }[];
      moved: {
        stateId: string;
        from: string | null;
        to: string | null;
      }[];
      settings: {
        path: string;
        from?: Json;
        to?: Json;
      }[];
    } | null;
    fields: {
      path: string;
      from?: Json;
      to?: Json;
    }[];
  }[];
  references: {
    kind: "workflow" | "agent-workflow" | "agent" | "model" | "secret" | "tool" | "connection" | "vector-store" | "table" | "node" | "config";
    name: string;
    usedBy: string[];
    state: "included" | "found" | "mapped" | "missing";
    to: string;
    fix: string | null;
  }[];
  choices: Record<string, string[]>;
  missing: number;
};

export type PromotionReport = {
  items: {
    kind: "workflow" | "agent-workflow" | "agent" | "trigger";
    name: string;
    of: string | null;
    change: "create" | "update" | "draft" | "same" | "mapped" | "kept";
    current: {
      id: number;
      version: number | null;
    } | null;
    definition: {
      added: string[];
      removed: string[];
      changed: {
        path: string;
        from?: Json;
        to?: Json;
        stateId: string;
      }[];
      moved: {
        stateId: string;
        from: string | null;
        to: string | null;
      }[];
      settings: {
        path: string;
        from?: Json;
        to?: Json;
      }[];
    } | null;
    fields: {
      path: string;
      from?: Json;
      to?: Json;
    }[];
  }[];
  references: {
    kind: "workflow" | "agent-workflow" | "agent" | "model" | "secret" | "tool" | "connection" | "vector-store" | "table" | "node" | "config";
    name: string;
    usedBy: string[];
    state: "included" | "found" | "mapped" | "missing";
    to: string;
    fix: string | null;
  }[];
  missing: number;
  root: {
    kind: ExecutionKind;
    slug: Slug;
    id: number;
  };
};

export type Proof = {
  password?: string;
  code?: SecondFactorCode;
};

export type ProviderKind = string;

export type ProviderKindInfo = {
  id: ProviderKind;
  title: string;
  help: string;
  baseUrl: string | null;
  makes: ("text" | "embeddings" | "images" | "videos")[];
};

export type ProviderModels = {
  id: string;
  title: string;
  models: string[];
  truncated: boolean;
  problem: {
    message: string;
    fix: string | null;
  } | null;
};

export type ProviderTest = {
  ok: boolean;
  latencyMs: number;
  models: string[];
  problem: string | null;
  fix: string | null;
};

export type PublicForm = {
  title: string;
  description: string | null;
  submitLabel: string;
  open: boolean;
  fields: FormField[];
};

export type QueryVectors = {
  query?: string;
  embedding?: number[];
  /** How many matches at most */
  topK?: number;
  /** `vector`: by meaning; `text`: by words; `hybrid`: both, fused */
  mode?: SearchMode;
  /** Conditions on metadata: `{"lang": "en", "year": {"gte": 2024}, "team": {"in": ["a", "b"]}}` */
  filter?: VectorFilter;
  /** Leaves out matches less similar than this; in mode `text`, of lower rank */
  minScore?: number;
  /** Whether a language model puts the matches in order */
  rerank?: boolean | Rerank;
};

export type QueryVectorsAnswer = {
  matches: VectorMatch[];
  warnings: string[];
};

export type Queue = {
  pending: {
    count: number;
    oldest: string | null;
  };
  running: {
    count: number;
    oldest: string | null;
  };
  paused: {
    count: number;
    oldest: string | null;
  };
  timers: {
    count: number;
    next: string | null;
  };
  overdue: {
    count: number;
    oldest: string | null;
  };
  wakeUps: number;
  lastHour: {
    completed: number;
    failed: number;
    cancelled: number;
  };
};

export type QuietHours = {
  from: string;
  to: string;
};

export type RateChatMessage = {
  value: 0 | 1 | null;
  comment?: string | null;
};

export type ReasoningPart = {
  type: "reasoning";
  text: string;
  providerOptions?: Record<string, Record<string, Json>>;
} & Record<string, unknown>;

export type RecognitionLanguage = "eng" | "deu";

export type RecognizeText = {
  /** Languages of the pages: `eng` (English), `deu` (German), or both */
  languages?: RecognitionLanguage[];
};

export type RecoveryCodes = {
  recoveryCodes: string[];
};

export type RedriveBody = {
  ids?: number[];
  workflow?: string | number;
  code?: string;
  limit?: number;
  /** The version of the workflow to go on with; left out, the one of the run */
  version?: number | "current";
};

export type RedriveReport = {
  retried: {
    id: number;
    as: number;
  }[];
  refused: {
    id: number;
    code: string;
    message: string;
  }[];
};

export type Rehearsal = {
  counts: {
    same: number;
    outcome: number;
    calls: number;
    path: number;
    unknown: number;
    skipped: number;
  };
  runs: {
    executionId: number;
    workflowVersion: number;
    endedAt: string | null;
    /** same: nothing differs. outcome: it ends otherwise. calls: it ends the same after other calls. path: only other steps. unknown: an answer that was not recorded decides */
    verdict: "same" | "outcome" | "calls" | "path" | "unknown";
    unknown: {
      /** new-call: no recorded call is like this one. no-answer: the recorded call had none. other-review: people would have been shown something else. no-decision: it was not decided. no-event: what it waits for did not come. too-large: an output too large to be computed here. too-long: too many moves. live-budget: what may be spent on asking models is spent. live-failed: the model was asked and gave no answer */
      reason: "new-call" | "no-answer" | "other-review" | "no-decision" | "no-event" | "too-large" | "too-long" | "live-budget" | "live-failed";
      nodeId: string | null;
    } | null;
    end: {
      was: {
        status: "completed" | "failed" | "cancelled";
        outcome: string | null;
        output: string;
        /** The code of its error */
        error: string | null;
      } | null;
      is: {
        status: "completed" | "failed" | "cancelled";
        outcome: string | null;
        output: string;
        /** The code of its error */
        error: string | null;
      } | null;
    } | null;
    calls: {
      added: {
        nodeId: string;
        visit: number;
        item: string | null;
        src: string;
        input: string;
      }[];
      missing: {
        nodeId: string;
        visit: number;
        item: string | null;
        src: string;
        input: string;
      }[];
    };
    steps: {
      added: string[];
      missing: string[];
    };
    tokens: number;
    costMicros: number;
    durationMs: number;
    digest: string;
    seen: boolean;
  }[];
  skipped: {
    executionId: number;
    reason: string;
  }[];
  next: number | null;
  recordings: {
    since: string | null;
    removed: number;
  };
  live: {
    calls: number;
    costMicros: number;
  } | null;
  casesWithoutRun: number | null;
};

export type RehearseBody = {
  /** What is tried; left out, the draft, or without one the published version */
  definition?: JsonSchemaDocument;
  /** How many past runs, the newest first */
  limit?: number;
  /** Only runs with a smaller id: `next` of the answer before */
  before?: number;
  /** Only runs that ended so; cancelled ones are among all */
  status?: "all" | "completed" | "failed";
  /** Only runs that were given what a case of this eval dataset gives */
  dataset?: IdOrSlug;
  /** Ask models where no answer was recorded, for at most so much; tools and effects stay recorded. Needs the permission to run the workflow */
  live?: {
    /** 10⁻⁶ USD. No call begins once that much is spent; the one that goes beyond it is the last */
    maxCostMicros: number;
    maxCalls?: number;
  };
};

export type RehearseRunBody = {
  /** What is tried; left out, the draft, or without one the published version */
  definition?: JsonSchemaDocument;
};

export type RehearsedSides = {
  run: {
    executionId: number;
    workflowVersion: number;
    endedAt: string | null;
    /** same: nothing differs. outcome: it ends otherwise. calls: it ends the same after other calls. path: only other steps. unknown: an answer that was not recorded decides */
    verdict: "same" | "outcome" | "calls" | "path" | "unknown";
    unknown: {
      /** new-call: no recorded call is like this one. no-answer: the recorded call had none. other-review: people would have been shown something else. no-decision: it was not decided. no-event: what it waits for did not come. too-large: an output too large to be computed here. too-long: too many moves. live-budget: what may be spent on asking models is spent. live-failed: the model was asked and gave no answer */
      reason: "new-call" | "no-answer" | "other-review" | "no-decision" | "no-event" | "too-large" | "too-long" | "live-budget" | "live-failed";
      nodeId: string | null;
    } | null;
    end: {
      was: {
        status: "completed" | "failed" | "cancelled";
        outcome: string | null;
        output: string;
        /** The code of its error */
        error: string | null;
      } | null;
      is: {
        status: "completed" | "failed" | "cancelled";
        outcome: string | null;
        output: string;
        /** The code of its error */
        error: string | null;
      } | null;
    } | null;
    calls: {
      added: {
        nodeId: string;
        visit: number;
        item: string | null;
        src: string;
        input: string;
      }[];
      missing: {
        nodeId: string;
        visit: number;
        item: string | null;
        src: string;
        input: string;
      }[];
    };
    steps: {
      added: string[];
      missing: string[];
    };
    tokens: number;
    costMicros: number;
    durationMs: number;
    digest: string;
    seen: boolean;
  };
  ends: {
    was: {
      status: "completed" | "failed" | "cancelled";
      outcome: string | null;
      output: string;
      /** The code of its error */
      error: string | null;
    } | null;
    is: {
      status: "completed" | "failed" | "cancelled";
      outcome: string | null;
      output: string;
      /** The code of its error */
      error: string | null;
    } | null;
  };
  pairs: {
    within: string[];
    nodeId: string;
    visit: number;
    item: string | null;
    /** added: only in the rehearsed run. missing: only in the recorded one. unknown: not known from there on */
    change: "same" | "changed" | "added" | "missing" | "unknown";
    differs: ("type" | "input" | "output" | "end")[];
    was: {
      src: string;
      input: Json;
      output: Json;
      status: "running" | "completed" | "failed" | "cancelled" | "skipped";
      /** The code of its error */
      error: string | null;
      /** A model was really asked, because no answer was recorded */
      live: boolean;
      tokens: number;
      costMicros: number;
      durationMs: number | null;
    } | null;
    is: {
      src: string;
      input: Json;
      output: Json;
      status: "running" | "completed" | "failed" | "cancelled" | "skipped";
      /** The code of its error */
      error: string | null;
      /** A model was really asked, because no answer was recorded */
      live: boolean;
      tokens: number;
      costMicros: number;
      durationMs: number | null;
    } | null;
  }[];
  more: number;
  draftRevision: number | null;
  seenBy: {
    userId: number;
    userName: string | null;
    at: string;
    draftRevision: number;
  }[];
};

export type ReorderLinearSteps = {
  steps: string[];
};

export type Repair = {
  executionId: number;
  workflowId: number;
  workflowName: string;
  baseVersion: number;
  failure: RepairedFailure;
  runIds: number[];
  automatic: boolean;
  status: RepairStatus;
  createdAt: string;
  before: JsonSchemaDocument;
  after: JsonSchemaDocument | null;
  changes: {
    added: string[];
    removed: string[];
    changed: {
      path: string;
      from?: Json;
      to?: Json;
      stateId: string;
    }[];
    moved: {
      stateId: string;
      from: string | null;
      to: string | null;
    }[];
    settings: {
      path: string;
      from?: Json;
      to?: Json;
    }[];
  } | null;
  evidence: RepairEvidenceOutput | null;
  explanation: string | null;
  reviewId: number | null;
  reason: string | null;
  publishedVersion: number | null;
  retried: RetriedRun[];
};

export type RepairEvidenceOutput = {
  definitionHash: string;
  attempt: number;
  failed: {
    executionId: number;
    verdict: FixVerdict;
    detail: string | null;
  }[];
  past: {
    runs: number;
    same: number;
    before: number;
    skipped: number;
    differing: {
      executionId: number;
      /** same: nothing differs. outcome: it ends otherwise. calls: it ends the same after other calls. path: only other steps. unknown: an answer that was not recorded decides */
      verdict: "same" | "outcome" | "calls" | "path" | "unknown";
      detail: string;
    }[];
  };
  datasets: {
    runs: number;
    same: number;
    before: number;
    skipped: number;
    differing: {
      executionId: number;
      /** same: nothing differs. outcome: it ends otherwise. calls: it ends the same after other calls. path: only other steps. unknown: an answer that was not recorded decides */
      verdict: "same" | "outcome" | "calls" | "path" | "unknown";
      detail: string;
    }[];
    id: number;
    name: string;
    casesWithoutRun: number;
  }[];
  datasetsRead: boolean;
  problems: ProblemOutput[];
  wrong: string[];
};

/** working: a proposal is made and proved. asked: a person decides. applied: it is published. rejected: a person said no. stale: another version was published meanwhile. refused: it may not be published. unproved: there is no repair. ended: its run was cancelled or failed */
export type RepairStatus = "working" | "asked" | "applied" | "rejected" | "stale" | "refused" | "unproved" | "ended";

export type RepairSummary = {
  executionId: number;
  workflowId: number;
  workflowName: string;
  baseVersion: number;
  failure: RepairedFailure;
  runIds: number[];
  automatic: boolean;
  status: RepairStatus;
  createdAt: string;
};

export type RepairedFailure = {
  code: string;
  nodeId: string | null;
  message: string;
};

export type ReplayReport = {
  moves: number;
  lastSeq: number;
  same: boolean;
  divergence: {
    seq: number;
    recorded: Json;
    happened: Json;
  } | null;
};

export type RequestBackup = {
  token: string;
  sealed?: SealedSecret;
};

export type Rerank = {
  model?: string;
  candidates?: number;
};

export type ResolvedConfig = {
  value: Json;
  source: ConfigSource;
};

export type ResolvedModel = {
  providerId: string;
  modelId: string;
  simulated: boolean;
  alias: string | null;
};

export type ResumeChain = {
  skip?: boolean;
};

export type RetentionReport = {
  details: number;
  runs: number;
  events: number;
  nodeRuns: number;
  signals: number;
  blobs: number;
  reviews: number;
  keys: number;
  rows: Record<string, number>;
};

export type RetentionState = {
  detailDays: number;
  runDays: number;
  eventDays: number;
  due: {
    details: number;
    runs: number;
  };
  next: {
    id: number;
    kind: ExecutionKind;
    endedAt: string;
    dueAt: string;
  } | null;
  lastPass: {
    day: string;
    at: string;
    state: "running" | "done";
  } | null;
};

export type RetriedRun = {
  id: number;
  as: number | null;
  status: ExecutionStatus | null;
  reason: string | null;
};

export type RetrieveAnswer = {
  matches: VectorMatch[];
  warnings: string[];
  context: string;
};

export type RetryBody = {
  /** The version of the workflow to go on with, or its draft; left out, the one of the run */
  version?: number | "current" | "draft";
  /** With `draft`: the revision that is meant; left out, the newest */
  revision?: number;
  /** The step to go on from; left out, the one that failed */
  nodeId?: string;
};

export type RetryChatMessage = {
  executionId: number;
};

export type ReviewComment = {
  id: number;
  reviewId: number;
  userId: number | null;
  userName: string | null;
  text: string;
  createdAt: string;
};

export type ReviewOutput = {
  id: number;
  tenantId: number | null;
  executionId: number;
  executionKind: ExecutionKind;
  workflowId: number;
  workflowName: string;
  nodeId: string;
  visit: number;
  item: string | null;
  status: ReviewStatus;
  title: string;
  proposal: Json;
  schema: Record<string, Json> | null;
  context: Json;
  tool: string | null;
  risk: {
    effect: Effect;
    tags: string[];
  } | null;
  digest: string;
  assignees: string[];
  actions: string[];
  dueAt: string | null;
  escalation: {
    at: string;
    from: string[];
  } | null;
  policy: ReviewPolicyOutput;
  stage: number;
  stages: {
    assignees: Assignee[];
    approvals: number;
  }[];
  requestedBy: number | null;
  requestedByName: string | null;
  votes: ReviewVote[];
  mayDecide: boolean;
  action: string | null;
  data: Json;
  reason: string | null;
  decidedBy: number | null;
  decidedByName: string | null;
  decidedAt: string | null;
  createdAt: string;
};

export type ReviewPolicyOutput = {
  notRequester: boolean;
  approvals: number;
  adminsMayDecide: boolean;
  onDeadline: OnDeadline;
  permissions?: string[];
  stages?: ReviewStageOutput[];
  otherwise?: {
    assignees: string[];
    approvals: number;
  };
};

export type ReviewStageOutput = {
  /** CEL over `args`, what is proposed: `args.amount > 1000`. Left out: always */
  when?: ApprovalCondition;
  assignees: Assignee[];
  approvals: number;
};

export type ReviewStatus = "open" | "decided" | "expired" | "cancelled";

export type ReviewVote = {
  userId: number;
  userName: string | null;
  stage: number;
  action: string;
  reason: string | null;
  at: string;
};

export type Role = {
  id: number;
  name: string;
  title: string;
  description: string;
  permissions: string[];
  builtIn: boolean;
  requiresSecondFactor: boolean;
};

export type RoleName = string;

export type RoutedConversation = {
  id: string;
  workflowId: string;
  status: "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
  next: string | null;
  handoffReason: string | null;
  error: string | null;
  messages: Message[];
  executions: number[];
};

export type RoutedEdge = {
  id: string;
  workflowId: string;
  sourceNodeId: string;
  targetNodeId: string | null;
  conditionType: "CONDITIONAL" | "ALWAYS";
  conditionValue: string | null;
};

export type RoutedGraph = {
  id: string;
  name: string;
  description: string;
  isConversational: boolean;
  entrypointNodeId: string;
  nodes: RoutedNode[];
  edges: RoutedEdge[];
  stepLimit?: number;
  timeoutSeconds?: number;
  agentWorkflowId: number;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type RoutedGraphSpec = {
  id: string;
  name: string;
  description: string;
  isConversational: boolean;
  entrypointNodeId: string;
  nodes: RoutedNode[];
  edges: RoutedEdge[];
  stepLimit?: number;
  timeoutSeconds?: number;
};

export type RoutedNode = {
  id: string;
  workflowId: string;
  nodeType: "AGENT" | "TOOL_EXECUTOR";
  nodeName: string;
  agentId: string | null;
};

export type RoutedTurn = {
  message: string;
};

export type RowValues = Record<string, Json>;

export type RunChain = {
  wait?: number;
};

export type RunCheckpoint = {
  seq: number;
  at: string;
  cause: "start" | "seed" | "done" | "wait" | "failed" | "starting" | "signal" | "clock" | "takeover" | "resumed" | "migrated";
  nodeId: string | null;
  visit: number | null;
  item: string | null;
  activeStates: string[];
  steps: number;
  end: "completed" | "failed" | "cancelled" | null;
};

export type RunCheckpointDetail = {
  seq: number;
  at: string;
  cause: "start" | "seed" | "done" | "wait" | "failed" | "starting" | "signal" | "clock" | "takeover" | "resumed" | "migrated";
  nodeId: string | null;
  visit: number | null;
  item: string | null;
  activeStates: string[];
  steps: number;
  end: "completed" | "failed" | "cancelled" | null;
  context: JsonSchemaDocument;
  stateValue: Json;
  waiting: Waiting[];
  patch: JsonPatchOp[];
};

export type RunDefinition = {
  version: number;
  contentHash: string;
  definition: JsonSchemaDocument;
};

export type RunEvent = {
  seq: number;
  executionId: number;
  at: string;
  event: RunEventName;
} & Record<string, unknown>;

export type RunEventName = "execution.started" | "execution.paused" | "execution.resumed" | "execution.undoing" | "execution.migrated" | "execution.completed" | "execution.failed" | "execution.cancelled" | "node.started" | "node.completed" | "node.failed" | "node.paused" | "node.cancelled" | "tool.started" | "tool.completed" | "tool.failed" | "tool.asked" | "text.delta" | "text.discarded" | "message.added" | "review.opened" | "review.decided" | "review.expired" | "review.escalated" | "review.voted" | "review.delegated" | "review.commented" | "child.started" | "child.completed" | "log" | "end";

export type RunFailures = {
  groups: FailureGroup[];
  partial: boolean;
};

export type RunMigration = {
  id: number;
  version: number;
  mapping: Record<string, string>;
  status: "running" | "done" | "undoing" | "undone";
  counts: {
    pending: number;
    moved: number;
    skipped: number;
    undone: number;
    /** Were to be moved back and had gone on already */
    stayed: number;
  };
  /** Moved runs that no worker has taken up since */
  undoable: number;
  /** Runs that were not moved or not moved back, and why; the first hundred */
  skipped: {
    executionId: number;
    reason: string;
  }[];
  createdBy: number | null;
  createdAt: string;
  finishedAt: string | null;
};

export type RunOptions = {
  from?: string;
  until?: string;
  items?: Record<string, number>;
  pins?: Record<string, Json>;
  dryRun?: boolean;
  recordingOf?: number;
  maxTokens?: number;
  maxCostMicros?: number;
  recording?: Traffic;
  refuseEffects?: boolean;
  modelSettings?: ModelSettings;
  test?: boolean;
};

export type RunOptionsOutput = {
  from?: string;
  until?: string;
  items?: Record<string, number>;
  pins?: Record<string, Json>;
  dryRun?: boolean;
  recordingOf?: number;
  maxTokens?: number;
  maxCostMicros?: number;
  recording?: TrafficOutput;
  refuseEffects?: boolean;
  modelSettings?: ModelSettings;
  test?: boolean;
};

export type RunScore = {
  id: number;
  executionId: number;
  executionKind: ExecutionKind;
  name: string;
  value: number;
  comment: string | null;
  source: ScoreSource;
  scorer: string;
  /** The name of the person, where it is one */
  scorerName: string | null;
  /** Whether the caller gave it, and so may take it back */
  mine: boolean;
  createdAt: string;
  updatedAt: string;
};

export type RunStats = {
  key: string;
  name: string | null;
  runs: number;
  completed: number;
  failed: number;
  tokens: number;
  costMicros: number;
  medianMs: number | null;
  p95Ms: number | null;
  last: {
    id: number;
    status: ExecutionStatus;
    at: string;
  };
};

export type SaveDraft = {
  definition: JsonSchemaDocument;
  baseVersion: number;
  /** The revision that is replaced; 0: there is no draft yet */
  revision: number;
};

export type SchedulePreview = {
  cron: string | null;
  at: string | null;
  timezone: string;
  says: string;
  next: string[];
};

export type SchemaNote = {
  path: string;
  what: "left-out" | "merged" | "side-by-side" | "any-of" | "in-words" | "any-value" | "too-large" | "recursive" | "pattern" | "with-pattern" | "keys-by-pattern";
  name?: string;
  message: string;
  readers: ("check" | "openai-api" | "anthropic-api" | "gemini-api" | "mcp")[];
};

export type ScoreJudge = {
  id: Id;
  target: {
    kind: ExecutionKind;
    id: Id;
  };
  name: ScoreName;
  rubric: string;
  path: string;
  model: string;
  percent: number;
  maxPerDay: number;
  enabled: boolean;
  today: {
    scored: number;
    waiting: number;
    failed: number;
  };
  lastError: {
    code: string;
    message: string;
    executionId: number;
  } | null;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type ScoreName = string;

export type ScoreSource = "person" | "api" | "mcp" | "judge" | "event";

export type ScoreSummary = {
  name: string;
  version: number;
  day: string;
  count: number;
  mean: number;
  up: number;
  down: number;
};

export type ScoreValue = number;

export type ScriptedDecision = {
  node?: string;
  tool?: string;
  action: string;
  data?: Json;
  reason?: string;
};

export type SealedSecret = {
  kdf: "scrypt";
  n: number;
  r: number;
  p: number;
  salt: string;
  nonce: string;
  tag: string;
  text: string;
};

export type SearchMemory = {
  agentId?: number | null;
  agentWorkflowId?: number | null;
  userId?: number | null;
  query: string;
  strategy?: MemoryStrategy;
  topK?: number;
  minScore?: number;
  /** Slug or id of a vector store; else the tenant's own */
  store?: string;
};

export type SearchMode = "vector" | "text" | "hybrid";

export type SecondFactor = {
  app: boolean;
  recoveryCodesLeft: number;
  password: boolean;
  demanded: boolean;
  session: boolean;
};

export type SecondFactorCode = string;

export type Secret = {
  id: number;
  name: string;
  hosts: string[];
  lastUsedAt: string | null;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type SecretName = string;

export type SecretReference = {
  $secret: SecretName;
  prefix?: string;
  user?: string;
};

export type SecretRotation = {
  rotated: number;
  unreadable: string[];
};

export type SeenDifference = {
  draftRevision: number;
  digest: string;
};

export type SendEventBody = {
  event: OutsideEventName;
  payload?: Json;
  correlation?: string | null;
};

export type ServiceAuth = Record<string, unknown> & ({
  type: "none";
} | {
  type: "api-key";
  in: "header" | "query";
  name: string;
  prefix?: string;
} | {
  type: "bearer";
} | {
  type: "basic";
  user?: string;
} | {
  type: "oauth";
  authorizationUrl: string;
  tokenUrl: string;
  scope: string;
  clientIn: "header" | "body";
  parameters: Record<string, string>;
} | {
  type: "client-credentials";
  tokenUrl: string;
  scope: string;
  clientIn: "header" | "body";
});

export type ServiceCategory = "communication" | "work" | "customers" | "money" | "files" | "development" | "operations" | "ai";

export type Session = {
  user: {
    id: number;
    name: string;
    email: string;
  };
  tenantId: number;
  permissions: string[];
  secondFactorNeeded: boolean;
};

export type SessionCondition = {
  variable: string;
  operator?: "==" | "!=" | ">" | "<" | ">=" | "<=" | "contains" | "exists" | "empty" | "in" | "matches";
  value?: Json;
};

export type SessionGraph = {
  graph_id: string;
  slug: string;
  name: string;
  description: string;
  definition: SessionGraphSpec;
  warnings: SessionGraphWarning[];
  agent_workflow_id: number;
  created_at: string;
  updated_at: string;
};

export type SessionGraphSpec = {
  workflow_id?: WorkflowId;
  name?: string;
  description?: string;
  max_iterations?: number;
  steps: Record<string, SessionStep>;
  next?: SessionPath[];
};

export type SessionGraphWarning = {
  path: string;
  message: string;
  fix: string;
};

export type SessionPath = {
  from: string;
  to: string;
  conditions?: SessionCondition[] | string;
  operator?: "AND" | "OR";
  priority?: number;
};

export type SessionState = {
  id: string;
  workflow: Record<string, {
    status: SessionStepStatus;
    error: string;
    last_executed?: number;
  }>;
  last_evaluated: number;
  data: {
    outputs: Record<string, Json[]>;
    messages: Json[];
  };
};

export type SessionStep = {
  function: string;
  input?: JsonSchemaDocument | string;
  description?: string;
};

export type SessionStepStatus = "active" | "pending" | "complete" | "error" | "awaiting_input";

export type SessionWait = {
  step: string;
  for: "variables" | "input";
  needs: string[];
  prompt: string | null;
  schema: JsonSchemaDocument | null;
};

export type SetCanaryBody = {
  /** A version that was published */
  version?: number;
  /** Publishes the draft of this revision as the candidate, without making it live */
  draftRevision?: number;
  share?: number;
  /** Only these take the candidate, with all of their runs; empty: a share of all runs does */
  callers?: string[];
  rollback?: {
    /** More failed runs than this end the canary */
    failurePercent: number;
    /** So many runs of the candidate must have ended */
    minRuns: number;
    score?: {
      name: ScoreName;
      /** A lower mean of the candidate's runs than this ends the canary */
      below: ScoreValue;
      /** So many scores of this name its runs must have */
      samples: number;
    };
  } | null;
  /** To the version that the draft becomes */
  note?: string;
};

export type SetChainStatus = {
  status: ChainStatus;
};

export type SetLinearTrigger = {
  type_id: string;
};

export type SignInMethods = {
  password: boolean;
  oidc: boolean;
  passkey: boolean;
};

export type Slug = string;

export type SpokenMessage = {
  role: "user" | "assistant";
  content: string;
};

export type StartBuilding = {
  message: string;
  /** What is to be changed or explained; left out: a new agent workflow */
  workflowId?: number;
};

export type StartEvalRun = {
  target?: Id | string;
  version?: number;
  mode?: EvalMode;
  recording?: string;
  concurrency?: number;
  tags?: string[];
};

export type StartLinearInstance = {
  triggering_data: Json;
};

export type StartRepair = {
  /** Failed runs of one agent workflow that failed in the same way */
  runIds: number[];
};

export type StartedRepair = {
  executionId: number;
};

export type StartedSecondFactor = {
  uri: string;
  secret: string;
};

export type StopChecker = {
  uuid: string;
  user_id: string;
  name: string;
  description: string;
  type: "stop_checker";
  stop_conditions: StopCondition[];
};

export type StopCheckerInstance = {
  uuid: string;
  user_id: string;
  workflow_instance_uuid: string;
  status: LinearStepStatus;
  started_at: string | null;
  finished_at: string | null;
  error_message: string | null;
  created_at: string;
  input_data: JsonSchemaDocument | null;
  type: "stop_checker";
  checker_definition_uuid: string;
};

export type StopCondition = {
  datacontainer_definition_uuid: string;
  extraction_json_path: string;
  operator: StopOperator;
  target_value: Json;
};

export type StopOperator = "equals" | "not_equals" | "contains" | "greater_than" | "less_than";

export type StoredImport = {
  kind: ExecutionKind;
  workflowId: number;
  product: string;
  productTitle: string;
  report: ImportReport;
  originals: JsonSchemaDocument;
  createdAt: string;
};

export type SubscriptionDelivery = {
  id: number;
  subscriptionId: number;
  messageId: string;
  event: string;
  payload: Json;
  status: "pending" | "delivered" | "dead";
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  replayOf: number | null;
  createdAt: string;
  deliveredAt: string | null;
};

export type Table = {
  id: Id;
  name: string;
  slug: Slug;
  description: string | null;
  /** Groups of columns whose values together no two rows share */
  unique: ColumnName[][];
  columns: TableColumnOutput[];
  version: number;
  rows: number;
  bytes: number;
  createdAt: string;
  updatedAt: string;
};

export type TableChange = {
  change: "add" | "remove" | "rename" | "type" | "required" | "unique" | "index";
  column: string;
  from: string | null;
  to: string | null;
  lost: number;
  refused: number;
  examples: {
    row: Id;
    value: Json;
    why: string;
  }[];
};

export type TableColumnOutput = {
  key: string;
  name: ColumnName;
  /** What people see; else the name */
  title?: string;
  type: ColumnType;
  description?: string;
  required: boolean;
  /** No two rows have the same value; empty ones do not count */
  unique: boolean;
  /** Rows are found by a value of it without reading the table */
  indexed: boolean;
  /** The value of a new row that gives none */
  default?: Json;
  /** Of the type `choice` */
  choices?: string[];
  /** Of the type `reference`: slug of the table whose rows it names */
  references?: Slug;
};

export type TableFilter = Record<string, ColumnFilter>;

export type TableImport = {
  dryRun: boolean;
  charset: string;
  delimiter: string;
  headings: {
    heading: string;
    column: string | null;
  }[];
  lines: number;
  inserted: number;
  updated: number;
  problems: {
    line: number;
    column: string | null;
    value: Json;
    message: string;
  }[];
  refused: number;
};

export type TablePlan = {
  changes: TableChange[];
  lost: number;
  refused: number;
};

export type TableRow = {
  id: Id;
  version: number;
  values: RowValues;
  createdAt: string;
  updatedAt: string;
};

export type TableTool = {
  id: Id;
  name: Slug;
  table: Slug;
  /** For the model: what is in the table, and when to use it */
  description: string;
  enabled: boolean;
  actions: TableToolAction[];
  /** Rows that it reaches; no call reaches others */
  where: TableFilter;
  /** null: all columns */
  visible: ColumnName[] | null;
  /** null: all visible columns */
  writable: ColumnName[] | null;
  /** Rows that one call finds or writes at most */
  most: number;
  /** A person approves each call that writes */
  needsApproval: boolean;
  createdAt: string;
  updatedAt: string;
};

export type TableToolAction = "find" | "insert" | "update" | "delete";

export type Tag = string;

export type TagCount = {
  tag: string;
  count: number;
};

export type Tags = Tag[];

export type Tenant = {
  id: number;
  name: string;
  disabled: boolean;
  createdAt: string;
};

export type TestBot = {
  conversation: string;
};

export type TestData = {
  inputs: Record<string, JsonSchemaDocument>;
  pins: Record<string, PinnedOutput>;
};

export type TestMcpConnection = {
  url: string;
  auth?: McpConnectionAuth;
  timeoutMs?: number;
  maxBytes?: number;
};

export type TextLanguage = "english" | "simple";

export type TextPart = {
  type: "text";
  text: string;
  providerOptions?: Record<string, Record<string, Json>>;
} & Record<string, unknown>;

/** A time zone of the IANA list */
export type Timezone = string;

export type TokenUsage = {
  input: number;
  output: number;
  total: number;
  cached?: number;
  written?: number;
  reasoning?: number;
};

export type ToolCall = {
  toolCallId: string;
  tool: string;
  arguments: Json;
};

export type ToolCallPart = {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: Json;
  providerOptions?: Record<string, Record<string, Json>>;
} & Record<string, unknown>;

export type ToolCallRecord = {
  toolCallId: string;
  tool: string;
  arguments: Json;
  result?: Json;
  error?: string;
  durationMs: number;
};

export type ToolGroup = {
  id: string;
  tools: number;
  granted: number;
};

export type ToolManifest = {
  version: string;
  hash: string;
  tools: {
    name: string;
    args: Record<string, string>;
  }[];
};

export type ToolPattern = string;

export type ToolResultPart = {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: {
    type: "text" | "json" | "error-text" | "error-json";
    value: Json;
  } & Record<string, unknown>;
  files?: BlobReference[];
  providerOptions?: Record<string, Record<string, Json>>;
} & Record<string, unknown>;

export type Traffic = {
  name: string;
  mode: "record" | "replay";
  scope?: string;
};

export type TrafficOutput = {
  name: string;
  mode: "record" | "replay";
  scope: string;
};

export type TriedCondition = {
  looked: number;
  asks: number;
  unknown: number;
  examples: {
    executionId: number;
    executionKind: ExecutionKind;
    at: string;
    outcome: "holds" | "fails" | "unknown";
    args: Json;
  }[];
};

export type TriedGuardrails = {
  text: string | null;
  findings: {
    name: string;
    action: "block" | "warn" | "redact";
  }[];
  asked: number;
};

export type TriedTool = {
  result: Json;
  error: {
    code: string;
    message: string;
    fix: string | null;
  } | null;
  durationMs: number;
};

export type Trigger = {
  id: number;
  type: string;
  name: string;
  enabled: boolean;
  target: TriggerTarget;
  config: JsonSchemaDocument;
  filter: Guard | null;
  input: JsonSchemaDocument | null;
  shaping: TriggerShapingOutput | null;
  overlap: Overlap;
  overlapCountsPaused: boolean;
  token: string | null;
  dueAt: string | null;
  lastError: string | null;
  problem: TriggerProblem | null;
  runsAs: number | null;
  createdAt: string;
  updatedAt: string;
};

export type TriggerDelivery = {
  id: number;
  triggerId: number;
  key: string;
  payload: Json;
  decision: DeliveryDecision;
  reason: string | null;
  executionKind: "workflow" | "agent-workflow" | null;
  executionId: number | null;
  replayOf: number | null;
  mergedInto: number | null;
  heldUntil: string | null;
  attempts: number;
  receivedAt: string;
  decidedAt: string | null;
};

export type TriggerProblem = {
  path: string;
  message: string;
  fix: string;
};

export type TriggerShaping = {
  dedupe?: {
    key: string;
    withinMs: number;
  };
  debounce?: {
    key?: string;
    quietMs: number;
    maxMs?: number;
  };
  batch?: {
    key?: string;
    count: number;
    withinMs: number;
  };
  rate?: {
    key?: string;
    count?: number;
    perMs: number;
    over?: "skip" | "wait";
  };
};

export type TriggerShapingOutput = {
  dedupe?: {
    key: string;
    withinMs: number;
  };
  debounce?: {
    key?: string;
    quietMs: number;
    maxMs?: number;
  };
  batch?: {
    key?: string;
    count: number;
    withinMs: number;
  };
  rate?: {
    key?: string;
    count: number;
    perMs: number;
    over: "skip" | "wait";
  };
};

export type TriggerTarget = {
  kind: "workflow" | "agent-workflow";
  workflowId: number;
};

export type TriggerTest = {
  decision: "started" | "filtered" | "skipped" | "refused";
  reason: string | null;
  input: JsonSchemaDocument | null;
  problems: {
    path: string;
    message: string;
  }[];
};

export type TriggerType = {
  id: string;
  title: string;
  docs: string;
  configSchema: JsonSchemaDocument;
  sample: Json;
  arriving: string[] | null;
};

export type TryCondition = {
  when: ApprovalCondition;
  tool?: string;
  step?: {
    kind: ExecutionKind;
    workflowId: number;
    nodeId: string;
  };
};

export type TryDecision = {
  action: string;
  data?: Json;
};

export type TryGraphPolicy = {
  rule: GraphPolicyRule;
};

export type TryGuardrails = {
  text: string;
  side: "input" | "output";
  guardrail?: CreateGuardrail;
};

export type UnboundedCause = {
  state: string;
  path: string;
  code: UnboundedCode;
  about: string | null;
  message: string;
};

export type UnboundedCode = "cycle" | "no-deadline" | "computed" | "model-unknown" | "model-context" | "model-answer" | "model-price" | "any-calls" | "tool" | "tool-asks" | "callee" | "store";

export type UpdateAgent = {
  systemPrompt?: string;
  model?: string | null;
  agentConfig?: {
    temperature?: number;
    topP?: number;
    maxOutputTokens?: number;
    seed?: number;
    timeoutMs?: number;
  };
  exposedParameters?: JsonSchemaDocument | null;
  toolBindings?: ToolPattern[];
  callerTools?: boolean;
  a2aExport?: boolean;
  memoryConfig?: MemoryConfig | null;
  outputSchema?: JsonSchemaDocument | null;
  maxToolIterations?: number | null;
  streamingEnabled?: boolean;
  workflowId?: number | null;
  name?: string;
  slug?: Slug;
  description?: string | null;
  enabled?: boolean;
  version?: number;
  note?: string;
  id?: unknown;
  tenantId?: unknown;
  runsWorkflowId?: unknown;
  notes?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateAgentSession = {
  title?: string | null;
  id?: unknown;
  tenantId?: unknown;
  agentId?: unknown;
  userId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateApiConnection = {
  id?: unknown;
  tenantId?: unknown;
  sourceUrl?: unknown;
  sourceType?: unknown;
  document?: unknown;
  status?: unknown;
  readAt?: unknown;
  lastError?: unknown;
  nextCheckAt?: unknown;
  operations?: unknown;
  signedIn?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name?: Slug;
  title?: string | null;
  serverUrl?: string;
  auth?: ApiAuth;
  accounts?: "shared" | "own";
  timeoutMs?: number;
  maxBytes?: number;
  callsPerMinute?: number;
  callsPerDay?: number | null;
  enabled?: boolean;
  source?: ApiSource;
};

export type UpdateBot = {
  name?: string;
  enabled?: boolean;
  connection?: BotConnection;
  target?: {
    kind: ChatTargetKind;
    id: number;
  };
  guests?: {
    permissions: string[];
  } | null;
  listens?: {
    mentions?: boolean;
    direct?: boolean;
    channels?: string[];
  };
  perHour?: number;
  language?: BotLanguage | null;
};

export type UpdateChatSession = {
  title?: string;
  parameters?: JsonSchemaDocument;
  modelSettings?: ModelSettings;
  id?: unknown;
  target?: unknown;
  agentSessionId?: unknown;
  mapping?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateDataContainer = {
  name: string;
};

export type UpdateDataInstance = {
  raw_data: Json;
  markdown_representation?: string | null;
};

export type UpdateEvalCase = {
  name?: string;
  input?: JsonSchemaDocument;
  expectations?: Expectation[];
  decisions?: ScriptedDecision[];
  pins?: Record<string, Json> | null;
  tags?: string[];
  enabled?: boolean;
  position?: number;
  datasetId?: unknown;
  id?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateEvalDataset = {
  name?: string;
  slug?: Slug;
  description?: string | null;
  target?: EvalTarget;
  allowEffects?: boolean;
  timeoutMs?: number;
  cases?: unknown;
  id?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateEventSubscription = {
  name?: string;
  url?: string;
  events?: EventPattern[];
  secret?: SecretName;
  headers?: Record<string, string | SecretReference>;
  enabled?: boolean;
  id?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateEventWiring = {
  name?: string;
  event?: EventPattern;
  action?: string;
  condition?: Guard | null;
  input?: Record<string, Json>;
  enabled?: boolean;
  id?: unknown;
  triggerId?: unknown;
  workflowId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateGraphPolicy = {
  name?: string;
  description?: string | null;
  rule?: GraphPolicyRule;
  severity?: "error" | "warning";
  enabled?: boolean;
  id?: unknown;
  tenantId?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateGuardrail = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name?: string;
  direction?: "input" | "output" | "both";
  action?: "block" | "warn" | "redact";
  rule?: GuardrailRule;
  enabled?: boolean;
};

export type UpdateLinearInstance = {
  status: "stopped";
};

export type UpdateLinearWorkflow = {
  name?: string;
  description?: string;
  is_active?: boolean;
  template_id?: string | null;
  template_version?: string | null;
};

export type UpdateMcpConnection = {
  id?: unknown;
  tenantId?: unknown;
  transport?: unknown;
  status?: unknown;
  protocolVersion?: unknown;
  serverName?: unknown;
  instructions?: unknown;
  lastContactAt?: unknown;
  latencyMs?: unknown;
  lastError?: unknown;
  nextCheckAt?: unknown;
  notes?: unknown;
  tools?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name?: Slug;
  title?: string | null;
  url?: string;
  auth?: McpConnectionAuth;
  timeoutMs?: number;
  maxTotalMs?: number;
  maxBytes?: number;
  callsPerMinute?: number;
  callsPerDay?: number | null;
  maxSessions?: number;
  sessionWaitMs?: number;
  sessionIdleMs?: number;
  enabled?: boolean;
};

export type UpdateMemory = {
  key?: string;
  content?: string;
  metadata?: JsonSchemaDocument | null;
  expiresAt?: string | null;
  id?: unknown;
  tenantId?: unknown;
  agentId?: unknown;
  agentWorkflowId?: unknown;
  userId?: unknown;
  vectorStoreId?: unknown;
  embedded?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateModelAlias = {
  id?: unknown;
  tenantId?: unknown;
  resolvesTo?: unknown;
  problem?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name?: unknown;
  model?: string;
  models?: string[];
  settings?: AliasSettings;
};

export type UpdateModelBudget = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  name?: string;
  scope?: BudgetScope;
  target?: string | null;
  period?: "run" | "day" | "month";
  limitMicros?: number | null;
  limitTokens?: number | null;
  action?: "block" | "pause";
  enabled?: boolean;
};

export type UpdateModelPrice = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  providerId?: string;
  modelId?: string;
  inputMicros?: number;
  cachedInputMicros?: number;
  outputMicros?: number;
  imageMicros?: number;
  maxOutputTokens?: number | null;
  contextTokens?: number | null;
  videoSecondMicros?: number;
};

export type UpdateModelProvider = {
  configured?: unknown;
  simulated?: unknown;
  source?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  title?: string;
  baseUrl?: string | null;
  secret?: SecretName | null;
  headers?: Record<string, string | SecretReference>;
  enabled?: boolean;
  id?: unknown;
  kind?: unknown;
};

export type UpdateModelRateLimit = {
  id?: unknown;
  tenantId?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  providerId?: string;
  requestsPerMinute?: number | null;
  tokensPerMinute?: number | null;
};

export type UpdateModuleConfig = {
  value: Json;
  moduleName?: unknown;
  key?: unknown;
  scopeId?: unknown;
  id?: unknown;
  tenantId?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateNotificationRule = {
  name?: string;
  enabled?: boolean;
  scope?: NotificationScope;
  events?: NotificationKind[];
  channel?: NotificationChannel;
  recipients?: NotificationRecipient[];
  subject?: string | null;
  text?: string | null;
  quietHours?: QuietHours | null;
  timezone?: Timezone;
  id?: unknown;
  decisionsPath?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateScoreJudge = {
  rubric?: string;
  path?: string;
  model?: string;
  percent?: number;
  maxPerDay?: number;
  enabled?: boolean;
  id?: unknown;
  name?: unknown;
  target?: unknown;
  today?: unknown;
  lastError?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateTable = {
  name: string;
  slug: Slug;
  description: string | null;
  columns: {
    /** Of a column that is there */
    key?: string;
    name: ColumnName;
    /** What people see; else the name */
    title?: string;
    type: ColumnType;
    description?: string;
    required?: boolean;
    /** No two rows have the same value; empty ones do not count */
    unique?: boolean;
    /** Rows are found by a value of it without reading the table */
    indexed?: boolean;
    /** The value of a new row that gives none */
    default?: Json;
    /** Of the type `choice` */
    choices?: string[];
    /** Of the type `reference`: slug of the table whose rows it names */
    references?: Slug;
  }[];
  /** Groups of columns whose values together no two rows share */
  unique: ColumnName[][];
  /** Of the table that was read */
  version: number;
  /** Values that the plan says are lost may be deleted */
  acceptLoss?: boolean;
};

export type UpdateTableTool = {
  name?: Slug;
  table?: Slug;
  /** For the model: what is in the table, and when to use it */
  description?: string;
  enabled?: boolean;
  actions?: TableToolAction[];
  /** Rows that it reaches; no call reaches others */
  where?: TableFilter;
  /** null: all columns */
  visible?: ColumnName[] | null;
  /** null: all visible columns */
  writable?: ColumnName[] | null;
  /** Rows that one call finds or writes at most */
  most?: number;
  /** A person approves each call that writes */
  needsApproval?: boolean;
  id?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateTrigger = {
  name?: string;
  enabled?: boolean;
  target?: TriggerTarget;
  config?: JsonSchemaDocument;
  filter?: Guard | null;
  input?: JsonSchemaDocument | null;
  shaping?: TriggerShaping | null;
  overlap?: Overlap;
  overlapCountsPaused?: boolean;
  id?: unknown;
  type?: unknown;
  token?: unknown;
  dueAt?: unknown;
  lastError?: unknown;
  problem?: unknown;
  runsAs?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateVectorStore = {
  name?: string;
  description?: string | null;
  id?: unknown;
  tenantId?: unknown;
  slug?: unknown;
  embeddingModel?: unknown;
  dimensions?: unknown;
  metric?: unknown;
  language?: unknown;
  items?: unknown;
  documents?: unknown;
  documentsOpen?: unknown;
  documentsFailed?: unknown;
  bytes?: unknown;
  changedAt?: unknown;
  search?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpdateWorkflow = {
  name?: string;
  slug?: Slug;
  description?: string | null;
  definition?: JsonSchemaDocument;
  enabled?: boolean;
  tags?: Tags;
  agentConfig?: AgentConfig | null;
  memoryConfig?: MemoryConfig | null;
  mcpExport?: boolean;
  note?: string;
  version?: number;
  draftRevision?: number;
  id?: unknown;
  tenantId?: unknown;
  canary?: unknown;
  createdBy?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

export type UpsertVectors = {
  items: VectorItem[];
};

export type UpsertVectorsAnswer = {
  keys: string[];
};

export type UsageRow = {
  id: number;
  tenantId: number;
  providerId: string;
  modelId: string;
  alias: string | null;
  operation: "generate" | "stream" | "embed" | "image" | "video" | "classify";
  source: "provider" | "cache" | "recording";
  tokenUsage: TokenUsage;
  estimated: boolean;
  costMicros: number;
  latencyMs: number;
  status: "ok" | "error" | "aborted";
  error: string | null;
  executionId: number | null;
  nodeId: string | null;
  userId: number | null;
  keyId: number | null;
  workflow: string | null;
  agent: string | null;
  fallbackFrom: string | null;
  createdAt: string;
};

export type UsageSummary = {
  key: string | null;
  calls: number;
  errors: number;
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  costMicros: number;
  latencyMs: number | null;
};

export type Use = {
  kind: "agent" | "workflow" | "agent-workflow";
  id: number;
  slug: string;
  name: string;
  as: string;
};

export type User = {
  id: number;
  name: string;
  email: string;
  roles: string[];
  disabled: boolean;
  secondFactor: boolean;
  lastSignInAt: string | null;
  createdAt: string;
};

export type UserSession = {
  id: number;
  current: boolean;
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
};

export type Uses = {
  uses: Use[];
  truncated: boolean;
};

export type VectorFilter = Record<string, FieldFilter>;

export type VectorItem = {
  key?: string;
  text: string;
  metadata?: JsonSchemaDocument;
  embedding?: number[];
};

export type VectorMatch = {
  id: number;
  key: string;
  text: string;
  metadata: Record<string, Json>;
  score: number;
  similarity: number | null;
  source: CitationSource | null;
};

export type VectorMetric = "cosine" | "dot" | "euclidean";

export type VectorStore = {
  id: number;
  tenantId: number;
  slug: string;
  name: string;
  description: string | null;
  embeddingModel: string;
  dimensions: number;
  metric: VectorMetric;
  language: TextLanguage;
  items: number;
  documents: number;
  documentsOpen: number;
  documentsFailed: number;
  bytes: number;
  changedAt: string;
  search: "exact" | "hnsw";
  createdAt: string;
  updatedAt: string;
};

export type VersionComparison = {
  from: number;
  to: number;
  added: string[];
  removed: string[];
  changed: {
    path: string;
    from?: Json;
    to?: Json;
    stateId: string;
  }[];
  moved: {
    stateId: string;
    from: string | null;
    to: string | null;
  }[];
  settings: {
    path: string;
    from?: Json;
    to?: Json;
  }[];
};

export type Waiting = {
  nodeId: string;
  visit: number;
  item: string | null;
  for: "review" | "input" | "event" | "timer" | "child" | "items";
  reviewId: number | null;
  dueAt: string | null;
  executionId?: number;
  events?: string[];
};

export type Worker = {
  name: string;
  host: string;
  pid: number;
  here: boolean;
  takesRuns: boolean;
  live: boolean;
  startedAt: string;
  heartbeatAt: string;
  stoppedAt: string | null;
  nodeVersion: string;
  memory: number | null;
  runs: {
    id: number;
    kind: ExecutionKind;
    currentState: string;
    leaseUntil: string;
  }[];
  leases: number;
};

export type Workers = {
  workers: Worker[];
  orphans: {
    id: number;
    kind: ExecutionKind;
    currentState: string;
    leaseUntil: string;
  }[];
};

export type Workflow = {
  id: number;
  tenantId: number | null;
  name: string;
  slug: string;
  description: string | null;
  definition: JsonSchemaDocument;
  agentConfig: JsonSchemaDocument | null;
  memoryConfig: JsonSchemaDocument | null;
  mcpExport: boolean;
  enabled: boolean;
  tags: string[];
  version: number;
  canary?: Canary | null;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
};

export type WorkflowDraft = {
  revision: number;
  updatedAt: string;
  updatedBy: number | null;
  baseVersion: number;
  definition: JsonSchemaDocument;
};

export type WorkflowFormat = {
  format: string;
  title: string;
};

export type WorkflowId = string;

export type WorkflowNotify = {
  onComplete: boolean;
  onFailure: boolean;
};

export type WorkflowScope = string;

export type WorkflowVersion = {
  id: number;
  workflowId: number;
  version: number;
  contentHash: string;
  definition: JsonSchemaDocument;
  calls: Record<string, number> | null;
  description: string | null;
  granted: string[];
  createdBy: number | null;
  createdAt: string;
};

export type WorstCase = {
  modelCalls: WorstCaseAmount;
  tokens: WorstCaseAmount;
  costMicros: WorstCaseAmount;
  toolCalls: WorstCaseAmount;
  tools: Record<string, WorstCaseAmount>;
  reviews: WorstCaseAmount;
  durationMs: WorstCaseAmount;
};

export type WorstCaseAmount = {
  most: number | null;
  causes: UnboundedCause[];
  largest: {
    state: string;
    path: string;
    most: number;
  } | null;
};

export type WorstCaseSummary = {
  costMicros: number | null;
  modelCalls: number | null;
  tokens: number | null;
  toolCalls: number | null;
  reviews: number | null;
  durationMs: number | null;
  unbounded: string[];
};

export type WrittenRows = {
  rows: TableRow[];
  count: number;
};
