import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { KeyCap } from './key-cap.tsx';
import { RunButton, Window } from './window-parts.tsx';

const SCRIPT = ['local hero = game.player', 'hero.jumpPower = 80', 'hero.say("hello")'];

const KEYS = [[...'qwertyuiop'], [...'asdfghjkl'], ['local', ...'zxcvbnm', '()']];

/** The screen of V3: a plain editor above its own keyboard. */
export function V3Screen() {
  return (
    <Window x={34} y={20} width={452} height={212}>
      <text x="18" y="22" className={css.heading}>
        Script
      </text>
      <CodeLines x={30} y={45} lines={SCRIPT} current={2} width={340} />
      <RunButton x={370} y={40} />
      <g transform="translate(0 86)">
        <V3Keyboard />
      </g>
    </Window>
  );
}

/** V3's own keyboard: 452 × 126. */
export function V3Keyboard() {
  return (
    <>
      <rect width="452" height="126" className={css.raised} />
      {KEYS.map((row, line) => {
        const widths = row.map((key) => (key.length > 1 ? 52 : 36));
        const left = (452 - widths.reduce((sum, width) => sum + width + 6, -6)) / 2;

        return row.map((key, at) => {
          const x = left + widths.slice(0, at).reduce((sum, width) => sum + width + 6, 0);
          const width = widths[at] ?? 36;

          return (
            <KeyCap key={key} x={x} y={8 + line * 29} width={width} isCode={key.length > 1}>
              {key}
            </KeyCap>
          );
        });
      })}
      <rect x="136" y="96" width="180" height="22" rx="5" className={css.key} />
    </>
  );
}
