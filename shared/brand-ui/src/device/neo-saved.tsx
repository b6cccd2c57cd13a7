import css from './device.module.css';
import { Window } from './window-parts.tsx';
import { t } from './words.ts';

const SAVED = [
  { name: 'speed', isOn: true },
  { name: 'nightSky', isOn: true },
  { name: 'longView', isOn: false },
] as const;

/** The saved scripts of NEO with their switches, in a window at (322, 20). */
export function NeoSaved({ rows = 3 }: { rows?: 2 | 3 }) {
  return (
    <Window x={322} y={20} width={164} height={36 + rows * 28}>
      <text x="16" y="24" className={css.heading}>
        {t('saved')}
      </text>
      {SAVED.slice(0, rows).map(({ name, isOn }, index) => (
        <g key={name} transform={`translate(12 ${34 + index * 28})`}>
          <rect width="140" height="24" rx="8" className={css.raised} />
          <text x="11" y="16" className={css.say}>
            {t(name)}
          </text>
          <rect x="106" y="5" width="25" height="14" rx="7" className={isOn ? css.appFill : css.off} />
          <circle cx={isOn ? 124 : 113} cy="12" r="5" className={css.knob} />
        </g>
      ))}
    </Window>
  );
}
