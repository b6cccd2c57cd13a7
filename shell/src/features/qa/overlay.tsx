import { isPreview } from '@app/contracts/release';
import type { Resolution } from '@app/contracts/resolution';
import { Button } from '@app/design-system/button';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import { useState, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { formatDateTime, formatTime } from '../../date.ts';
import { listLostPins } from './describe-page.ts';
import { LocalBadge } from './local-unit.tsx';
import css from './overlay.module.css';
import { t as tPreview } from './preview/words.ts';
import { QaBoard } from './qa-board.tsx';
import { changeAndReload, leavePins } from './qa-calls.ts';
import { t } from './words.ts';

const useIsOpen = create(() => false);

export function toggleOverlay(): void {
  useIsOpen.setState((isOpen) => !isOpen, true);
}

export function Overlay({ resolution }: { resolution: Resolution }) {
  const isOpen = useIsOpen();
  const [notice, setNotice] = useState(resolution.qa?.notice);
  const { until, local, pins = {} } = resolution.qa ?? {};
  const isPreviewed = Object.keys(pins).length > 0 && Object.values(pins).every(isPreview);
  const lost = useSyncExternalStore(watchPage, () => listLostPins(resolution).join());
  const { label, others } = describePins(resolution, lost.split(','));

  return (
    <>
      {(label ?? notice ?? local) !== undefined && (
        <aside className={css.corner} aria-label={isPreviewed ? tPreview('label') : t('eyebrow')}>
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
          {local && <LocalBadge local={local} onOpen={toggleOverlay} />}
          {isPreviewed ? (
            <PreviewBadge
              previews={Object.entries(pins).map((pair) => pair.join(' '))}
              lost={lost.split(',')}
              until={until}
              onLeave={() => changeAndReload(leavePins)}
            />
          ) : (
            (label ?? notice) !== undefined && (
              <button type="button" className={css.badge} onClick={toggleOverlay}>
                <span className={css.label}>{label ?? t('badge.notice')}</span>
                {others > 0 && <span className={css.more}>{t('badge.more', { count: others })}</span>}
                {until !== undefined && (
                  <span className={css.until}>{t('badge.until', { until: formatTime(until) })}</span>
                )}
              </button>
            )
          )}
        </aside>
      )}
      <Dialog isOpen={isOpen} wide title={t('title')} closeLabel={t('close')} onClose={toggleOverlay}>
        <QaBoard />
      </Dialog>
    </>
  );
}

/** The first of what is pinned or simulated, and how many others there are. Pins that the page lacks come first. */
function describePins({ qa, units }: Resolution, lost: readonly string[]): { label?: string; others: number } {
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

interface PreviewBadgeProps {
  /** The previews of this browser, such as `news 0.3.0-preview.0a1b2c3d4e5f`. */
  previews: readonly string[];
  /** Those of them that this page does not have. */
  lost: readonly string[];
  until: number | undefined;
  onLeave: () => void;
}

/** Says which unreleased versions this browser shows, and leads out. */
function PreviewBadge({ previews, lost, until, onLeave }: PreviewBadgeProps) {
  const what = previews.find((preview) => lost.includes(preview)) ?? previews[0] ?? '';
  const others = previews.length - 1;

  return (
    <div className={css.preview}>
      <p className={css.facts}>
        <span className={css.version}>{tPreview(lost.includes(what) ? 'lost' : 'what', { what })}</span>
        {others > 0 && <span className={css.version}>{tPreview('more', { count: others })}</span>}
        {until !== undefined && <span className={css.ends}>{tPreview('until', { until: formatDateTime(until) })}</span>}
      </p>
      <Button kind="quiet" onClick={onLeave}>
        {tPreview('leave')}
      </Button>
    </div>
  );
}
