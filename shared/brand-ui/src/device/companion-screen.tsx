import css from './device.module.css';
import { Window } from './window-parts.tsx';

const ITEMS = [
  { name: 'Crystal wings', before: '500', after: '300' },
  { name: 'Neon hoodie', before: '120', after: '72' },
  { name: 'Retro shades', before: '80', after: '48' },
];

/** The screen of the savings app: the share that comes back, and some purchases. */
export function CompanionScreen() {
  return (
    <Window x={34} y={20} width={452} height={212}>
      <text x="20" y="28" className={css.heading}>
        Your savings
      </text>
      <g transform="translate(92 122)">
        <circle r="54" className={css.ringTrack} />
        <circle r="54" className={css.ring} pathLength="100" transform="rotate(-90)" />
        <text y="2" textAnchor="middle" className={css.figure}>
          40%
        </text>
        <text y="20" textAnchor="middle" className={css.hint}>
          back, at most
        </text>
      </g>
      {ITEMS.map(({ name, before, after }, index) => (
        <g key={name} transform={`translate(182 ${42 + index * 52})`}>
          <rect width="254" height="44" rx="10" className={css.raised} />
          <rect x="9" y="8" width="28" height="28" rx="8" className={css.item} />
          <path d="m23 14.5 7 4v7l-7 4-7-4v-7zm0 7.5v7m0-7 7-3.5m-7 3.5-7-3.5" className={css.box} />
          <text x="48" y="26" className={css.say}>
            {name}
          </text>
          <text x="180" y="26" textAnchor="end" className={css.was}>
            {before}
          </text>
          <text x="240" y="27" textAnchor="end" className={css.price}>
            {after}
          </text>
        </g>
      ))}
    </Window>
  );
}
