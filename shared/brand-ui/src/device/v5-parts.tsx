import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Figure } from './player.tsx';
import { Spark, Window } from './window-parts.tsx';
import { t } from './words.ts';

/** The editor completes a word, above keys for thumbs; where there is room, the character glows: 196 × 94. */
export function V5Typing() {
  return (
    <>
      <Window x={0} y={0} width={196} height={94}>
        <CodeLines x={26} y={19} lines={['local hero = game.player', 'hero.gl']} current={1} width={180} />
        <rect x="74" y="39" width="98" height="22" rx="6" className={css.signOpen} />
        <text x="84" y="53.5" className={`${css.code} ${css.call}`}>
          hero.glow()
        </text>
        {['( )', '" "', '=', 'end'].map((key, at) => (
          <g key={key} transform={`translate(${10 + at * 45} 66)`}>
            <rect width="41" height="21" rx="6" className={css.key} />
            <text x="20.5" y="14.5" textAnchor="middle" className={css.say}>
              {key}
            </text>
          </g>
        ))}
      </Window>
      <circle cx="246" cy="58" r="32" className={css.halo} />
      <g transform="translate(230 36) scale(1.4)">
        <Figure />
      </g>
    </>
  );
}

/** A request, and the script that the assistant answers with: 196 × 94. */
export function V5Answer() {
  return (
    <>
      <rect x="30" width="166" height="25" rx="10" className={css.prompt} />
      <text x="42" y="16" className={css.say}>
        {t('glow')}
      </text>
      <Spark x={0} y={35} />
      <rect x="22" y="32" width="174" height="62" rx="10" className={css.reply} />
      <CodeLines x={44} y={51} lines={['while hero.isFast do', '  hero.glow("gold")', 'end']} width={0} />
    </>
  );
}

/** A script, a question about one of its lines, and the answer: it begins at (-158, -4), 354 × 102. */
export function V5Explained() {
  return (
    <>
      <Window x={-158} y={-4} width={150} height={102}>
        <CodeLines
          x={24}
          y={28}
          lines={['while alive do', '  hero.glow("red")', '  wait(5)', '  hero.jump()', 'end']}
          current={2}
          width={140}
        />
      </Window>
      <rect x="30" width="166" height="32" rx="10" className={css.prompt} />
      <text x="42" y="20" className={css.say}>
        {t('wait')}
      </text>
      <Spark x={0} y={42} />
      <rect x="22" y="40" width="174" height="46" rx="10" className={css.reply} />
      <text x="34" y="59" className={css.say}>
        {t('wait.answer.1')}
      </text>
      <text x="34" y="74" className={css.say}>
        {t('wait.answer.2')}
      </text>
    </>
  );
}

/** The speed that a script gives, and the character that runs with it: 196 × 94. */
export function V5Running() {
  return (
    <>
      <Window x={0} y={0} width={118} height={94}>
        <circle cx="18" cy="20" r="4" className={css.okFill} />
        <text x="28" y="24" className={css.say}>
          {t('speed')}
        </text>
        <text x="103" y="28" textAnchor="end" className={css.figure}>
          48
        </text>
        <path d="M15 80h14l12-4 12-2 14-20 12-2 12-10h12" className={css.trail} />
      </Window>
      <path d="M128 96h150v14H128z" className={css.blocks} />
      <path d="M122 34h18M116 46h24M126 58h14" className={css.trail} />
      <g transform="translate(148 8) scale(1.7)">
        <ellipse cx="12" cy="40" rx="17" ry="4" className={css.trail} />
        <Figure />
      </g>
    </>
  );
}

/** The assistant's correction of a script, line by line: 196 × 94. */
export function V5Fix() {
  return (
    <Window x={0} y={0} width={196} height={94}>
      <Spark x={12} y={9} />
      <text x="36" y="21" className={css.say}>
        {t('bug')}
      </text>
      <rect x="8" y="48" width="180" height="17" rx="4" className={css.current} />
      <rect x="8" y="67" width="180" height="17" rx="4" className={css.added} />
      <g className={`${css.code} ${css.plain}`}>
        <text x="32" y="41">
          while hero.alive do
        </text>
        <text x="16" y="60" className={css.keyword}>
          -
        </text>
        <text x="44" y="60">
          wait(10)
        </text>
        <text x="16" y="79" className={css.string}>
          +
        </text>
        <text x="44" y="79">
          wait(0.1)
        </text>
      </g>
    </Window>
  );
}
