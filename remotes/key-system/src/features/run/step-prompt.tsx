import { isSpecified, type AppId, type OperatingSystem } from '@app/contracts/key-system';
import { listAdvertisers } from '@app/contracts/advertisers';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { PAGES } from '@app/contracts/pages';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { StickyAction } from '@app/design-system/sticky-action';
import { useIsLate } from '@app/design-system/use-is-late';
import { Link } from '@app/platform';
import { createContext, useContext, type ReactNode } from 'react';
import { t } from '../../words.ts';
import type { Refusal } from './refusals.tsx';
import type { RunReading } from './run-state.ts';
import css from './step-prompt.module.css';

/** What the page of a step knows. Its parts read it with `useStepState`. */
export interface StepState {
  app: AppId;
  about: AppFacts | undefined;
  step: number;
  /** While `isCountKnown` is false, more than `step`. */
  stepCount: number;
  isCountKnown: boolean;
  reading: RunReading;
  /** The system that the address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  /** A sentence that says when the device's last key ended; undefined while a key works or when there was none. */
  keyEnded: string | undefined;
  requestedAdvertiser: string | undefined;
  /** Whether the visitor begins a new run beside an open run of another zone. */
  isNewRun: boolean;
  refusal: Refusal | undefined;
  /** Whether the advertiser's confirmation takes longer than usual. */
  isLate: boolean;
  reload: () => void;
  /** Whether the server is being asked. */
  isFetching: boolean;
}

export const StepStateContext = createContext<StepState | undefined>(undefined);

export function useStepState(): StepState {
  const state = useContext(StepStateContext);
  if (!state) throw new Error('Not within the page of a step');

  return state;
}

const LOWEST_PRICE = formatPrice(Math.min(...PLANS.map(({ priceCents }) => priceCents)));

/** The most of a step, as long as it is not known what a registered app offers. */
const MOST_OFFERS = 3;

/**
 * What the current step asks for, with its action below, and the link to the plans, with which no steps are needed. It
 * has the same height in every state, so that nothing moves.
 */
export function StepPrompt({ action, children }: { action: ReactNode; children: ReactNode }) {
  const { app, step } = useStepState();

  return (
    <>
      <div
        className={css.prompt}
        data-offers={isSpecified(app) ? listAdvertisers(app, step).length : MOST_OFFERS}
        data-has-captcha={step === 1}
      >
        {children}
      </div>
      <StickyAction inPlace>{action}</StickyAction>
      <p className={css.plans}>
        <Link className={css.link} to={PAGES.plans}>
          {t('plan.skip', { price: LOWEST_PRICE })}
        </Link>
      </p>
    </>
  );
}

/** The interval of the requests meanwhile. The server answers a device thirty times a minute. */
const POLL_INTERVAL_MS = 3000;
const SLOW_POLL_INTERVAL_MS = 10_000;

/** The interval of the requests while no advertiser can be used. */
const DOWN_POLL_INTERVAL_MS = 15_000;

/** How often to ask the server for news; `pollMs` is undefined when nothing has to be asked. */
export function useStepPolling(isAwaited: boolean, isDown: boolean): { isLate: boolean; pollMs: number | undefined } {
  const isLate = useIsLate(isAwaited);

  if (isAwaited) return { isLate, pollMs: isLate ? SLOW_POLL_INTERVAL_MS : POLL_INTERVAL_MS };
  return { isLate: false, pollMs: isDown ? DOWN_POLL_INTERVAL_MS : undefined };
}

/** Shown when the visitor has come back from the advertiser, but its confirmation has not arrived. */
export function Waiting({ isLate = false, checkedAt }: { isLate?: boolean; checkedAt?: string | undefined }) {
  return (
    <p className={css.waiting} role="status">
      {!isLate && <span className={css.spinner} aria-hidden="true" />}
      <strong className={css.title}>{t(isLate ? 'waiting.late' : 'waiting.soon')}</strong>{' '}
      <span>{t(isLate ? 'waiting.lateWhy' : 'waiting.soonWhy')}</span>
      {!isLate && <span className={css.checked}>{checkedAt && t('waiting.still', { time: checkedAt })}</span>}
    </p>
  );
}
