import type { Resolution } from '@app/contracts/resolution';
import { Button, ButtonRow } from '@app/design-system/button';
import { fetchResolution, readResolution } from '../../federation/resolution.ts';
import { t } from '../../app/toasts/words.ts';
import css from './newer-version-toast.module.css';

/** Offers to load the page again, quietly: the page has its own main action. */
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

/** What tells the site's versions from this page's; undefined when they are the same, unknown, or pinned by QA. */
export async function findNewerVersion(): Promise<string | undefined> {
  const now = await fetchResolution().catch(() => undefined);
  const made = readResolution();
  if (!now || hasPins(made) || hasPins(now)) return undefined;

  const next = versionsOf(now);
  return next === versionsOf(made) ? undefined : next;
}

function hasPins({ qa }: Resolution): boolean {
  return Object.keys(qa?.pins ?? {}).length > 0;
}

function versionsOf({ units }: Resolution): string {
  return Object.entries(units)
    .map(([unit, { version }]) => `${unit}@${version}`)
    .sort()
    .join(' ');
}
