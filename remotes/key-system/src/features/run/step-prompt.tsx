import type { AppId } from '@app/contracts/key-system';
import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import css from './step-prompt.module.css';

interface StepPromptProps {
  app: AppId;
  step: number;
  /** The one thing to do. */
  action: ReactNode;
  children: ReactNode;
}

/** What the current step asks for, with its action below. It is as high in every state, so that nothing after it moves. */
export function StepPrompt({ app, step, action, children }: StepPromptProps) {
  return (
    <>
      <div className={css.prompt} data-has-choice={app === 'main'} data-has-captcha={step === 1}>
        {children}
      </div>
      <StickyAction inPlace>{action}</StickyAction>
    </>
  );
}
