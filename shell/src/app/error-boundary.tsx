import { notePageSettled } from '@app/platform';
import { Component, type ReactNode } from 'react';
import { ErrorPage } from './error-page.tsx';
import { focusPage, forgetFocus } from './page-focus.tsx';

interface ErrorBoundaryProps {
  pathname: string;
  onRetry: () => void;
  /** Is told what was thrown. Returns whether the children can be shown again: another release takes their place. */
  onCrash: ((error: Error) => boolean) | undefined;
  children: ReactNode;
}

/** Shows an error in place of a page that could not be loaded or that threw. The navbar and other pages still work. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | undefined }> {
  override state = { error: undefined as Error | undefined };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  /** What had the focus may be gone with the page: the heading of the error takes it, and is read out. */
  override componentDidCatch(error: Error) {
    notePageSettled();
    if (this.props.onCrash?.(error)) this.#showAgain();
    else {
      // A visitor who had scrolled down on the page before would see the footer alone.
      window.scrollTo(0, 0);
      focusPage({ preventScroll: true });
    }
  }

  override componentDidUpdate({ pathname }: ErrorBoundaryProps) {
    if (this.state.error && pathname !== this.props.pathname) this.setState({ error: undefined });
  }

  readonly #retry = () => {
    this.props.onRetry();
    this.#showAgain();
  };

  #showAgain() {
    forgetFocus();
    this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <ErrorPage error={error} onRetry={this.#retry} /> : this.props.children;
  }
}
