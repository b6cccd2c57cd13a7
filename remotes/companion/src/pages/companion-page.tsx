import { LaunchLink } from '@app/brand-ui/launch';
import { withStills } from '@app/brand-ui/still';
import { COMPANION } from '@app/contracts/brand';
import { PAGES, runPagePath } from '@app/contracts/pages';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Section } from '@app/design-system/section';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link, siteSettings } from '@app/platform';
import { DownloadCard, DownloadLink, useAppFile } from '../features/download/download-card.tsx';
import { Intro, IntroDevice } from '../features/intro/intro.tsx';
import { KeyRun } from '../features/key-run/key-run.tsx';
import { CoveredNote, PlanCards } from '../features/plans/plan-cards.tsx';
import { PrivacyNote } from '../features/privacy/privacy-note.tsx';
import { t } from '../words.ts';
import css from './companion-page.module.css';

const app = COMPANION.label;

export const loadCompanionPage = () => withStills(CompanionPage, [IntroDevice]);

function CompanionPage() {
  const { appFile, retry } = useAppFile();
  const downloadLink = <DownloadLink appFile={appFile} cardId="download" />;
  const keyPage = runPagePath('companion', 1);

  return (
    <main id="content" className={css.page}>
      <Intro
        actions={
          <ButtonRow>
            {downloadLink}
            <Link className={buttonClass({ kind: 'quiet' })} to={keyPage}>
              {t('keys.go')}
            </Link>
          </ButtonRow>
        }
      />
      <Section id="keys" eyebrow={t('keys.eyebrow')} heading={t('keys.heading')} lead={t('keys.lead', { app })}>
        <KeyRun
          actions={
            <div id="open-app" className={css.open}>
              <LaunchLink kind="quiet" href={siteSettings().launchUrl} getFrom="#download">
                {t('keys.launch')}
              </LaunchLink>
            </div>
          }
        />
      </Section>
      <Section id="plans" eyebrow={t('plans.eyebrow')} heading={t('plans.heading')}>
        <PlanCards />
        <CoveredNote
          action={
            <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
              {t('plans.go')}
            </Link>
          }
        />
      </Section>
      <Section id="privacy" layout="beside" eyebrow={t('privacy.eyebrow')} heading={t('privacy.heading')}>
        <PrivacyNote />
      </Section>
      <Section id="download" eyebrow={t('download.eyebrow')} heading={t('download.heading', { app })}>
        <DownloadCard appFile={appFile} onRetry={retry} />
      </Section>
      <div className={css.onPhones}>
        <StickyAction yieldsTo="#open-app, #download">
          {downloadLink}
          <Link className={buttonClass({ kind: 'quiet' })} to={keyPage}>
            {t('keys.go.short')}
          </Link>
        </StickyAction>
      </div>
    </main>
  );
}
