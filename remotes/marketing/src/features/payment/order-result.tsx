import { PAGES } from '@app/contracts/pages';
import { PLANS, type Plan } from '@app/contracts/plans';
import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DaysSign, DeviceSign, StateSign } from '@app/design-system/state-sign';
import { Link } from '@app/platform';
import type { ReactNode } from 'react';
import { momentOf } from '../../moment.ts';
import type { Order } from './load-order.ts';
import { type Choices, OrderChoices } from './order-choices.tsx';
import { NextSteps } from '../../next-steps.tsx';
import css from './order-result.module.css';
import { TicketNote } from './ticket-note.tsx';
import type { OrderReading } from './use-order.ts';
import { t } from './words.ts';

interface OrderResultProps {
  reference: string;
  reading: Exclude<OrderReading, { is: 'none' }>;
  /** The plan of the address, until the server says which one was bought. */
  plan: Plan;
  launch: ReactNode;
}

/** What became of an order: its payment is awaited, its plan is active, or there is nothing to use. */
export function OrderResult({ reference, reading, plan, launch }: OrderResultProps) {
  const bought = PLANS.find(({ id }) => reading.is === 'active' && id === reading.order.plan) ?? plan;
  const isHopeful = reading.is === 'waiting' || reading.is === 'active';

  return (
    <ResultPage
      isLive
      art={
        isHopeful ? (
          <StateSign
            is={reading.is === 'active' ? 'done' : 'waiting'}
            from={<DaysSign days={bought.days} />}
            to={<DeviceSign />}
          />
        ) : (
          <StateSign is="failed" from={<CardSign />} to={<DaysSign />} />
        )
      }
      {...wordsOf(reading, bought.name)}
      {...(isHopeful && { next: reading.is === 'active' ? <NextAfterPlan /> : <NextWhileWaiting /> })}
      actions={isHopeful ? launch : <PlansLink again={isUnpaid(reading)} />}
    >
      <div className={isHopeful ? css.room : undefined}>
        {reading.is === 'waiting' && <PendingNote isLate={reading.isLate} isAway={reading.isAway} />}
        {reading.is === 'active' && <OrderChoices reference={reference} first={choicesOf(reading.order)} />}
        {!isHopeful && <TicketNote question={t(isUnpaid(reading) ? 'failed.charged' : 'order.wrong')} />}
      </div>
    </ResultPage>
  );
}

function choicesOf({ showsName, wantsReminder }: Order): Choices {
  return { showsName, wantsReminder };
}

function wordsOf(reading: OrderResultProps['reading'], plan: string): { heading: string; lead: string } {
  const { is } = reading;
  if (is === 'active') {
    const until = momentOf(reading.activeUntil, reading.order.serverOffsetMs);
    return { heading: t('order.active.heading', { plan }), lead: t('order.active.lead', { plan, ...until }) };
  }
  return { heading: t(`order.${is}.heading`, { plan }), lead: t(`order.${is}.lead`) };
}

export function NextWhileWaiting() {
  return <NextSteps steps={[t('next.waiting.1'), t('next.waiting.2'), t('next.waiting.3')]} />;
}

function NextAfterPlan() {
  return <NextSteps steps={[t('next.active.1')]} facts={[t('next.active.2'), t('next.active.3')]} />;
}

function isUnpaid({ is }: OrderReading): boolean {
  return is === 'failed' || is === 'expired';
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
