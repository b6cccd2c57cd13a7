import { Button, ButtonRow } from '@app/design-system/button';
import { t } from '../../words.ts';
import css from './newer-version-toast.module.css';

export { findNewer } from './find-newer.ts';

/**
 * Offers to load the page again, quietly: the page has its own main action. The visitor decides when; until then the tab
 * keeps the versions that it has.
 */
export function NewerVersionToast({ onClose }: { onClose: () => void }) {
  return (
    <div className={css.offer}>
      <p>{t('newer.text')}</p>
      <ButtonRow>
        <Button kind="quiet" onClick={() => location.reload()}>
          {t('newer.reload')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t('newer.close')}
        </Button>
      </ButtonRow>
    </div>
  );
}
