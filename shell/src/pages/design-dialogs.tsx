import { AppMark } from '@app/brand-ui/app-mark';
import { Button, ButtonRow } from '@app/design-system/button';
import { showAlert, showConfirm } from '@app/design-system/confirm';
import { Dialog } from '@app/design-system/dialog';
import { useState } from 'react';

/** A button for each kind of dialog, and the visitor's last answer. */
export function DesignDialogs() {
  const [open, setOpen] = useState<'leaves' | 'stays'>();
  const [answer, setAnswer] = useState<string>();
  const close = () => setOpen(undefined);

  return (
    <>
      <ButtonRow>
        <Button kind="quiet" onClick={() => setOpen('leaves')}>
          Dialog
        </Button>
        <Button kind="quiet" onClick={() => setOpen('stays')}>
          Dialog that stays
        </Button>
        <Button
          kind="quiet"
          onClick={() =>
            void showConfirm({ title: 'Go on?', text: 'This opens the app.' }).then((agreed) =>
              setAnswer(String(agreed)),
            )
          }
        >
          Confirm
        </Button>
        <Button
          kind="quiet"
          onClick={() =>
            void showAlert({ title: 'Not yet', text: 'The captcha has to be solved first.' }).then(() =>
              setAnswer('read'),
            )
          }
        >
          Alert
        </Button>
      </ButtonRow>
      {answer && <p role="status">Answer: {answer}</p>}
      <Dialog
        isOpen={open !== undefined}
        stays={open === 'stays'}
        title="Key System completed!"
        art={<AppMark app="v5" size={56} />}
        onClose={close}
        actions={<Button onClick={close}>Launch</Button>}
      >
        <p>The key works for 24 hours. After that the key system has to be done again.</p>
      </Dialog>
    </>
  );
}
