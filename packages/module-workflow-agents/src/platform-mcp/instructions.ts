/** What a client reads first: which tools belong together, and what order they are used in. */
export const INSTRUCTIONS = `Builds, runs and repairs workflows of this OVEN.

To build an agent workflow: read definition_guide with the topic "examples". Look node types up with find_node_types and describe_node_type, tools for models with list_tools. create_agent_workflow stores a draft and answers its problems, each with its place, a fix and the topic of definition_guide that explains it; update_agent_workflow replaces the draft, change_steps changes single states of it, and read_steps reads large graphs in parts. test_agent_workflow runs the draft without effect. When the person you act for agrees, publish_agent_workflow makes it live; create_trigger then starts it by itself. To keep it right, save_eval_dataset says what its runs must show, and run_eval checks a published version by them.

To repair a failed run: read it with get_run, look its code up with explain_error, change the workflow with update_agent_workflow, publish_agent_workflow, then retry_run with version "current": without it the run goes on with the version that failed.

A run that is paused waits for a person: get_review shows what for. Show that to the person before answer_review, and send what they decide. By default you cannot decide reviews of runs that this person started; they do so in the dashboard. Requests for input you may answer.

Executor chains are another, simpler kind: a list of agents that run one after the other. They have seven tools of their own: create_workflow, schedule_workflow, list_workflows, run_workflow, get_workflow_run, list_failed_runs, cancel_workflow. Their ids are UUIDs and fit none of the other tools. Use them only for chains.`;
