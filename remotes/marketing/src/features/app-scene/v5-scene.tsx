import { Scene } from '@app/brand-ui/device/scene';
import { Icon } from '@app/design-system/icon';
import { Code } from './code.tsx';
import { Figure } from './figure.tsx';
import screen from './screen.module.css';
import css from './v5-scene.module.css';
import { t } from './words.ts';

const SCRIPTS = {
  jump: ['local hero = game.player', 'hero.maxJumps = 2', 'hero.onJump(function()', '  hero.boost(50)', 'end)'],
  glow: [
    'local hero = game.player',
    'hero.onRun(function(speed)',
    '  local fast = speed > 30',
    '  hero.glow(fast and "gold")',
    'end)',
  ],
  speed: ['local hero = game.player', 'hero.onRun(function()', '  hero.speed = 48', '  hero.trail("pink")', 'end)'],
} as const;

const NAMES = ['jump', 'glow', 'speed'] as const;

/**
 * What V5 does, played once: a wish, the script that the assistant writes, Run, and the game. The chips are radio buttons
 * and choose another script by styles alone, so they work before the page's code, and without it.
 */
export function V5Scene() {
  return (
    <div className={screen.stage} role="radiogroup" aria-label={t('scene.pick')} data-hero>
      {NAMES.map((name) => (
        <input
          key={name}
          className={css.chip}
          type="radio"
          name="script"
          id={`script-${name}`}
          value={name}
          defaultChecked={name === 'jump'}
        />
      ))}
      <div className={`${screen.screen} ${css.screen}`} role="img" aria-label={t('scene.v5')}>
        <svg className={screen.sky} viewBox="0 0 520 252" preserveAspectRatio="none">
          <Scene isClose />
        </svg>
        {NAMES.map((name) => (
          <Play key={name} name={name} />
        ))}
      </div>
      {NAMES.map((name) => (
        <label key={name} className={css.label} htmlFor={`script-${name}`}>
          {t(`scene.${name}.chip`)}
        </label>
      ))}
    </div>
  );
}

function Play({ name }: { name: keyof typeof SCRIPTS }) {
  return (
    <div className={css.play} data-script={name}>
      <p className={css.wish}>
        {t(`scene.${name}`)
          .split(' ')
          .map((word, at) => (
            <span key={at}>{word} </span>
          ))}
      </p>
      <div className={screen.window}>
        <p className={css.file}>
          <Icon name="spark" size={16} />
          <span>{name}.lua</span>
        </p>
        <Code lines={SCRIPTS[name]} isTyped />
        <p className={css.foot}>
          <span className={css.running}>{t('scene.running')}</span>
          <span className={screen.run}>
            <Icon name="play" size={14} />
            {t('scene.run')}
          </span>
        </p>
      </div>
      <svg className={css.world} viewBox="0 0 240 150">
        <path className={css.ground} d="M-400 130h800v20h-800z" />
        {name === 'jump' && (
          <g className={css.trace}>
            <path d="M36 108C48 78 60 63 73 63c9 0 15 5 20 11" />
            <path d="M93 74c11-34 23-52 36-52 21 0 43 38 57 86" />
            <ellipse cx="93" cy="100" rx="20" ry="5" />
          </g>
        )}
        {name === 'glow' && (
          <>
            <radialGradient id="gold">
              <stop offset="0.3" stopColor="#ffc66b" stopOpacity="0.9" />
              <stop offset="1" stopColor="#ffc66b" stopOpacity="0" />
            </radialGradient>
            <circle className={css.glow} cx="186" cy="106" r="54" fill="url(#gold)" />
            <path className={css.dash} d="M86 92h40M70 106h52M94 120h30" />
          </>
        )}
        {name === 'speed' && (
          <g className={css.ghosts}>
            <Figure x={66} />
            <Figure x={106} />
            <Figure x={146} />
          </g>
        )}
        <g className={css.along}>
          <g className={css.up}>
            <Figure x={186} />
          </g>
        </g>
      </svg>
    </div>
  );
}
