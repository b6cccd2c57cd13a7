import { PAGES } from '@app/contracts/pages';
import { Button, buttonClass, ButtonRow } from '@app/design-system/button';
import { Link, notePageSettled } from '@app/platform';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { ChunkError } from '../federation/chunk-error.ts';
import { HostApiError } from '../federation/host-api-error.ts';
import { isServerReached } from '../federation/releases.ts';
import { t } from '../words.ts';
import css from './error-boundary.module.css';
import { focusPage, forgetFocus } from './page-focus.tsx';

/** It comes with the toasts. Without it the page says as much. */
const ErrorPicture = lazy<ComponentType>(() =>
  import(/* webpackChunkName: "toasts" */ './error-picture.tsx').then(
    (arrived) => ({ default: arrived.ErrorPicture }),
    () => ({ default: () => null }),
  ),
);

/** In place of a page that failed: what to do, and folded beneath it what a helper wants to know. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isChunk = error instanceof ChunkError;

  // After a tunnel no click is needed once the phone has its network again.
  useEffect(() => {
    if (!isChunk) return;

    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [isChunk, onRetry]);

  return (
    <main id="content" className={css.page}>
      <svg className={css.picture} viewBox="0 -20 332 74" aria-hidden="true">
        <Suspense>
          <ErrorPicture />
        </Suspense>
      </svg>
      <h1>{t(isChunk ? 'boundary.notLoaded' : 'boundary.stopped')}</h1>
      <p className={css.lead} role="alert">
        {t(isChunk ? `failed.${classifyCause(error)}` : 'boundary.stoppedLead')}
      </p>
      <ButtonRow>
        <Button onClick={onRetry}>{t('boundary.retry')}</Button>
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
          {t('boundary.home')}
        </Link>
      </ButtonRow>
      <FailureDetails error={error} />
    </main>
  );
}

/** Visitors are sent to their connection only when nothing came from our server. */
function classifyCause({ type }: ChunkError): 'timeout' | 'ours' | 'unreached' {
  if (type === 'timeout') return type;
  return isServerReached() ? 'ours' : 'unreached';
}

/** What a helper wants to know of a load that has failed, folded. */
export function FailureDetails({ error }: { error: Error }) {
  const isChunk = error instanceof ChunkError;
  if (!isChunk && !(error instanceof HostApiError)) return null;

  return (
    <details className={css.details}>
      <summary className={css.summary}>{t('boundary.details')}</summary>
      <p className={css.technical}>
        {t('boundary.technical', { message: error.message, type: isChunk ? error.type : error.name })}
      </p>
    </details>
  );
}

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
