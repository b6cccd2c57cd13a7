import { isSpecified } from '@app/contracts/key-system';
import { StickyAction } from '@app/design-system/sticky-action';
import type { ReactNode } from 'react';
import { SkipSteps } from './skip-steps.tsx';
import css from './step-prompt.module.css';
import { useStepState } from './step-state.ts';

interface StepPromptProps {
  /** The button or link that goes on. */
  action: ReactNode;
  children: ReactNode;
}

/**
 * What the current step asks for, with its action below, and the link to the plans. It has the same height in every
 * state, so that nothing moves.
 */
export function StepPrompt({ action, children }: StepPromptProps) {
  const { app, step } = useStepState();

  return (
    <>
      <div
        className={css.prompt}
        data-has-choice={isSpecified(app) ? app === 'main' : 'late'}
        data-has-captcha={step === 1}
      >
        {children}
      </div>
      <StickyAction inPlace>{action}</StickyAction>
      <SkipSteps />
    </>
  );
}
