import type { Resolution } from '@app/contracts/resolution';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import { useState, useSyncExternalStore } from 'react';
import { formatTime } from './format-time.ts';
import css from './overlay.module.css';
import { QaBoard } from './qa-board.tsx';
import { t } from './words.ts';

let isOpen = false;
const listeners = new Set<() => void>();

/** Opens the panel, or closes it. */
export function toggle(): void {
  isOpen = !isOpen;
  for (const listener of listeners) listener();
}

/** The badge and the panel over the page. */
export function Overlay({ resolution }: { resolution: Resolution }) {
  const isShown = useSyncExternalStore(listen, () => isOpen);
  const [notice, setNotice] = useState(resolution.qa?.notice);
  const { until } = resolution.qa ?? {};
  const { label, others } = describe(resolution);

  return (
    <>
      {(label ?? notice) !== undefined && (
        <aside className={css.corner} aria-label={t('eyebrow')}>
          {notice !== undefined && (
            <div className={css.notice}>
              <p role="status">{notice}</p>
              <button
                type="button"
                className={css.close}
                aria-label={t('notice.close')}
                onClick={() => setNotice(undefined)}
              >
                <Icon name="cross" />
              </button>
            </div>
          )}
          <button type="button" className={css.badge} onClick={toggle}>
            <span className={css.label}>{label ?? t('badge.notice')}</span>
            {others > 0 && <span className={css.more}>{t('badge.more', { count: others })}</span>}
            {until !== undefined && <span className={css.until}>{t('badge.until', { until: formatTime(until) })}</span>}
          </button>
        </aside>
      )}
      <Dialog isOpen={isShown} wide title={t('title')} closeLabel={t('close')} onClose={toggle}>
        <QaBoard />
      </Dialog>
    </>
  );
}

/** What is pinned or simulated: the first of it in a few words, and how many others there are. */
function describe({ qa, units }: Resolution): { label?: string; others: number } {
  const pins = Object.entries(qa?.pins ?? {}).map((pair) => t('badge.pin', { what: pair.join(' ') }));
  const faults = Object.entries(units).flatMap(([unit, { fault }]) =>
    fault ? [t('badge.fault', { what: `${unit} ${fault}` })] : [],
  );
  const [label, ...others] = [...pins, ...faults];
  return { ...(label !== undefined && { label }), others: others.length };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
