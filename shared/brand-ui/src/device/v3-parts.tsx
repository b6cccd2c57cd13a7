import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { KeyCap } from './key-cap.tsx';
import { Figure } from './player.tsx';
import { RunButton, Window } from './window-parts.tsx';

/* Parts of V3 that are not on its main screen. Their middle is (0, 0); what matters is within 156 × 84. */

const ROWS = [
  ['q', 'w', 'e', 'r', 't'],
  ['a', 's', 'd', 'f', 'g'],
  ['local', 'z', '( )'],
];

/** A script in the editor, with line numbers and colours. */
export function V3Lines() {
  return (
    <Window x={-78} y={-44} width={156} height={88}>
      <CodeLines
        x={22}
        y={22}
        lines={['hero.jumpPower = 80', 'hero.say("hello")', 'hero.jump()']}
        current={1}
        width={148}
      />
      <RunButton x={82} y={56} />
    </Window>
  );
}

/** The keyboard of a narrow phone, with two keys for scripts. */
export function V3Keys() {
  return (
    <>
      <rect x="-260" y="-52" width="520" height="126" className={css.raised} />
      {ROWS.map((row, line) =>
        row.map((key, at) => {
          const isCode = key.length > 1;

          return (
            <KeyCap
              key={key}
              x={-76 + at * (line === 2 ? 62 - (at === 2 ? 15.5 : 0) : 31)}
              y={-40 + line * 29}
              width={isCode ? 58 : 28}
              isCode={isCode}
            >
              {key}
            </KeyCap>
          );
        }),
      )}
    </>
  );
}

/** The round icon that floats over the game. */
export function V3Icon() {
  return (
    <>
      <path d="M-8 34H92v9H-8z" className={css.blocks} />
      <path d="M-2-12h18M4 0h14M-6 12h22" className={css.trail} />
      <g transform="translate(26 -24) scale(1.8)">
        <Figure />
      </g>
      <g transform="translate(-46 -8)">
        <circle r="31" className={css.halo} />
        <circle r="22" className={css.appFill} />
        <path d="m-10 2 10-8 10 8m-20 8 10-8 10 8" className={css.inkLine} />
      </g>
    </>
  );
}
