import { useId, type ReactNode } from 'react';
import { Badge, type BadgeKind } from './badge.tsx';
import css from './choice-cards.module.css';

export interface Choice<Value extends string> {
  value: Value;
  title: string;
  badge?: { kind: BadgeKind; text: string };
  /** Above the title: a mark, or a drawing. */
  art?: ReactNode;
  children?: ReactNode;
  /** A link or button in the card. A click on it does not choose the card. */
  action?: ReactNode;
  /** Data attributes of the card. By them a style sheet can give the card another `--choice` colour. */
  data?: Readonly<Record<`data-${string}`, string>>;
}

interface ChoiceCardsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly Choice<Value>[];
}

/** A group of cards; the visitor chooses one. They are radio buttons, so the browser handles the keyboard. */
export function ChoiceCards<Value extends string>({ label, value, onChange, choices }: ChoiceCardsProps<Value>) {
  const name = useId();

  return (
    <div role="radiogroup" aria-label={label} className={css.cards}>
      {choices.map((choice) => (
        <div key={choice.value} className={css.card} {...choice.data}>
          <label className={css.label}>
            <input
              type="radio"
              className={css.radio}
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className={css.head}>
              {choice.art}
              {choice.badge && <Badge kind={choice.badge.kind}>{choice.badge.text}</Badge>}
            </span>
            <span className={css.title}>{choice.title}</span>
          </label>
          {choice.children && <div className={css.text}>{choice.children}</div>}
          {choice.action && <div className={css.action}>{choice.action}</div>}
        </div>
      ))}
    </div>
  );
}
