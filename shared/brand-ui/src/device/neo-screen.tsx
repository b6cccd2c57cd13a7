import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { RunButton, Window } from './window-parts.tsx';

const SCRIPT = [
  'local hero = game.player',
  'hero.speed = 32',
  '',
  'while hero.alive do',
  '  hero.glow("cyan")',
  '  wait(1)',
  'end',
];

const SAVED = [
  { name: 'Speed', isOn: true },
  { name: 'Night sky', isOn: true },
  { name: 'Long view', isOn: false },
];

/** The screen of NEO: a small editor, and the saved scripts above the game. */
export function NeoScreen() {
  return (
    <>
      <Window x={34} y={20} width={272} height={200}>
        <text x="20" y="24" className={css.heading}>
          Editor
        </text>
        <text x="252" y="24" textAnchor="end" className={css.hint}>
          speed.lua
        </text>
        <CodeLines x={30} y={54} lines={SCRIPT} current={1} width={248} />
        <RunButton x={194} y={162} />
        <rect x="120" y="162" width="66" height="24" rx="8" className={css.raised} />
        <text x="153" y="178" textAnchor="middle" className={css.say}>
          Clear
        </text>
      </Window>
      <NeoSaved />
    </>
  );
}

/** The saved scripts of NEO with their switches, in a window at (322, 20). */
export function NeoSaved() {
  return (
    <Window x={322} y={20} width={164} height={120}>
      <text x="16" y="24" className={css.heading}>
        Saved
      </text>
      {SAVED.map(({ name, isOn }, index) => (
        <g key={name} transform={`translate(12 ${34 + index * 28})`}>
          <rect width="140" height="24" rx="8" className={css.raised} />
          <text x="11" y="16" className={css.say}>
            {name}
          </text>
          <rect x="106" y="5" width="25" height="14" rx="7" className={isOn ? css.appFill : css.off} />
          <circle cx={isOn ? 124 : 113} cy="12" r="5" className={css.knob} />
        </g>
      ))}
    </Window>
  );
}
