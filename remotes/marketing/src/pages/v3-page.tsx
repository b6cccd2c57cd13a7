import { still, withStills } from '@app/brand-ui/still';
import { PRODUCT } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { Link } from '@app/platform';
import { AnchorLink } from '../anchor-link.tsx';
import { AppFacts } from '../features/app-facts/app-facts.tsx';
import { V3Download } from '../features/downloads/v3-download.tsx';
import { FinalCall, LandingPage } from '../features/landing/landing-page.tsx';
import { Hero } from '../features/hero/hero.tsx';
import { Trailer } from '../features/trailer/trailer.tsx';
import { Tour, WatchPerformance } from '../features/v3-tour/tour.tsx';
import { t } from '../features/v3-tour/words.ts';
import { t as common } from '../words.ts';
// The styles of the still part, which the first paint has.
import '@app/brand-ui/device/scene.module.css';
import '../features/app-scene/code.module.css';
import '../features/app-scene/screen.module.css';
import '../features/app-scene/v3-scene.module.css';

const V3Scene = still(
  async () => (await import(/* webpackChunkName: "v3-scene" */ '../features/app-scene/v3-scene.tsx')).V3Scene,
);

export const loadV3Page = () => withStills(V3Page, [V3Scene]);

function V3Page() {
  return (
    <LandingPage
      app="v3"
      hero={
        <Hero
          app="v3"
          product={PRODUCT.label}
          sub={common('app.v3')}
          tagline={<Badge kind="disc">{common('choose.v3.badge')}</Badge>}
          lead={t('v3.lead')}
          device={<V3Scene />}
          actions={
            <>
              <Link className={buttonClass()} to={PAGES.neo}>
                {t('v3.goOn')}
              </Link>
              <AnchorLink className={buttonClass({ kind: 'quiet' })} to="downloads">
                {t('v3.download')}
              </AnchorLink>
            </>
          }
        />
      }
      action={
        <Link className={buttonClass()} to={PAGES.neo}>
          {t('v3.getNeo')}
        </Link>
      }
    >
      <Tour video={<WatchPerformance video={<Trailer app="v3" title={t('v3.performance.video')} />} />} />
      <V3Download>
        <AppFacts app="v3" />
      </V3Download>
      <FinalCall heading={t('v3.final')} text={common('final.v3.text')} />
    </LandingPage>
  );
}
