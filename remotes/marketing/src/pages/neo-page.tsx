import { still, withStills } from '@app/brand-ui/still';
import { runPagePath } from '@app/contracts/pages';
import { PRODUCT } from '@app/contracts/brand';
import { buttonClass } from '@app/design-system/button';
import { Link } from '@app/platform';
import { NeoFacts } from '../features/app-facts/app-facts.tsx';
import { DownloadSection } from '../features/downloads/download-section.tsx';
import { DownloadsLink } from '../anchor-link.tsx';
import { FinalCall, LandingPage } from '../features/landing/landing-page.tsx';
import { AvailableFor, Hero } from '../features/hero/hero.tsx';
import { NeoHighlights } from '../features/highlights/highlights.tsx';
import { MoreInV5, NeoDemo, NeoWhy } from '../features/neo-story/neo-story.tsx';
import { t } from '../features/neo-story/words.ts';
import { Questions } from '../features/questions/questions.tsx';
import { ShortClip, Trailer } from '../features/trailer/trailer.tsx';
import { t as common } from '../words.ts';
// The styles of the still parts, which the first paint has.
import '@app/brand-ui/device/scene.module.css';
import '@app/design-system/steps.module.css';
import '../features/app-scene/neo-scene.module.css';
import '../features/app-scene/screen.module.css';
import '../features/neo-story/neo-stills.module.css';

const stills = () => import(/* webpackChunkName: "neo-stills" */ '../features/neo-story/neo-stills.tsx');
const NeoScene = still(
  async () => (await import(/* webpackChunkName: "neo-scene" */ '../features/app-scene/neo-scene.tsx')).NeoScene,
);
const NeoFeatures = still(async () => (await stills()).NeoFeatures);
const NeoHow = still(async () => (await stills()).NeoHow);

export const loadNeoPage = () => withStills(NeoPage, [NeoScene, NeoFeatures, NeoHow]);

function NeoPage() {
  return (
    <LandingPage
      app="neo"
      hero={<NeoHero />}
      numbers={<NeoHighlights />}
      action={<DownloadsLink>{t('neo.download')}</DownloadsLink>}
    >
      <NeoDemo
        trailer={<Trailer app="neo" title={t('neo.trailer')} />}
        short={<ShortClip app="neo" title={t('neo.short')} />}
      />
      <NeoWhy />
      <NeoFeatures />
      <NeoHow />
      <DownloadSection app="neo">
        <NeoFacts />
      </DownloadSection>
      <Questions app="neo" />
      <MoreInV5 />
      <FinalCall heading={t('final.neo.heading')} text={t('final.neo.text')} />
    </LandingPage>
  );
}

function NeoHero() {
  return (
    <Hero
      app="neo"
      product={PRODUCT.label}
      sub={common('app.neo')}
      tagline={t('neo.tagline')}
      lead={t('neo.lead')}
      device={<NeoScene />}
      actions={
        <>
          <DownloadsLink>{common('action.download')}</DownloadsLink>
          <Link className={buttonClass({ kind: 'quiet' })} to={runPagePath('main', 1)}>
            {common('action.getKey')}
          </Link>
        </>
      }
      availability={<AvailableFor systems={['android', 'ios']}>{t('neo.available')}</AvailableFor>}
    />
  );
}
