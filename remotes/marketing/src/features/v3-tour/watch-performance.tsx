import { Button } from '@app/design-system/button';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import { useState, type ReactNode } from 'react';
import { t } from './words.ts';

/** A button that opens the video in a dialog. */
export function WatchPerformance({ video }: { video: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);

  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        <Icon name="play" size={18} />
        {t('v3.performance.watch')}
      </Button>
      <Dialog
        isOpen={isOpen}
        title={t('v3.performance.video')}
        onClose={close}
        actions={
          <Button kind="quiet" onClick={close}>
            {t('v3.performance.close')}
          </Button>
        }
      >
        {video}
      </Dialog>
    </>
  );
}
