import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Figure } from './player.tsx';
import { RunButton, Window } from './window-parts.tsx';

const STAR = 'm0-11 3.2 7 7.6.8-5.6 5.2 1.5 7.5L0 5.7l-6.7 3.8 1.5-7.5-5.6-5.2 7.6-.8z';

/** The key of a day, at work: 196 × 94. */
export function NeoKey() {
  return (
    <Window x={0} y={0} width={196} height={94}>
      <text x="16" y="26" className={css.heading}>
        Key
      </text>
      <circle cx="128" cy="22" r="4" className={css.okFill} />
      <text x="138" y="26" className={css.say}>
        Active
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
      <Window x={-60} y={-70} width={266} height={158}>
        <CodeLines x={82} y={92} lines={['while hero.alive do', '  hero.glow("cyan")']} current={1} width={176} />
        <rect x="106" y="122" width="66" height="24" rx="8" className={css.raised} />
        <text x="139" y="138" textAnchor="middle" className={css.say}>
          Clear
        </text>
        <RunButton x={182} y={122} />
      </Window>
      <path d="M216 40h16M212 52h14" className={css.trail} />
      <g transform="translate(234 24) scale(1.5)">
        <Figure />
      </g>
    </>
  );
}

/** The same list on two phones, one with a round camera and one with a wide one: 196 wide. */
export function NeoTwice() {
  return (
    <>
      {[0, 102].map((x, at) => (
        <g key={x} transform={`translate(${x} 4)`}>
          <rect width="94" height="150" rx="17" className={css.phone} />
          {at === 0 ? (
            <circle cx="47" cy="12" r="4" className={css.ink} />
          ) : (
            <rect x="32" y="8" width="30" height="9" rx="4.5" className={css.ink} />
          )}
          {['Speed', 'Night sky'].map((name, row) => (
            <g key={name} transform={`translate(7 ${26 + row * 32})`}>
              <rect width="80" height="27" rx="8" className={css.raised} />
              <text x="8" y="17.5" className={css.say}>
                {name}
              </text>
              <rect x="56" y="8" width="19" height="11" rx="5.5" className={css.appFill} />
              <circle cx="69.5" cy="13.5" r="4" className={css.knob} />
            </g>
          ))}
        </g>
      ))}
    </>
  );
}

/** How players rate it, out of five: 196 × 94. */
export function NeoRating() {
  return (
    <Window x={0} y={0} width={196} height={94}>
      <text x="98" y="46" textAnchor="middle" className={css.figure}>
        4.7
      </text>
      {[0, 1, 2, 3, 4].map((at) => (
        <path
          key={at}
          transform={`translate(${44 + at * 27} 70)`}
          d={STAR}
          className={at < 4 ? css.appFill : css.off}
        />
      ))}
      <svg x="141" y="56" width="14.6" height="26" viewBox="-11 -14 14.6 26">
        <path d={STAR} className={css.appFill} />
      </svg>
    </Window>
  );
}
