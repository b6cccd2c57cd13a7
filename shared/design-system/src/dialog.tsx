import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import css from './dialog.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  isOpen: boolean;
  title: string;
  /** Called on Escape and on a click outside. */
  onClose: () => void;
  role?: 'dialog' | 'alertdialog';
  /** The name of a button in the corner that closes the dialog; undefined: there is no such button. */
  closeLabel?: string;
  /** Above the title, such as a mark or an icon. */
  art?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

/** A modal dialog. While it is open, the page behind is inert; afterwards the focus returns to where it was. */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({
  title,
  onClose,
  role = 'dialog',
  closeLabel,
  art,
  children,
  actions,
}: Omit<DialogProps, 'isOpen'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  const id = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The focus is on an action at the lower end. The visitor reads from the top.
    if (element) element.scrollTop = 0;
    // The focus returns only when the dialog closes while it is in the page.
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      role={role}
      className={css.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A text selection that ends outside is a click outside, too. So what counts is where the pointer went down.
      onPointerDown={({ target, currentTarget }) => (pressedBeside.current = target === currentTarget)}
      onClick={({ target, currentTarget }) => target === currentTarget && pressedBeside.current && onClose()}
    >
      <div className={css.panel}>
        {art && <div className={css.art}>{art}</div>}
        <h2 id={`${id}-title`} className={css.title}>
          {title}
        </h2>
        <div id={`${id}-text`} className={css.text}>
          {children}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
        {closeLabel && (
          <button type="button" className={css.close} aria-label={closeLabel} onClick={onClose}>
            <Icon name="cross" size={22} />
          </button>
        )}
      </div>
    </dialog>
  );
}
