import { Card } from '@app/design-system/card';
import texts from '@app/design-system/text.module.css';
import { useState, type PointerEvent } from 'react';
import { dayOf } from '../../numbers.ts';
import { exactShareOf, gradeOf, type Day } from './days.ts';
import { t } from './words.ts';
import css from './uptime.module.css';

const DAYS = 90;

/** A bar for each day, as it is drawn until the figures come. */
const UNKNOWN: readonly Day[] = Array.from({ length: DAYS }, () => ({ day: '', up: 0, of: 0 }));

/** The share of the minutes in which the site was up, as one figure and by day. One bar at a time says its own. */
export function Uptime({ days = UNKNOWN }: { days?: readonly Day[] | undefined }) {
  const [chosen, setChosen] = useState<number>();
  const last = days.length - 1;
  const known = days.filter(({ of }) => of > 0);
  const isAll = known.length === days.length;
  const sum = (of: 'up' | 'of') => known.reduce((total, day) => total + day[of], 0);
  const [first] = known;
  const span =
    first && (isAll ? t('status.all', { days: known.length }) : t('status.since', { day: dayOf(first.day) }));
  const shown = chosen ?? last;

  const choose = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
  };

  return (
    <Card label={t('status.uptime')}>
      <div className={css.head}>
        <h2 className={css.heading}>{t('status.uptime')}</h2>
        <p className={css.total}>
          <b className={css.share}>{known.length > 0 ? exactShareOf(sum('up'), sum('of')) : '–'}</b>
          {/* Another element once it is known: a text that begins further right would count as moved. */}
          <span key={span} className={texts.quiet}>
            {span ?? '\u00a0'}
          </span>
        </p>
        <p className={css.said}>{days[shown]?.day && describe(days, shown)}</p>
      </div>
      <label
        className={css.days}
        data-chosen={chosen !== undefined}
        onPointerDown={choose}
        onPointerMove={choose}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(undefined)}
      >
        {days.map((day, nth) => (
          <span
            key={day.day || nth}
            className={css.day}
            data-grade={gradeOf(day)}
            data-chosen={nth === chosen || undefined}
          />
        ))}
        <input
          className={css.range}
          type="range"
          max={last}
          value={shown}
          aria-label={t('status.day')}
          aria-valuetext={describe(days, shown)}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </label>
      <p className={css.ends}>
        <span>{days[0]?.day && dayOf(days[0].day)}</span>
        <span>{t('status.today')}</span>
      </p>
      <p className={texts.note}>{t('status.how')}</p>
    </Card>
  );
}

/** What a bar says. */
function describe(days: readonly Day[], nth: number): string {
  const { day, up, of } = days[nth] ?? { day: '', up: 0, of: 0 };
  const name = nth === days.length - 1 ? t('status.today') : day && dayOf(day);
  if (of === 0) return t('status.bar.none', { day: name });

  const share = exactShareOf(up, of);
  return up < of
    ? t('status.bar.down', { day: name, share, time: timeOf(of - up) })
    : t('status.bar', { day: name, share });
}

function timeOf(minutes: number): string {
  if (minutes < 60) return t('status.time', { minutes });
  return t('status.time.long', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
