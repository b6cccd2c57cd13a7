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
        <svg className={css.night} viewBox="0 0 240 150" preserveAspectRatio="xMidYMin slice" aria-hidden="true">
          <path d="M0 0h240v150H0z" fill="#070a1c" fillOpacity="0.72" stroke="none" />
          <path d="M24 22h.1M52 60h.1M84 18h.1M118 44h.1M150 16h.1M176 66h.1M206 30h.1M226 58h.1M34 90h.1M136 84h.1" />
          <circle cx="192" cy="34" r="11" fill="#e9edf7" stroke="none" />
        </svg>
        <svg className={css.world} viewBox="0 0 240 150" aria-hidden="true">
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
