import { Scene } from '@app/brand-ui/device/scene';
import { Figure } from './figure.tsx';
import css from './neo-scene.module.css';
import screen from './screen.module.css';
import { t } from './words.ts';

const SAVED = ['speed', 'night', 'view'] as const;

/** Saved scripts in NEO, which really switch what they say in the game beside them. They do it by styles alone. */
export function NeoScene() {
  return (
    <div className={screen.stage} role="group" aria-label={t('scene.neo')} data-hero>
      {SAVED.map((name) => (
        <input
          key={name}
          className={css.switch}
          type="checkbox"
          id={`saved-${name}`}
          name={name}
          defaultChecked={name === 'speed'}
        />
      ))}
      <div className={`${screen.screen} ${css.screen}`}>
        <svg className={screen.sky} viewBox="0 0 520 252" preserveAspectRatio="none" aria-hidden="true">
          <Scene isClose />
        </svg>
        <div className={css.night} />
        <svg className={css.world} viewBox="0 0 240 150" aria-hidden="true">
          <g className={css.stars}>
            <path d="M14 30h.1M40 6h.1M70 24h.1M98 2h.1M128 20h.1M160 8h.1M172 40h.1M232 44h.1M20 62h.1M112 48h.1" />
            <circle cx="204" cy="20" r="11" />
          </g>
          <g className={css.view}>
            <path className={css.ground} d="M-400 130h1000v60h-1000z" />
            <path className={css.blocks} d="M8 104h30v26H8zM198 78h34v52h-34zM-70 60h44v70h-44zM270 92h40v38h-40z" />
            <path className={css.dash} d="M74 96h36M60 108h46M82 120h26" />
            <g className={css.runner}>
              <Figure x={150} />
            </g>
          </g>
        </svg>
        <div className={screen.window}>
          <p className={css.title}>{t('scene.saved')}</p>
          {SAVED.map((name) => (
            <label key={name} className={css.saved} htmlFor={`saved-${name}`} data-script={name}>
              <span>{t(`scene.${name}.saved`)}</span>
              <span className={css.knob} />
            </label>
          ))}
        </div>
      </div>
    </div>
  );
}
