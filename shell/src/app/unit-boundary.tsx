import { PAGES } from '@app/contracts/pages';
import { Button, ButtonRow, buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { Component, type ReactNode } from 'react';
import { ChunkError } from '../federation/chunk-error.ts';
import { t } from '../words.ts';

interface UnitBoundaryProps {
  /** When the path changes, the boundary forgets its error. */
  pathname: string;
  onRetry: () => void;
  children: ReactNode;
}

interface UnitBoundaryState {
  error: Error | undefined;
}

/** Shows an error in place of a page that could not be loaded or that threw. The navbar and other pages still work. */
export class UnitBoundary extends Component<UnitBoundaryProps, UnitBoundaryState> {
  override state: UnitBoundaryState = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): UnitBoundaryState {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidUpdate({ pathname }: UnitBoundaryProps) {
    if (this.state.error && pathname !== this.props.pathname) this.setState({ error: undefined });
  }

  readonly #retry = () => {
    this.props.onRetry();
    this.setState({ error: undefined });
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;

    return (
      <Page {...wordsFor(error)} narrow>
        <ButtonRow>
          <Button onClick={this.#retry}>{t('boundary.retry')}</Button>
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
            {t('boundary.home')}
          </Link>
        </ButtonRow>
      </Page>
    );
  }
}

function wordsFor(error: Error): { heading: string; lead: string } {
  if (error instanceof ChunkError)
    return { heading: t('boundary.notLoaded'), lead: `${error.message} (${error.type}). ${t(`chunk.${error.type}`)}` };

  return { heading: t('boundary.stopped'), lead: t('boundary.stoppedLead') };
}
