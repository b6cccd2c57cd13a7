import { GlowFrame } from '@app/design-system/glow-frame';
import { t } from '../../words.ts';
import css from './enter-screen.module.css';

/** The first screen of the portfolio: a button to enter, and a warning that the next screen plays music. */
export function EnterScreen({ onEnter }: { onEnter: () => void }) {
  return (
    <div className={css.screen}>
      <GlowFrame>
        <button type="button" className={css.door} onClick={onEnter}>
          <span className={css.word}>{t('portfolio.enter')}</span>
        </button>
      </GlowFrame>
      <p className={css.sound}>{t('portfolio.sound')}</p>
    </div>
  );
}
