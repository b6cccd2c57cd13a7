import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { DisclosureList } from '@app/design-system/disclosure';
import { Section } from '@app/design-system/section';
import texts from '@app/design-system/text.module.css';
import { t } from '../../words.ts';

const [CHAT] = COMMUNITY_LINKS;

export function Questions({ app }: { app: 'v5' | 'neo' }) {
  return (
    <Section id="faq" heading={t('faq.heading')} layout="beside">
      <DisclosureList
        items={[
          { id: 'ban', title: t('faq.ban.title'), content: <p>{t('faq.ban.text')}</p> },
          { id: 'scripts', title: t('faq.scripts.title'), content: <p>{t('faq.scripts.text')}</p> },
          {
            id: 'find',
            title: t('faq.find.title'),
            content: <p>{app === 'v5' ? t('faq.find.text') : t('faq.find.neo')}</p>,
          },
          { id: 'legal', title: t('faq.legal.title'), content: <p>{t('faq.legal.text')}</p> },
          {
            id: 'other',
            title: t('faq.other.title'),
            content: (
              <p>
                {t('faq.other.text')}{' '}
                <a className={texts.link} href={CHAT.href} target="_blank" rel="noopener noreferrer">
                  {t('faq.other.link')}
                </a>
              </p>
            ),
          },
        ]}
      />
    </Section>
  );
}
