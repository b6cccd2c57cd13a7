import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { useState } from 'react';
import { t } from '../../words.ts';
import css from './enter-screen.module.css';
import { PixelPlayer } from './pixel-player.tsx';

export function EnterScreen({ onEnter }: { onEnter: (withMusic: boolean) => void }) {
  const [withMusic, setWithMusic] = useState(true);

  return (
    <div className={css.screen}>
      <p className={css.whose}>{t('portfolio.whose', { app: PRODUCT.label, companion: COMPANION.label })}</p>
      <div className={css.scene}>
        <PixelPlayer size="small" />
      </div>
      <button type="button" className={css.enter} onClick={() => onEnter(withMusic)}>
        <span className={css.word}>{t('portfolio.enter')}</span>
      </button>
      <label className={css.sound}>
        <input
          type="checkbox"
          role="switch"
          className={css.switch}
          checked={withMusic}
          onChange={({ target }) => setWithMusic(target.checked)}
        />
        {t('portfolio.sound')}
      </label>
    </div>
  );
}

export function Transition() {
  return (
    <p className={css.sentence} role="status">
      {t('portfolio.transition')}
    </p>
  );
}
