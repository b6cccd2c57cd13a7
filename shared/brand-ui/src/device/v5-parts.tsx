import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Figure } from './player.tsx';
import { Spark, Window } from './window-parts.tsx';

/** A request, and the script that the assistant answers with: 196 × 94. */
export function V5Answer() {
  return (
    <>
      <rect x="30" width="166" height="25" rx="10" className={css.prompt} />
      <text x="42" y="16" className={css.say}>
        Let me jump twice in the air
      </text>
      <Spark x={0} y={35} />
      <rect x="22" y="32" width="174" height="62" rx="10" className={css.reply} />
      <CodeLines
        x={44}
        y={51}
        lines={['hero.onJump(function()', '  if jumps == 2 then', '    hero.boost(50)']}
        width={0}
      />
    </>
  );
}

/** Two scripts that run, above the character that they move: 196 × 94. */
export function V5Running() {
  return (
    <>
      {['jump.lua', 'speed.lua'].map((file, at) => (
        <g key={file} transform={`translate(0 ${10 + at * 38})`}>
          <rect width="118" height="30" rx="10" className={css.window} />
          <circle cx="15" cy="15" r="4" className={css.okFill} />
          <text x="26" y="19" className={css.say}>
            {file}
          </text>
          <rect x="94" y="9" width="12" height="12" rx="3" className={css.appFill} />
        </g>
      ))}
      <path d="M128 96h150v14H128z" className={css.blocks} />
      <path d="M122 34h18M116 46h24M126 58h14" className={css.trail} />
      <g transform="translate(148 8) scale(1.7)">
        <ellipse cx="12" cy="40" rx="17" ry="4" className={css.trail} />
        <Figure />
      </g>
    </>
  );
}

/** A line of the script, and what the assistant can do with it: 196 × 94. */
export function V5Ask() {
  return (
    <>
      <Window x={-110} y={-50} width={350} height={190}>
        <CodeLines
          x={130}
          y={46}
          lines={['  jumps = jumps + 1', '  if jumps == 2 then', '    hero.boost(50)', '  end', 'end)']}
          current={2}
          width={226}
        />
      </Window>
      <rect x="74" y="32" width="122" height="58" rx="10" className={css.prompt} />
      {['Explain this line', 'Find the bug'].map((wish, at) => (
        <g key={wish} transform={`translate(84 ${39 + at * 24})`}>
          <Spark x={0} y={2} />
          <text x="24" y="14" className={css.say}>
            {wish}
          </text>
        </g>
      ))}
    </>
  );
}
