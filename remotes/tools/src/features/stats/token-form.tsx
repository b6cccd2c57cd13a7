import { Button } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { FormField } from '@app/design-system/form-field';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { OutcomeBars } from './charts.tsx';
import css from './figures.module.css';
import { t } from './words.ts';

/** Made up, and said to be. */
const EXAMPLE = [
  { sent: 1200, returned: 1060, credited: 980, refused: 50, lost: 140 },
  { sent: 940, returned: 880, credited: 850, refused: 20, lost: 60 },
  { sent: 820, returned: 790, credited: 770, refused: 10, lost: 30 },
];

interface TokenFormProps {
  /** Why the last token shows no figures. */
  problem: 'malformed' | 'unknown' | 'expired' | undefined;
  /** What the field begins with. */
  told: string;
  /** Whether the form answers something that the visitor did. */
  isAsked: boolean;
  tell: (token: string) => void;
}

export function TokenForm({ problem, told, isAsked, tell }: TokenFormProps) {
  const [typed, setTyped] = useState(told);
  const field = useLostFocus<HTMLInputElement>(isAsked);

  return (
    <div className={css.charts}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tell(typed);
          field.current?.focus();
        }}
      >
        <Card>
          <FormField
            isCode
            label={t('stats.token')}
            message={
              problem ? { kind: 'error', text: t(`stats.${problem}`) } : { kind: 'hint', text: t('stats.where') }
            }
          >
            {(control) => (
              <input
                {...control}
                ref={field}
                type="password"
                required
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="stats_…"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </FormField>
          <Button type="submit">{t('stats.show')}</Button>
        </Card>
      </form>
      <OutcomeBars
        isScaled
        heading={t('stats.example')}
        lead={t('stats.example.lead')}
        of={t('stats.place')}
        rows={EXAMPLE.map((sums, nth) => ({ id: String(nth), label: t('stats.step', { step: nth + 1 }), sums }))}
      />
    </div>
  );
}

/** The ref for what appears in the place of the control that had the focus. What a page begins with takes none. */
export function useLostFocus<Taker extends HTMLElement>(isAsked: boolean): RefObject<Taker | null> {
  const taker = useRef<Taker>(null);
  const take = useEffectEvent(() => {
    if (isAsked && document.activeElement === document.body) taker.current?.focus();
  });
  useEffect(() => take(), []);

  return taker;
}
