import { useId, type ReactNode } from 'react';
import css from './form-field.module.css';

/** The props that the input or textarea has to take from its field. */
interface ControlProps {
  id: string;
  className: string | undefined;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

interface FormFieldProps {
  label: string;
  /** For keys, ids and scripts, which people compare letter by letter. */
  isCode?: boolean;
  /**
   * A text below the control: a hint, or the result of the last attempt. Screen readers read each change, and a failure
   * at once. `error` means that the control's value is wrong, `failed` that something else is. The custom property
   * `--message-room` reserves the height.
   */
  message?: { kind: 'hint' | 'ok' | 'error' | 'failed'; text: string };
  action?: ReactNode;
  /** Renders the control with the given props. */
  children: (control: ControlProps) => ReactNode;
}

/** A label, a control and a message. Their ids connect them for screen readers. */
export function FormField({ label, isCode = false, message, action, children }: FormFieldProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const role = message?.kind === 'error' || message?.kind === 'failed' ? 'alert' : 'status';
  const control = children({
    id,
    className: isCode ? `${css.control} ${css.code}` : css.control,
    ...(message && { 'aria-describedby': messageId, 'aria-invalid': message.kind === 'error' }),
  });

  const text = message && (
    // Screen readers notice an alert that appears, but not an element that becomes one.
    <p key={role} id={messageId} className={css.message} role={role} data-kind={message.kind}>
      {message.text}
    </p>
  );

  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {action ? (
        <div className={css.row}>
          {control}
          {text}
          {action}
        </div>
      ) : (
        <>
          {control}
          {text}
        </>
      )}
    </div>
  );
}
