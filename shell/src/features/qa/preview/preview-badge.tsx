import { Button } from '@app/design-system/button';
import { formatDateTime } from '../../../date.ts';
import css from '../overlay.module.css';
import { t } from './words.ts';

interface PreviewBadgeProps {
  /** The previews of this browser, such as `news 0.3.0-preview.0a1b2c3d4e5f`. */
  previews: readonly string[];
  /** Those of them that this page does not have. */
  lost: readonly string[];
  until: number | undefined;
  onLeave: () => void;
}

/** Says which unreleased versions this browser shows, and leads out. */
export function PreviewBadge({ previews, lost, until, onLeave }: PreviewBadgeProps) {
  const what = previews.find((preview) => lost.includes(preview)) ?? previews[0] ?? '';
  const others = previews.length - 1;

  return (
    <div className={css.preview}>
      <p className={css.facts}>
        <span className={css.version}>{t(lost.includes(what) ? 'lost' : 'what', { what })}</span>
        {others > 0 && <span className={css.version}>{t('more', { count: others })}</span>}
        {until !== undefined && <span className={css.ends}>{t('until', { until: formatDateTime(until) })}</span>}
      </p>
      <Button kind="quiet" onClick={onLeave}>
        {t('leave')}
      </Button>
    </div>
  );
}
