import { t } from "@oven/i18n";
import { Component, type ReactNode } from "react";
import { ErrorPanel } from "./error-panel.tsx";

interface Props {
  children: ReactNode;
  /** A change clears the error: the address of the page. */
  resetKey: string;
}

/** What a page threw while rendering, shown in place of the page; the rest of the dashboard goes on. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <ErrorPanel
        error={this.state.error}
        title={t("This page could not be shown")}
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
