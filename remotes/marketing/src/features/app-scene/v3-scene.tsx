import { Scene } from '@app/brand-ui/device/scene';
import { Icon } from '@app/design-system/icon';
import { Code } from './code.tsx';
import screen from './screen.module.css';
import { t } from './words.ts';
import css from './v3-scene.module.css';

const ROWS = [
  ['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o', 'p'],
  ['a', 's', 'd', 'f', 'g', 'h', 'j', 'k', 'l'],
  ['local', 'z', 'x', 'c', 'v', 'b', 'n', '( )'],
];

/** V3's editor over its own keyboard, which has keys for what one types most. */
export function V3Scene() {
  return (
    <div className={screen.stage} role="img" aria-label={t('scene.v3')} data-hero>
      <div className={`${screen.screen} ${css.screen}`}>
        <svg className={screen.sky} viewBox="0 0 520 252" preserveAspectRatio="none">
          <Scene isClose />
        </svg>
        <div className={screen.window}>
          <Code lines={['local hero = game.player', 'hero.jumpPower = 80', 'hero.say("hello")']} />
          <p className={screen.run}>
            <Icon name="play" size={14} />
            {t('scene.run')}
          </p>
        </div>
        <div className={css.keyboard}>
          {ROWS.map((row) => (
            <p key={row[0]} className={css.row}>
              {row.map((key) => (
                <span key={key} className={css.key} data-long={key.length > 1}>
                  {key}
                </span>
              ))}
            </p>
          ))}
        </div>
      </div>
    </div>
  );
}
