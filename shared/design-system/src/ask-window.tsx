import type { Ask } from './ask-request.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface AskWindowProps {
  ask: Ask;
  onAnswer: (agreed: boolean) => void;
}

/** The window that puts one question. */
export function AskWindow({ ask: { title, text, ok, cancel }, onAnswer }: AskWindowProps) {
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={title}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(true)}>{ok}</Button>
          {cancel && (
            <Button kind="quiet" onClick={() => onAnswer(false)}>
              {cancel}
            </Button>
          )}
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
