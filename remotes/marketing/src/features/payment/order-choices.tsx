import { useStatusRole } from '@app/design-system/use-status-role';
import { useId, type ReactNode } from 'react';
import css from './order-choices.module.css';
import { useChoices, type Choices } from './use-choices.ts';
import { t } from './words.ts';

interface OrderChoicesProps {
  /** The reference of the order. */
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
