import { useStatusRole } from '@app/design-system/use-status-role';
import { useState } from 'react';
import { t } from '../../words.ts';
import css from './hero.module.css';
import { PixelPlayer } from './pixel-player.tsx';

export function Hero() {
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
