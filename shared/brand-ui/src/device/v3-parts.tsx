import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { KeyCap } from './key-cap.tsx';
import { Figure } from './player.tsx';
import { RunButton, Window } from './window-parts.tsx';

/*
 * Parts of V3 that are not on its main screen. Their middle is (0, 0); what matters is within 70 × 70, and the rest is
 * seen where there is room.
 */

/** The whole window, small: script and button. */
export function V3Window() {
  return (
    <Window x={-36} y={-36} width={72} height={72}>
      <text x="9" y="19" className={css.heading}>
        Script
      </text>
      <text x="9" y="35" className={`${css.code} ${css.call}`}>
        hero.jump
      </text>
      <RunButton x={4} y={42} />
    </Window>
  );
}

/** A script in the editor, with line numbers and colours. */
export function V3Lines() {
  return (
    <Window x={-36} y={-30} width={72} height={60}>
      <CodeLines x={18} y={20} lines={['jump()', 'wait(1)', 'spin()']} current={1} width={72} />
    </Window>
  );
}

/** Keys of the keyboard: two for code, and some letters. */
export function V3Keys() {
  return (
    <>
      <KeyCap x={-48} y={-27} width={30}>
        z
      </KeyCap>
      <KeyCap x={-15} y={-27} width={30}>
        x
      </KeyCap>
      <KeyCap x={18} y={-27} width={30}>
        c
      </KeyCap>
      <KeyCap x={-48} y={2} width={63} isCode>
        local
      </KeyCap>
      <KeyCap x={18} y={2} width={30} isCode>
        ( )
      </KeyCap>
    </>
  );
}

/** The round icon that floats over the game. */
export function V3Icon() {
  return (
    <>
      <circle r="31" className={css.halo} />
      <circle r="22" className={css.appFill} />
      <path d="m-10 2 10-8 10 8m-20 8 10-8 10 8" className={css.inkLine} />
    </>
  );
}

/** The character that runs. */
export function V3Runner() {
  return (
    <>
      <path d="M-90 32H90v9H-90z" className={css.blocks} />
      <path d="M-36-14h22M-30-2h18M-40 10h26" className={css.trail} />
      <g transform="translate(-8 -26) scale(1.8)">
        <Figure />
      </g>
    </>
  );
}

/** The key of a day. */
export function V3Key() {
  return (
    <Window x={-35} y={-34} width={70} height={68}>
      <text x="35" y="25" textAnchor="middle" className={css.heading}>
        Key
      </text>
      <text x="35" y="53" textAnchor="middle" className={css.figure}>
        24 h
      </text>
    </Window>
  );
}

/** The plans. */
export function V3Plans() {
  return (
    <>
      {['Basic', 'Plus', 'Premium'].map((plan, at) => (
        <g key={plan} transform={`translate(0 ${-33 + at * 24})`}>
          <rect x="-35" width="70" height="20" rx="7" className={at === 1 ? css.appFill : css.window} />
          <text y="14" textAnchor="middle" className={at === 1 ? css.run : css.say}>
            {plan}
          </text>
        </g>
      ))}
    </>
  );
}

/** Two checksums that are the same. */
export function V3Checksum() {
  return (
    <Window x={-36} y={-34} width={72} height={68}>
      {[18, 34].map((y) => (
        <text key={y} x="36" y={y} textAnchor="middle" className={`${css.code} ${css.plain}`}>
          1d27 6f8f
        </text>
      ))}
      <circle cx="17" cy="51" r="7" className={css.okFill} />
      <path d="m14 51 2.5 2.5 4.5-5" className={css.inkLine} />
      <text x="30" y="55" className={css.say}>
        Same
      </text>
    </Window>
  );
}
