import { still, withStills } from '@app/brand-ui/still';
import { PRODUCT } from '@app/contracts/brand';
import { PAGES, runPagePath } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import texts from '@app/design-system/text.module.css';
import { Link } from '@app/platform';
import { useState } from 'react';
import { DownloadSection } from '../features/downloads/download-section.tsx';
import { DownloadsLink } from '../anchor-link.tsx';
import { FinalCall, LandingPage } from '../features/landing/landing-page.tsx';
import { AssistantLine, JoinFuture, Why } from '../features/v5-story/v5-story.tsx';
import { AvailableFor, Hero } from '../features/hero/hero.tsx';
import { V5Highlights } from '../features/highlights/highlights.tsx';
import { Merchandise } from '../features/merchandise/merchandise.tsx';
import { useDownloads } from '../features/downloads/use-downloads.ts';
import { ChooseApp, DEFAULT_CARD, type ProductCard } from '../features/product-cards/choose-app.tsx';
import { Questions } from '../features/questions/questions.tsx';
import { ResetDevices } from '../features/reset-devices/reset-devices.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { t as story } from '../features/v5-story/words.ts';
import { t } from '../words.ts';
// The styles of the still parts, which the first paint has.
import '@app/brand-ui/device/scene.module.css';
import '@app/design-system/comparison.module.css';
import '@app/design-system/steps.module.css';
import '../features/app-scene/code.module.css';
import '../features/app-scene/screen.module.css';
import '../features/app-scene/v5-scene.module.css';

const stills = () => import(/* webpackChunkName: "v5-stills" */ '../features/v5-story/v5-stills.tsx');
const V5Scene = still(
  async () => (await import(/* webpackChunkName: "v5-scene" */ '../features/app-scene/v5-scene.tsx')).V5Scene,
);
const Compare = still(async () => (await stills()).Compare);
const HowItWorks = still(async () => (await stills()).HowItWorks);

export const loadV5Page = () => withStills(V5Page, [V5Scene, Compare, HowItWorks]);

/** The home page of the site: V5, and links to the other apps. */
function V5Page() {
  const [chosen, setChosen] = useState(DEFAULT_CARD);
  const isOnIos = typeof useDownloads()('v5', 'ios') === 'object';

  return (
    <LandingPage
      app="v5"
      hero={<V5Hero isOnIos={isOnIos} />}
      numbers={<V5Highlights />}
      action={<ChosenAction chosen={chosen} />}
    >
      <JoinFuture>
        <Trailer app="v5" title={story('v5.trailer')} />
      </JoinFuture>
      <ChooseApp chosen={chosen} onChoose={setChosen} isV5OnIos={isOnIos} />
      <Why />
      <Compare />
      <HowItWorks />
      <DownloadSection app="v5" iosPage={PAGES.v5} />
      <ResetDevices />
      <Questions app="v5" />
      <Merchandise />
      <FinalCall heading={t('final.v5.heading')} text={t(`final.${chosen}.text`)} />
    </LandingPage>
  );
}

/** The main action is about the app whose card is chosen. */
function ChosenAction({ chosen }: { chosen: ProductCard['id'] }) {
  if (chosen === 'v5') return <DownloadsLink>{story('v5.download')}</DownloadsLink>;

  return (
    <Link className={buttonClass()} to={`${chosen === 'neo' ? PAGES.neo : PAGES.v3}#downloads`}>
      <Icon name="download" />
      <span>{t(`choose.${chosen}.get`)}</span>
    </Link>
  );
}

function V5Hero({ isOnIos }: { isOnIos: boolean }) {
  return (
    <Hero
      app="v5"
      intro={story('v5.intro')}
      product={PRODUCT.label}
      sub={t('app.v5')}
      tagline={<AssistantLine />}
      lead={story('v5.lead')}
      device={<V5Scene />}
      actions={
        <>
          <DownloadsLink>{t('action.download')}</DownloadsLink>
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.resellers}>
            {story('v5.subscribe')}
          </Link>
        </>
      }
      availability={
        <>
          <AvailableFor systems={['android']}>{story('v5.available')}</AvailableFor>
          {isOnIos && <AvailableFor systems={['ios']}>{story('v5.availableToo')}</AvailableFor>}
        </>
      }
      aside={
        <>
          <span>{story('v5.keyOnly')}</span>{' '}
          <Link className={texts.link} to={runPagePath('main', 1)}>
            {t('action.getKey')}
          </Link>
        </>
      }
    />
  );
}
