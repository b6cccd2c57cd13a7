import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import css from './dialog.module.css';
import { Icon } from './icon.tsx';
import { joinClasses } from './join-classes.ts';

/** How long the backdrop flashes when a click on it does not close the dialog. */
const FLASH_DURATION_MS = 100;

interface DialogProps {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  /** For a dialog to work in: it is wider, and screen readers do not read all of it when it opens. */
  wide?: boolean;
  /** Stays open at a click outside, which only makes the backdrop flash. */
  stays?: boolean;
  role?: 'dialog' | 'alertdialog';
  /** The name of a button in the corner that closes the dialog; undefined: there is no such button. */
  closeLabel?: string;
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
  wide = false,
  stays = false,
  role = 'dialog',
  closeLabel,
  art,
  children,
  actions,
}: Omit<DialogProps, 'isOpen'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const footer = useRef<HTMLDivElement>(null);
  const pressedBeside = useRef(false);
  const [isFlashing, flash] = useFlash();
  const id = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser would take the first link of the text. A finger needs no action that is focused, nor the ring round it.
    const isTouched = matchMedia('(hover: none)').matches;
    (isTouched ? element : footer.current?.querySelector<HTMLElement>('a, button'))?.focus();
    // The focus is on an action at the lower end. The visitor reads from the top.
    if (element) element.scrollTop = 0;
    // The focus returns only when the dialog closes while it is in the page.
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      role={role}
      tabIndex={-1}
      className={joinClasses(css.dialog, wide && css.wide, isFlashing && css.flashing)}
      aria-labelledby={`${id}-title`}
      aria-describedby={wide ? undefined : `${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A text selection that ends outside is a click outside, too. So what counts is where the pointer went down.
      onPointerDown={({ target, currentTarget }) => (pressedBeside.current = target === currentTarget)}
      onClick={({ target, currentTarget }) =>
        target === currentTarget && pressedBeside.current && (stays ? flash : onClose)()
      }
    >
      <div className={css.panel}>
        {art && <div className={css.art}>{art}</div>}
        <h2 id={`${id}-title`} className={joinClasses(css.title, closeLabel && css.besideClose)}>
          {title}
        </h2>
        <div id={`${id}-text`} className={css.text}>
          {children}
        </div>
        {actions && (
          <div ref={footer} className={css.actions}>
            {actions}
          </div>
        )}
        {closeLabel && (
          <button type="button" className={css.close} aria-label={closeLabel} onClick={onClose}>
            <Icon name="cross" size={22} />
          </button>
        )}
      </div>
    </dialog>
  );
}

function useFlash(): [isFlashing: boolean, flash: () => void] {
  const [isFlashing, setIsFlashing] = useState(false);

  useEffect(() => {
    if (!isFlashing) return;

    const timer = setTimeout(() => setIsFlashing(false), FLASH_DURATION_MS);
    return () => clearTimeout(timer);
  }, [isFlashing]);

  return [isFlashing, () => setIsFlashing(true)];
}
