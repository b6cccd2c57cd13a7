import css from './device.module.css';
import { Window } from './window-parts.tsx';
import { t } from './words.ts';

const ITEMS = [
  { name: 'item.wings', before: '500', after: '300' },
  { name: 'item.hoodie', before: '120', after: '72' },
] as const;

/**
 * The screen of the savings app: the share that comes back, and some purchases. The words are large, because on a phone
 * the whole device is in sight.
 */
export function CompanionScreen() {
  return (
    <Window x={32} y={16} width={458} height={220}>
      <g transform="translate(96 110)">
        <circle r="72" className={css.ringTrack} />
        <circle r="72" className={css.ring} pathLength="100" transform="rotate(-90)" />
        <text y="-22" textAnchor="middle" className={`${css.hint} ${css.large}`}>
          {t('share.upTo')}
        </text>
        <text y="9" textAnchor="middle" className={css.figure}>
          40%
        </text>
        <text y="32" textAnchor="middle" className={`${css.hint} ${css.large}`}>
          {t('share.back')}
        </text>
      </g>
      {ITEMS.map(({ name, before, after }, index) => (
        <g key={name} transform={`translate(192 ${16 + index * 98})`}>
          <rect width="250" height="90" rx="16" className={css.raised} />
          <rect x="14" y="20" width="50" height="50" rx="14" className={css.item} />
          <path
            d="m39 31 12.500 7v13.500l-12.500 7-12.500-7V38zm0 14v13.500m0-13.500 12.500-7m-12.500 7-12.500-7"
            className={css.box}
          />
          <text x="78" y="39" className={`${css.say} ${css.large}`}>
            {t(name)}
          </text>
          <text x="78" y="69" className={css.price}>
            {after}
            <tspan dx="8" className={`${css.was} ${css.large}`}>
              {before}
            </tspan>
          </text>
        </g>
      ))}
    </Window>
  );
}
