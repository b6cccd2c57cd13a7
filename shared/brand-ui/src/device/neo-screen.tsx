import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { NeoSaved } from './neo-saved.tsx';
import { RunButton, Window } from './window-parts.tsx';
import { t } from './words.ts';

const SCRIPT = [
  'local hero = game.player',
  'hero.speed = 32',
  '',
  'while hero.alive do',
  '  hero.glow("cyan")',
  '  wait(1)',
  'end',
];

/** The screen of NEO: a small editor, and the saved scripts above the game. */
export function NeoScreen() {
  return (
    <>
      <Window x={34} y={20} width={272} height={200}>
        <text x="20" y="24" className={css.heading}>
          {t('editor')}
        </text>
        <text x="252" y="24" textAnchor="end" className={css.hint}>
          speed.lua
        </text>
        <CodeLines x={30} y={54} lines={SCRIPT} current={1} width={248} />
        <RunButton x={194} y={162} />
        <rect x="120" y="162" width="66" height="24" rx="8" className={css.raised} />
        <text x="153" y="178" textAnchor="middle" className={css.say}>
          {t('clear')}
        </text>
      </Window>
      <NeoSaved />
    </>
  );
}
