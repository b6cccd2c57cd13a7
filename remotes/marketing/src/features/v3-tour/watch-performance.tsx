import { TRAILER } from '@app/contracts/brand';
import { Button, buttonClass } from '@app/design-system/button';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import { useState, type ReactNode } from 'react';
import { t } from './words.ts';

/** Opens the video in a dialog; before the page works, where it was published. */
export function WatchPerformance({ video }: { video: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);

  return (
    <>
      <a
        className={buttonClass({ kind: 'quiet' })}
        href={TRAILER.fallback}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        <Icon name="play" size={18} />
        {t('v3.performance.watch')}
      </a>
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
