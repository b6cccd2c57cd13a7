import { AppMark } from '@app/brand-ui/app-mark';
import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { useStatusRole } from '@app/design-system/use-status-role';
import { Link } from '@app/platform';
import { type ReactNode, useState } from 'react';
import { t } from '../../words.ts';
import { PixelPlayer } from './pixel-player.tsx';
import css from './profile.module.css';

const APPS = [
  { app: 'v5', name: `${PRODUCT.label} V5`, about: 'founder.v5', to: PAGES.v5 },
  { app: 'neo', name: `${PRODUCT.label} NEO`, about: 'founder.neo', to: PAGES.neo },
  { app: 'v3', name: `${PRODUCT.label} V3`, about: 'founder.v3', to: PAGES.v3 },
  { app: 'companion', name: COMPANION.label, about: 'founder.companion', to: PAGES.companion },
] as const;

/** The pages where visitors see for themselves how the site treats them. */
const PROOFS = [
  { label: 'founder.stores', to: `${PAGES.privacyPolicy}#stored` },
  { label: 'founder.checks', to: PAGES.checkKey },
  { label: 'founder.explains', to: PAGES.developers },
] as const;

export function Profile({ music }: { music: ReactNode }) {
  return (
    <div className={css.profile}>
      <div className={css.person}>
        <Hero />
        <div>
          <h2 className={css.heading}>{t('founder.heading')}</h2>
          <p className={css.text}>{t('founder.text', { app: PRODUCT.label, companion: COMPANION.label })}</p>
          <p className={css.hello}>{t('founder.hello')}</p>
        </div>
      </div>
      {music}
      <ul className={css.apps} aria-label={t('founder.apps')}>
        {APPS.map(({ app, name, about, to }) => (
          <li key={app}>
            <Link className={css.app} to={to}>
              <AppMark app={app} size={44} />
              <span>
                <span className={css.name}>{name}</span>
                <span className={css.about}>{t(about)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <ul className={css.proofs} aria-label={t('founder.proofs')}>
        {PROOFS.map(({ label, to }) => (
          <li key={to}>
            <Link className={css.proof} to={to}>
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Hero() {
  const [coins, setCoins] = useState(0);

  return (
    <div className={css.hero}>
      <button
        type="button"
        className={css.jump}
        aria-label={t('founder.jump')}
        onClick={() => setCoins((count) => count + 1)}
      >
        {coins > 0 && <span key={`coin-${coins}`} className={css.coin} aria-hidden="true" />}
        <span key={`jump-${coins}`} className={css.figure} data-jumps={coins > 0}>
          <PixelPlayer size="large" />
        </span>
        <span className={css.ground} aria-hidden="true" />
      </button>
      <p className={css.coins} role={useStatusRole(coins)}>
        {t('founder.coins', { count: coins })}
      </p>
    </div>
  );
}
