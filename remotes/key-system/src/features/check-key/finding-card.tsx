import { Button } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { FactList } from '@app/design-system/fact-list';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import { isFromPlan, type Finding, type ServerFinding } from './check-key.ts';
import css from './finding-card.module.css';

interface FindingCardProps {
  checkedKey: string;
  finding: Finding;
  /** The server's result; undefined until the visitor asks for it. */
  server: ServerFinding | undefined;
  isBusy: boolean;
  onAskServer: () => void;
}

/** Shows the result of a check. When the signature is right, it also shows the content of the key. */
export function FindingCard({ checkedKey, finding, server, isBusy, onAskServer }: FindingCardProps) {
  const { code } = finding;

  return (
    <section className={css.card} data-good={code === 'VALID'} aria-label={t('check.result')}>
      <div className={css.head} role="status">
        <span className={css.sign}>
          <Icon name={code === 'VALID' ? 'check' : 'warning'} size={24} />
        </span>
        <div className={css.words}>
          <h2 className={css.title}>{t(`check.${code}.what`)}</h2>
          <p className={css.text}>{t(`check.${code}.next`)}</p>
        </div>
        <code className={css.code}>{code}</code>
      </div>
      {'expiresAt' in finding && (
        <FactList
          facts={[
            { label: t('check.app'), value: finding.app },
            { label: t('check.from'), value: t(isFromPlan(checkedKey) ? 'check.from.plan' : 'check.from.steps') },
            { label: t('check.madeAt'), value: momentOf(finding.issuedAt) },
            { label: t('check.worksUntil'), value: momentOf(finding.expiresAt) },
            ...(code === 'VALID'
              ? [{ label: t('key.stillWorks'), value: <Countdown endsAt={finding.expiresAt * 1000} /> }]
              : []),
          ]}
        />
      )}
      {(code === 'VALID' || code === 'UNSUPPORTED') && (
        <div className={css.server}>
          <p className={css.text} role="status">
            {server
              ? t('check.serverSays', { words: t(`check.${server.code}.what`), app: server.app })
              : t('check.serverKnows')}
          </p>
          <Button kind="quiet" disabled={isBusy} onClick={onAskServer}>
            {t('check.askServer')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** @param seconds since 1970 */
function momentOf(seconds: number): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000);
}
