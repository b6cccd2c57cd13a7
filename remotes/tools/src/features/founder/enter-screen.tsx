import { GlowFrame } from '@app/design-system/glow-frame';
import { t } from '../../words.ts';
import css from './enter-screen.module.css';

/** The door. What lies behind it makes music, so it says so. */
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
