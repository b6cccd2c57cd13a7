import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Figure } from './player.tsx';
import { RunButton, Window } from './window-parts.tsx';
import { t } from './words.ts';

/** The key of a day, at work: 196 × 94. */
export function NeoKey() {
  return (
    <Window x={0} y={0} width={196} height={94}>
      <text x="16" y="26" className={css.heading}>
        Key
      </text>
      <circle cx="128" cy="22" r="4" className={css.okFill} />
      <text x="138" y="26" className={css.say}>
        {t('key.active')}
      </text>
      <text x="15" y="62" className={css.figure}>
        23:41:07
      </text>
      <rect x="16" y="74" width="164" height="7" rx="3.5" className={css.off} />
      <rect x="16" y="74" width="160" height="7" rx="3.5" className={css.appFill} />
    </Window>
  );
}

/** The foot of the editor, and the character that runs: 196 × 94. */
export function NeoRun() {
  return (
    <>
      <Window x={0} y={0} width={196} height={94}>
        <CodeLines x={27} y={24} lines={['while hero.alive do', '  hero.glow("cyan")']} current={1} width={178} />
        <rect x="44" y="58" width="66" height="24" rx="8" className={css.raised} />
        <text x="77" y="74" textAnchor="middle" className={css.say}>
          {t('clear')}
        </text>
        <RunButton x={120} y={58} />
      </Window>
      <path d="M216 40h16M212 52h14" className={css.trail} />
      <g transform="translate(234 24) scale(1.5)">
        <Figure />
      </g>
    </>
  );
}

/** The saved scripts on one phone, the key on another; their corners and cameras differ: 196 wide. */
export function NeoTwice() {
  return (
    <>
      <rect y="4" width="94" height="150" rx="11" className={css.phone} />
      <circle cx="47" cy="16" r="4" className={css.off} />
      {(['speed', 'nightSky'] as const).map((name, row) => (
        <g key={name} transform={`translate(7 ${30 + row * 32})`}>
          <rect width="80" height="27" rx="8" className={css.raised} />
          <text x="8" y="17.5" className={css.say}>
            {t(name)}
          </text>
          <rect x="56" y="8" width="19" height="11" rx="5.5" className={css.appFill} />
          <circle cx="69.5" cy="13.5" r="4" className={css.knob} />
        </g>
      ))}
      <rect x="102" y="4" width="94" height="150" rx="22" className={css.phone} />
      <rect x="132" y="11" width="34" height="10" rx="5" className={css.off} />
      <text x="149" y="42" textAnchor="middle" className={css.say}>
        {t('key.is')}
      </text>
      <text x="149" y="68" textAnchor="middle" className={css.figure}>
        23:41
      </text>
      <rect x="114" y="80" width="70" height="7" rx="3.5" className={css.appFill} />
    </>
  );
}
