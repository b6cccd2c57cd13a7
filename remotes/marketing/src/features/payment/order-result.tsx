import { PAGES } from '@app/contracts/pages';
import { type Plan, PLANS } from '@app/contracts/plans';
import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DaysSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { useStatusRole } from '@app/design-system/use-status-role';
import { fetchJson, Link, postJson } from '@app/platform';
import { type ReactNode, useId, useRef, useState } from 'react';
import { formatDate } from '../../date.ts';
import { NextSteps } from '@app/design-system/next-steps';
import type { Order } from './load-order.ts';
import css from './order-result.module.css';
import { TicketNote } from './ticket-note.tsx';
import type { OrderReading } from './use-order.ts';
import { t } from './words.ts';

interface OrderResultProps {
  reference: string;
  reading: Exclude<OrderReading, { is: 'none' }>;
  /** The plan of the address, until the server says which one was bought. */
  plan: Plan;
  launch: Launch;
}

/** The link that opens the app. It's quiet until a plan is active. */
export type Launch = (kind: 'primary' | 'quiet') => ReactNode;

/** What became of an order: its payment is awaited, its plan is active, or there is nothing to use. */
export function OrderResult({ reference, reading, plan, launch }: OrderResultProps) {
  const bought = PLANS.find(({ id }) => reading.is === 'active' && id === reading.order.plan) ?? plan;
  const isHopeful = reading.is === 'waiting' || reading.is === 'active';

  return (
    <ResultPage
      isLive
      art={
        isHopeful ? (
          <StatusIcon
            is={reading.is === 'active' ? 'done' : 'waiting'}
            from={<DaysSign days={bought.days} />}
            to={<DeviceSign />}
          />
        ) : (
          <StatusIcon is="failed" from={<CardSign />} to={<DaysSign />} />
        )
      }
      {...wordsOf(reading, bought.name)}
      {...(isHopeful && { next: reading.is === 'active' ? <PlanNextSteps /> : <NextWhileWaiting /> })}
      {...(!isHopeful && {
        note: <TicketNote question={t(asksAboutMoney(reading) ? 'failed.charged' : 'order.wrong')} />,
      })}
      actions={
        isHopeful ? (
          launch(reading.is === 'active' ? 'primary' : 'quiet')
        ) : (
          <>
            <PlansLink again={isUnpaid(reading)} />
            {reading.is === 'unknown' && launch('quiet')}
          </>
        )
      }
    >
      {reading.is === 'waiting' ? (
        <PendingNote isLate={reading.isLate} isAway={reading.isAway} />
      ) : (
        reading.is === 'active' && <OrderChoices reference={reference} first={consentsOf(reading.order)} />
      )}
    </ResultPage>
  );
}

function consentsOf({ showsName, wantsReminder }: Order): OrderConsents {
  return { showsName, wantsReminder };
}

function wordsOf(reading: OrderResultProps['reading'], plan: string): { heading: string; lead: string } {
  const { is } = reading;
  if (is === 'active') {
    const until = formatDate(reading.activeUntil, reading.order.serverOffsetMs);
    return { heading: t('order.active.heading', { plan }), lead: t('order.active.lead', { plan, ...until }) };
  }
  return { heading: t(`order.${is}.heading`, { plan }), lead: t(`order.${is}.lead`) };
}

export function NextWhileWaiting() {
  return <NextSteps steps={[t('next.waiting.1'), t('next.waiting.2'), t('next.waiting.3')]} />;
}

function PlanNextSteps() {
  return <NextSteps steps={[t('next.active.1')]} facts={[t('next.active.2'), t('next.active.3')]} />;
}

function isUnpaid({ is }: OrderReading): boolean {
  return is === 'failed' || is === 'expired';
}

function asksAboutMoney(reading: OrderReading): boolean {
  return isUnpaid(reading) || reading.is === 'unknown';
}

function PendingNote({ isLate, isAway }: { isLate: boolean; isAway: boolean }) {
  return (
    <div role="status">
      <p>{t(isLate ? 'order.waiting.late' : 'order.waiting.close')}</p>
      {isAway && <p>{t('order.waiting.away')}</p>}
    </div>
  );
}

function PlansLink({ again }: { again: boolean }) {
  return (
    <Link className={buttonClass()} to={PAGES.plans}>
      {t(again ? 'failed.retry' : 'bought.plans')}
    </Link>
  );
}

interface OrderChoicesProps {
  reference: string;
  first: OrderConsents;
}

/** Two settings after a payment. Both begin as no, and each change is saved at once. */
function OrderChoices({ reference, first }: OrderChoicesProps) {
  const { choices, saving, choose } = useChoices(reference, first);
  const role = useStatusRole(saving);

  return (
    <div className={css.choices}>
      <fieldset className={css.questions}>
        <legend className={css.heading}>{t('choices.heading')}</legend>
        <Choice isYes={choices.showsName} hint={t('choices.name.hint')} onChoose={(showsName) => choose({ showsName })}>
          {t('choices.name')}
        </Choice>
        <Choice
          isYes={choices.wantsReminder}
          hint={t('choices.reminder.hint')}
          onChoose={(wantsReminder) => choose({ wantsReminder })}
        >
          {t('choices.reminder')}
        </Choice>
      </fieldset>
      <p className={css.state} role={role} data-is={saving}>
        {t(`choices.${saving}`)}
      </p>
    </div>
  );
}

interface ChoiceProps {
  isYes: boolean;
  /** What a yes does. */
  hint: string;
  onChoose: (isYes: boolean) => void;
  children: ReactNode;
}

function Choice({ isYes, hint, onChoose, children }: ChoiceProps) {
  const id = useId();

  return (
    <div className={css.choice}>
      <label className={css.label}>
        <span>{children}</span>
        <input
          className={css.switch}
          type="checkbox"
          role="switch"
          checked={isYes}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </label>
      <p id={`${id}-hint`} className={css.hint}>
        {hint}
      </p>
    </div>
  );
}

/** What a buyer is asked after the payment. */
interface OrderConsents {
  /** Whether the buyer's name may pass by as a toast. */
  showsName: boolean;
  /** Whether a mail before the end of the plan is wanted. */
  wantsReminder: boolean;
}

type SaveState = 'idle' | 'saving' | 'saved' | 'failed';

/**
 * Keeps the choices of a buyer, and saves each change at once, one after the other. When one cannot be saved, the
 * choices that the server has are shown again.
 */
function useChoices(ref: string, first: OrderConsents) {
  const [choices, setChoices] = useState(first);
  const [saving, setSaving] = useState<SaveState>('idle');
  const saved = useRef(first);
  const last = useRef<Promise<void>>(Promise.resolve());

  async function save(next: OrderConsents) {
    await fetchJson('/api/order-consent', postJson({ ref, ...next }));
    saved.current = next;
  }

  function choose(change: Partial<OrderConsents>) {
    const next = { ...choices, ...change };
    setChoices(next);
    setSaving('saving');

    const mine = (last.current = last.current.then(() => save(next)).catch(() => undefined));
    void mine.then(() => {
      if (last.current !== mine) return;
      setSaving(saved.current === next ? 'saved' : 'failed');
      setChoices(saved.current);
    });
  }

  return { choices, saving, choose };
}
