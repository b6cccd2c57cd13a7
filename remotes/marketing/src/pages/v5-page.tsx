import { V5Screen } from '@app/brand-ui/device/v5-screen';
import { PRODUCT } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Link } from '@app/platform';
import { DownloadSection } from '../features/downloads/download-section.tsx';
import { DownloadsLink } from '../features/downloads/downloads-link.tsx';
import { FinalCall } from '../features/final-call/final-call.tsx';
import { AssistantLine } from '../features/hero/assistant-line.tsx';
import { AvailableFor } from '../features/hero/available-for.tsx';
import { Hero } from '../features/hero/hero.tsx';
import { V5Highlights } from '../features/highlights/highlights.tsx';
import { LandingPage } from '../features/landing/landing-page.tsx';
import { Merchandise } from '../features/merchandise/merchandise.tsx';
import { ChooseApp } from '../features/product-cards/choose-app.tsx';
import { Questions } from '../features/questions/questions.tsx';
import { ResetDevices } from '../features/reset-devices/reset-devices.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { Compare } from '../features/v5-story/compare.tsx';
import { HowItWorks } from '../features/v5-story/how-it-works.tsx';
import { JoinFuture } from '../features/v5-story/join-future.tsx';
import { Why } from '../features/v5-story/why.tsx';
import { t } from '../words.ts';

/** The home page of the site: V5, and links to the other apps. */
export function V5Page() {
  return (
    <LandingPage
      hero={<V5Hero />}
      numbers={<V5Highlights />}
      action={<DownloadsLink>{t('v5.download')}</DownloadsLink>}
    >
      <JoinFuture>
        <Trailer app="v5" title={t('v5.trailer')} />
      </JoinFuture>
      <ChooseApp />
      <Why />
      <Compare />
      <HowItWorks />
      <DownloadSection app="v5" iosPage={PAGES.v5} />
      <ResetDevices />
      <Questions app="v5" />
      <Merchandise />
      <FinalCall heading={t('final.v5.heading')} text={t('final.v5.text')} />
    </LandingPage>
  );
}

function V5Hero() {
  return (
    <Hero
      app="v5"
      intro={t('v5.intro')}
      product={PRODUCT.label}
      sub={t('app.v5')}
      tagline={<AssistantLine />}
      lead={t('v5.lead')}
      device={t('v5.device')}
      screen={<V5Screen />}
      actions={
        <>
          <DownloadsLink>{t('action.download')}</DownloadsLink>
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.resellers}>
            {t('v5.subscribe')}
          </Link>
        </>
      }
      availability={<AvailableFor systems={['android']}>{t('v5.available')}</AvailableFor>}
    />
  );
}
