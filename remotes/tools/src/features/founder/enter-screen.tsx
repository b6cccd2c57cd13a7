import { useState } from 'react';
import { t } from '../../words.ts';
import css from './enter-screen.module.css';
import { PixelPlayer } from './pixel-player.tsx';

export function EnterScreen({ onEnter }: { onEnter: (withMusic: boolean) => void }) {
  const [withMusic, setWithMusic] = useState(true);

  return (
    <div className={css.screen}>
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
    <div className={css.passage}>
      <p className={css.sentence} role="status">
        {t('portfolio.transition')}
      </p>
      <span className={css.track} aria-hidden="true">
        <span className={css.progress} />
      </span>
    </div>
  );
}
