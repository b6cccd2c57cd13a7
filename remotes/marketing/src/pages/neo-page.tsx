import { PRODUCT } from '@app/contracts/brand';
import { buttonClass } from '@app/design-system/button';
import { NeoScreen } from '@app/design-system/device/neo-screen';
import { Icon } from '@app/design-system/icon';
import { Section } from '@app/design-system/section';
import { Link, useVisitor } from '@app/platform';
import { AnchorLink } from '../anchor-link.tsx';
import { AppFacts } from '../features/app-facts/app-facts.tsx';
import { DownloadSection } from '../features/downloads/download-section.tsx';
import { FinalCall } from '../features/final-call/final-call.tsx';
import { SiteFooter } from '../features/footer/site-footer.tsx';
import { Hero } from '../features/hero/hero.tsx';
import { PlatformIcon } from '../features/hero/platform-icon.tsx';
import { NeoHighlights } from '../features/highlights/highlights.tsx';
import { LandingPage } from '../features/landing/landing-page.tsx';
import { NeoFeatures } from '../features/neo-story/neo-features.tsx';
import { NeoHow } from '../features/neo-story/neo-how.tsx';
import { NeoWhy } from '../features/neo-story/neo-why.tsx';
import { t } from '../features/neo-story/words.ts';
import { Questions } from '../features/questions/questions.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { t as common } from '../words.ts';
import { useDeviceQuery } from '../use-device-query.ts';

/** The free edition. */
export function NeoPage() {
  return (
    <LandingPage hero={<NeoHero />} numbers={<NeoHighlights />} action={<DownloadLink words={t('neo.download')} />} footer={<SiteFooter />}>
      <Section id="demo" heading={t('neo.demo.heading')} lead={t('neo.demo.lead')} centred>
        <Trailer app="neo" title={t('neo.trailer')} screen={<NeoScreen />} />
      </Section>
      <NeoWhy />
      <NeoFeatures />
      <NeoHow />
      <DownloadSection app="neo">
        <AppFacts app="neo" />
      </DownloadSection>
      <Questions app="neo" />
      <FinalCall heading={t('final.neo.heading')} text={t('final.neo.text')} />
    </LandingPage>
  );
}

function NeoHero() {
  const { os } = useVisitor();
  const device = useDeviceQuery();

  return (
    <Hero
      app="neo"
      product={PRODUCT.label}
      sub={common('app.neo')}
      tagline={t('neo.tagline')}
      lead={t('neo.lead')}
      device={t('neo.device')}
      screen={<NeoScreen />}
      actions={
        <>
          <DownloadLink words={common('action.download')} />
          <Link className={buttonClass({ kind: 'quiet' })} to={`/key-system-1${device}`}>
            {common('action.getKey')}
          </Link>
        </>
      }
      availability={
        <>
          <PlatformIcon os={os} />
          {t('neo.available')}
        </>
      }
    />
  );
}

function DownloadLink({ words }: { words: string }) {
  return (
    <AnchorLink className={buttonClass()} to="downloads">
      <Icon name="download" />
      {words}
    </AnchorLink>
  );
}
