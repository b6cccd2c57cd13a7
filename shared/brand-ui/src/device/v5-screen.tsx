import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { Rail, RunButton, Spark, Window } from './window-parts.tsx';

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

/** The screen of V5: a navigation rail, the editor with its tabs, and the assistant. */
export function V5Screen() {
  return (
    <Window x={34} y={20} width={452} height={212}>
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
        <text x="218" y="20.5" className={css.faint}>
          +
        </text>
      </g>
      <CodeLines x={64} y={47} lines={SCRIPT} current={7} width={238} />
      <g transform="translate(300 36)">
        <rect width="142" height="132" rx="10" className={css.raised} />
        <rect x="26" y="10" width="106" height="36" rx="9" className={css.prompt} />
        <text x="36" y="25" className={css.say}>
          Let me jump
        </text>
        <text x="36" y="38" className={css.say}>
          twice in the air
        </text>
        <Spark x={10} y={56} />
        <rect x="30" y="54" width="102" height="46" rx="9" className={css.reply} />
        <text x="39" y="69" className={css.say}>
          Done. A second
        </text>
        <text x="39" y="81" className={css.say}>
          jump now gives
        </text>
        <text x="39" y="93" className={css.say}>
          you a boost.
        </text>
        <rect x="10" y="108" width="122" height="16" rx="8" className={css.field} />
        <text x="19" y="119" className={css.hint}>
          Ask for a script
        </text>
      </g>
      <circle cx="52" cy="194" r="3.5" className={css.okFill} />
      <text x="61" y="197.5" className={css.hint}>
        Attached
      </text>
      <RunButton x={376} y={180} />
    </Window>
  );
}
