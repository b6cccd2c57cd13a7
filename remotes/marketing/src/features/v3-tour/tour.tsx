import { TRAILER } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Button, buttonClass } from '@app/design-system/button';
import { Dialog } from '@app/design-system/dialog';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Icon } from '@app/design-system/icon';
import { Section } from '@app/design-system/section';
import texts from '@app/design-system/text.module.css';
import { Link } from '@app/platform';
import { type ReactNode, useState } from 'react';
import { Art } from '../../art/art.tsx';
import { t as common } from '../../words.ts';
import css from './tour.module.css';
import { t } from './words.ts';

const ART = { keyboard: 'v3Keys', icon: 'v3Icon', editor: 'v3Lines' } as const;

type Part = 'ui' | 'performance' | 'key' | 'plans' | 'security';

/**
 * The parts of V3: three with a drawing, the others as a list. The page passes the video, because features do not know
 * each other.
 */
export function Tour({ video }: { video: ReactNode }) {
  const plans = (
    <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
      {common('action.seePlans')}
    </Link>
  );

  return (
    <Section id="tour" heading={t('v3.tour')} lead={t('v3.tourLead')}>
      <FeatureGrid
        features={(['keyboard', 'icon', 'editor'] as const).map((part) => ({
          id: part,
          title: t(`v3.${part}.title`),
          text: t(`v3.${part}.text`),
          art: <Art of={ART[part]} />,
        }))}
      />
      <div>
        <TourPart part="ui" />
        <TourPart part="performance">{video}</TourPart>
        <TourPart part="key" />
        <TourPart part="plans">{plans}</TourPart>
        <TourPart part="security" />
      </div>
    </Section>
  );
}

function TourPart({ part, children }: { part: Part; children?: ReactNode }) {
  return (
    <section id={part} className={css.part} aria-labelledby={`${part}-heading`}>
      <div className={css.text}>
        <h3 id={`${part}-heading`}>{t(`v3.${part}.title`)}</h3>
        <p className={texts.quiet}>{t(`v3.${part}.text`)}</p>
      </div>
      {children}
    </section>
  );
}

/** Opens the video in a dialog; before the page works, where it was published. */
export function WatchPerformance({ video }: { video: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);

  return (
    <>
      <a
        className={buttonClass({ kind: 'quiet' })}
        href={TRAILER.fallback}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        <Icon name="play" size={18} />
        {t('v3.performance.watch')}
      </a>
      <Dialog
        isOpen={isOpen}
        title={t('v3.performance.video')}
        onClose={close}
        actions={
          <Button kind="quiet" onClick={close}>
            {t('v3.performance.close')}
          </Button>
        }
      >
        {video}
      </Dialog>
    </>
  );
}
