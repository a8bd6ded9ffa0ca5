/*
 * Apart from the schemas: views in a browser use these, and check nothing that their server has checked.
 */
/** The extension by which clients show views of a server. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui";

/** The media type of those views. */
export const APP_MEDIA_TYPE = "text/html;profile=mcp-app";

/** The tool that views ask for the run they show; models are not shown it. */
export const RUN_VIEW_TOOL = "oven_run_view";

/** The tool by which a view sends what a person decides in it. */
export const DECIDE_VIEW_TOOL = "oven_decide_review";
