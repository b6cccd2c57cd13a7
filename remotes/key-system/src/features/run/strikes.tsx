import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { t } from '../../words.ts';
import css from './strikes.module.css';

/** What so many strikes in a day lead to. */
const ENDS = { 3: 'strikes.third', 5: 'strikes.fifth' } as const;

const PLACES = [1, 2, 3, 4, 5] as const;

/** The strikes of a visitor, up to the timeouts that they lead to, and a warning. */
export function Strikes({ count, children }: { count: number; children: string }) {
  return (
    <div className={css.strikes}>
      <ol className={css.places} aria-hidden="true">
        {PLACES.map((place) => (
          <li key={place} data-hit={place <= count}>
            {place in ENDS && <span>{t(ENDS[place as keyof typeof ENDS])}</span>}
          </li>
        ))}
      </ol>
      <p>
        <strong>{t('refusal.strikes', { strikes: count })}</strong>{' '}
        <VisuallyHidden>{t('refusal.ladder')}</VisuallyHidden> <span>{children}</span>
      </p>
    </div>
  );
}
