import type { AppId } from '@app/contracts/key-system';
import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import { SkipSteps } from './skip-steps.tsx';
import css from './step-prompt.module.css';

interface StepPromptProps {
  app: AppId;
  step: number;
  /** The button or link that goes on. */
  action: ReactNode;
  /** Whether a plan would help, so that the link to the plans is shown. */
  isSkippable?: boolean;
  children: ReactNode;
}

/**
 * What the current step asks for, with its action below, and the link to the plans. It has the same height in every
 * state, so that nothing moves.
 */
export function StepPrompt({ app, step, action, isSkippable = true, children }: StepPromptProps) {
  return (
    <>
      <div className={css.prompt} data-has-choice={app === 'main'} data-has-captcha={step === 1}>
        {children}
      </div>
      <StickyAction inPlace>{action}</StickyAction>
      <SkipSteps isOffered={isSkippable} />
    </>
  );
}
