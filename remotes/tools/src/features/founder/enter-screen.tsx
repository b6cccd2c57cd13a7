import { t } from '../../words.ts';
import css from './enter-screen.module.css';
import { PixelPlayer } from './pixel-player.tsx';

/** The first screen of the portfolio: a button to enter, and a warning that the next screen plays music. */
export function EnterScreen({ onEnter }: { onEnter: () => void }) {
  return (
    <div className={css.screen}>
      <div className={css.scene}>
        <PixelPlayer size="small" />
      </div>
      <button type="button" className={css.door} onClick={onEnter}>
        <span className={css.word}>{t('portfolio.enter')}</span>
      </button>
      <p className={css.sound}>{t('portfolio.sound')}</p>
    </div>
  );
}
