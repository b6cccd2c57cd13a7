import { useEffect, useState, type ComponentType } from 'react';
import type { ConfirmDialogProps } from './confirm-dialog.tsx';
import { acceptConfirms, type ConfirmRequest } from './confirm-request.ts';

/**
 * Shows the dialogs of `showConfirm` and `showAlert` for all units, one after the other. The shell renders it once in
 * the page. The code of the dialog is loaded with the first request; when that fails, the answer is no.
 */
export function ConfirmHost() {
  const [loaded, setLoaded] = useState<{ ConfirmDialog: ComponentType<ConfirmDialogProps> }>();
  const [waiting, setWaiting] = useState<readonly ConfirmRequest[]>([]);
  const [answered, setAnswered] = useState(0);
  const [first] = waiting;

  useEffect(
    () =>
      acceptConfirms(window, (request) => {
        import(/* webpackChunkName: "confirm-dialog" */ './confirm-dialog.tsx').then(
          (module) => {
            setLoaded(module);
            setWaiting((others) => [...others, request]);
          },
          () => request.answer(false),
        );
      }),
    [],
  );

  function answer(agreed: boolean) {
    first?.answer(agreed);
    setWaiting((requests) => requests.filter((request) => request !== first));
    setAnswered((count) => count + 1);
  }

  // With a new key, the next request is a new dialog and takes the focus again.
  return loaded && first && <loaded.ConfirmDialog key={answered} request={first} onAnswer={answer} />;
}
