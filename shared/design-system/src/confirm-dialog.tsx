import { Button } from './button.tsx';
import type { ConfirmRequest } from './confirm-request.ts';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  request: ConfirmRequest;
  onAnswer: (agreed: boolean) => void;
}

export function ConfirmDialog({ request: { title, text, ok, cancel }, onAnswer }: ConfirmDialogProps) {
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
