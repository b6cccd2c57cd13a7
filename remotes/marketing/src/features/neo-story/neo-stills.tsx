import { formatPrice, PLANS } from '@app/contracts/plans';
import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import texts from '@app/design-system/text.module.css';
import { t as common } from '../../words.ts';
import css from './neo-stills.module.css';
import { t } from './words.ts';

const FEATURES = ['editor', 'saved', 'key', 'plans'] as const;

export function NeoFeatures() {
  return (
    <Section id="features" heading={t('neo.features.heading')}>
      <ul className={css.grid}>
        {FEATURES.map((feature) => (
          <li key={feature} className={css.item}>
            <h3>{t(`neo.features.${feature}.title`)}</h3>
            <p className={texts.quiet}>
              {t(`neo.features.${feature}.text`, { price: formatPrice(PLANS[0].priceCents) })}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function NeoHow() {
  return (
    <Section id="how" heading={common('how.heading')}>
      <Steps
        steps={[
          { title: t('neo.how.install.title'), text: t('neo.how.install.text') },
          { title: t('neo.how.key.title'), text: t('neo.how.key.text') },
          { title: t('neo.how.play.title'), text: t('neo.how.play.text') },
        ]}
      />
    </Section>
  );
}
