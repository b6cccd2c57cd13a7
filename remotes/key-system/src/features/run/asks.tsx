import type { AppId } from '@app/contracts/key-system';
import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import css from './asks.module.css';

interface AsksProps {
  app: AppId;
  step: number;
  /** The one thing to do. */
  action: ReactNode;
  children: ReactNode;
}

/** What the current step asks for, over its action. Its room is that of the step at work, so that no other state moves what follows. */
export function Asks({ app, step, action, children }: AsksProps) {
  return (
    <>
      <div className={css.asks} data-has-choice={app === 'main'} data-has-captcha={step === 1}>
        {children}
      </div>
      <StickyAction inPlace>{action}</StickyAction>
    </>
  );
}
