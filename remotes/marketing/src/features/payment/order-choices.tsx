import { useStatusRole } from '@app/design-system/use-status-role';
import { fetchJson, postJson } from '@app/platform';
import { type ReactNode, useId, useRef, useState } from 'react';
import css from './order-choices.module.css';
import { t } from './words.ts';

interface OrderChoicesProps {
  reference: string;
  first: Choices;
}

/** Two questions after a payment. Both begin with no, and each answer is saved at once. */
export function OrderChoices({ reference, first }: OrderChoicesProps) {
  const { choices, saving, choose } = useChoices(reference, first);
  const role = useStatusRole(saving);

  return (
    <div className={css.choices}>
      <fieldset className={css.questions}>
        <legend className={css.heading}>{t('choices.heading')}</legend>
        <Choice isYes={choices.showsName} hint={t('choices.name.hint')} onChoose={(showsName) => choose({ showsName })}>
          {t('choices.name')}
        </Choice>
        <Choice
          isYes={choices.wantsReminder}
          hint={t('choices.reminder.hint')}
          onChoose={(wantsReminder) => choose({ wantsReminder })}
        >
          {t('choices.reminder')}
        </Choice>
      </fieldset>
      <p className={css.state} role={role} data-is={saving}>
        {t(`choices.${saving}`)}
      </p>
    </div>
  );
}

interface ChoiceProps {
  isYes: boolean;
  /** What a yes does. */
  hint: string;
  onChoose: (isYes: boolean) => void;
  children: ReactNode;
}

function Choice({ isYes, hint, onChoose, children }: ChoiceProps) {
  const id = useId();

  return (
    <div className={css.choice}>
      <label className={css.label}>
        <span>{children}</span>
        <input
          className={css.switch}
          type="checkbox"
          role="switch"
          checked={isYes}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </label>
      <p id={`${id}-hint`} className={css.hint}>
        {hint}
      </p>
    </div>
  );
}

/** What a buyer is asked after the payment. */
export interface Choices {
  /** Whether the buyer's name may pass by as a toast. */
  showsName: boolean;
  /** Whether a mail before the end of the plan is wanted. */
  wantsReminder: boolean;
}

type Saving = 'idle' | 'saving' | 'saved' | 'failed';

/**
 * Keeps the choices of a buyer, and saves each change at once, one after the other. When one cannot be saved, the
 * choices that the server has are shown again.
 */
function useChoices(ref: string, first: Choices) {
  const [choices, setChoices] = useState(first);
  const [saving, setSaving] = useState<Saving>('idle');
  const saved = useRef(first);
  const last = useRef<Promise<void>>(Promise.resolve());

  async function save(next: Choices) {
    await fetchJson('/api/order-consent', postJson({ ref, ...next }));
    saved.current = next;
  }

  function choose(change: Partial<Choices>) {
    const next = { ...choices, ...change };
    setChoices(next);
    setSaving('saving');

    const mine = (last.current = last.current.then(() => save(next)).catch(() => undefined));
    void mine.then(() => {
      if (last.current !== mine) return;
      setSaving(saved.current === next ? 'saved' : 'failed');
      setChoices(saved.current);
    });
  }

  return { choices, saving, choose };
}
