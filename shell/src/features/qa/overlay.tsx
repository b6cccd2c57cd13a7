import type { Resolution } from '@app/contracts/resolution';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import { useState, useSyncExternalStore } from 'react';
import { listLostPins } from './describe-page.ts';
import { timeOf } from '../../moment.ts';
import css from './overlay.module.css';
import { QaBoard } from './qa-board.tsx';
import { t } from './words.ts';

let isOpen = false;
const listeners = new Set<() => void>();

export function toggle(): void {
  isOpen = !isOpen;
  for (const listener of listeners) listener();
}

export function Overlay({ resolution }: { resolution: Resolution }) {
  const isShown = useSyncExternalStore(listen, () => isOpen);
  const [notice, setNotice] = useState(resolution.qa?.notice);
  const { until } = resolution.qa ?? {};
  const lost = useSyncExternalStore(watchPage, () => listLostPins(resolution).join());
  const { label, others } = describe(resolution, lost.split(','));

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
            {until !== undefined && <span className={css.until}>{t('badge.until', { until: timeOf(until) })}</span>}
          </button>
        </aside>
      )}
      <Dialog isOpen={isShown} wide title={t('title')} closeLabel={t('close')} onClose={toggle}>
        <QaBoard />
      </Dialog>
    </>
  );
}

/**
 * What is pinned or simulated: the first of it in a few words, and how many others there are. Pins that the page does not
 * have come first.
 */
function describe({ qa, units }: Resolution, lost: readonly string[]): { label?: string; others: number } {
  const pins = Object.entries(qa?.pins ?? {})
    .map((pair) => pair.join(' '))
    .sort((a, b) => Number(lost.includes(b)) - Number(lost.includes(a)))
    .map((what) => t(lost.includes(what) ? 'badge.lost' : 'badge.pin', { what }));
  const faults = Object.entries(units).flatMap(([unit, { fault }]) =>
    fault ? [t('badge.fault', { what: `${unit} ${fault}` })] : [],
  );
  const [label, ...others] = [...pins, ...faults];
  return { ...(label !== undefined && { label }), others: others.length };
}

/** A release may be replaced at any time: the page then has another element of its unit. */
function watchPage(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-source'] });
  return () => observer.disconnect();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
