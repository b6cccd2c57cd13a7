import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Rail, RunButton, Spark, Window } from './window-parts.tsx';
import { t } from './words.ts';

const SCRIPT = [
  '-- double jump',
  'local hero = game.player',
  'local jumps = 0',
  '',
  'hero.onJump(function()',
  '  jumps = jumps + 1',
  '  if jumps == 2 then',
  '    hero.boost(50)',
  '  end',
  'end)',
];

/** The screen of V5: the editor at the left, the assistant above the game at the right. */
export function V5Screen() {
  return (
    <>
      <V5Editor />
      <V5Assistant />
    </>
  );
}

/** The editor of V5, in a window at (32, 20): 282 × 212. */
export function V5Editor() {
  return (
    <Window x={32} y={20} width={282} height={212}>
      <Rail />
      <g className={css.tab}>
        <rect x="42" y="6" width="98" height="22" rx="6" className={css.tabOpen} />
        <circle cx="54" cy="17" r="3" className={css.appFill} />
        <text x="63" y="20.5">
          jump.lua
        </text>
        <text x="152" y="20.5" className={css.faint}>
          speed.lua
        </text>
      </g>
      <CodeLines x={64} y={47} lines={SCRIPT} current={7} width={226} />
      <circle cx="74" cy="194" r="3.5" className={css.okFill} />
      <text x="83" y="197.5" className={css.hint}>
        {t('running')}
      </text>
      <RunButton x={206} y={180} />
    </Window>
  );
}

/** The assistant's part of the screen: a request, and its answer. It begins at (326, 20). */
export function V5Assistant() {
  return (
    <g transform="translate(326 20)">
      <g className={css.request}>
        <rect x="40" width="124" height="36" rx="10" className={css.prompt} />
        <text x="51" y="15" className={css.say}>
          {t('jump.1')}
        </text>
        <text x="51" y="28" className={css.say}>
          {t('jump.2')}
        </text>
      </g>
      <g className={css.answer}>
        <Spark x={2} y={46} />
        <rect x="24" y="42" width="112" height="24" rx="10" className={css.reply} />
        <text x="34" y="57.5" className={css.say}>
          {t('jump.answer')}
        </text>
      </g>
    </g>
  );
}
