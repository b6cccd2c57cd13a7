import { PLANS } from '@app/contracts/plans';
import { Carousel } from '@app/design-system/carousel';
import { Steps } from '@app/design-system/steps';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { PlanSlide } from './plan-slide.tsx';

interface KeyRunProps {
  actions: ReactNode;
}

/** Explains how to earn a free key, and for how many days each plan replaces it. */
export function KeyRun({ actions }: KeyRunProps) {
  return (
    <>
      <Steps
        steps={[
          { title: t('keys.open.title'), text: t('keys.open.text') },
          { title: t('keys.steps.title'), text: t('keys.steps.text') },
          { title: t('keys.use.title'), text: t('keys.use.text') },
        ]}
      />
      {actions}
      <Carousel
        label={t('keys.carousel')}
        slides={PLANS.map(({ id, name, days }) => ({
          id,
          caption: name,
          content: <PlanSlide name={name} days={days} />,
        }))}
      />
    </>
  );
}
