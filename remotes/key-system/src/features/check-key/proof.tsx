import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { Button } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { FactList } from '@app/design-system/fact-list';
import { Icon } from '@app/design-system/icon';
import text from '@app/design-system/text.module.css';
import { useEffect, useRef } from 'react';
import { formatEnd } from '../../date.ts';
import type { Finding } from '../../verifier/verifier.ts';
import { t } from './words.ts';
import { CHECKED_PARTS, PASSED_PARTS, isFromPlan, type ServerFinding } from './check-key.ts';
import css from './check-key.module.css';

export interface CheckResult {
  key: string;
  finding: Finding;
  isSample: boolean;
  server?: ServerFinding;
}

interface ProofProps {
  /** Undefined before the first check, and once a field is edited. */
  checked: CheckResult | undefined;
  /** Whether a check needs no network any more. */
  isReady: boolean;
  /** The paths of the requests since the check began. */
  sent: readonly string[] | undefined;
  isBusy: boolean;
  onAskServer: () => void;
}

/** The parts of a check, one after the other, what the page has sent meanwhile, and the result. */
export function Proof({ checked, isReady, sent, isBusy, onAskServer }: ProofProps) {
  const card = useRef<HTMLElement>(null);
  const count = checked && sent ? sent.length : 0;

  // On a phone it is below the form.
  useEffect(() => {
    if (checked && !checked.server) card.current?.scrollIntoView({ block: 'nearest' });
  }, [checked]);

  return (
    <section
      ref={card}
      className={css.card}
      data-needs-script
      aria-label={t('check.parts')}
      data-result={checked && (checked.finding.code === 'VALID' ? 'good' : 'bad')}
    >
      <ol className={css.parts}>
        {CHECKED_PARTS.map((part, index) => {
          const state = stateOf(index, checked?.finding);
          return (
            <li key={part} className={css.part} data-state={state}>
              <span key={state} className={css.mark}>
                {state === 'passed' && <Icon name="check" size={18} />}
                {state === 'failed' && <Icon name="cross" size={18} />}
              </span>
              <div>
                <h2 className={css.name}>{t(`check.${part}`)}</h2>
                <p key={state} className={css.phrase} data-ask={t(`check.${part}.ask`)}>
                  <span>{describePart(part, state, checked)}</span>
                </p>
              </div>
            </li>
          );
        })}
      </ol>
      <p className={css.sent} role="status">
        <b data-none={checked && count === 0}>{t(count === 1 ? 'check.sent.one' : 'check.sent', { count })}</b>{' '}
        {checked ? (
          <span key="sent">
            <span>{t('check.sent.since')}</span> <code>{[...new Set(sent)].join(' ')}</code>
          </span>
        ) : (
          <span key="ready">{t(isReady ? 'check.ready' : 'check.getsReady')}</span>
        )}
      </p>
      {checked && <Result checked={checked} isBusy={isBusy} onAskServer={onAskServer} />}
    </section>
  );
}

type PartState = 'waiting' | 'passed' | 'failed' | 'skipped';

function stateOf(index: number, finding: Finding | undefined): PartState {
  if (!finding) return 'waiting';

  const passed = PASSED_PARTS[finding.code];
  if (index < passed) return 'passed';
  return index === passed ? 'failed' : 'skipped';
}

function describePart(
  part: (typeof CHECKED_PARTS)[number],
  state: PartState,
  checked: CheckResult | undefined,
): string {
  switch (state) {
    case 'waiting':
      return t(`check.${part}.ask`);
    case 'failed':
      return t(checked?.finding.code === 'UNSUPPORTED' ? 'check.cannot' : 'check.stops');
    case 'skipped':
      return t('check.skipped');
    case 'passed':
      if (part === 'time' && checked && 'expiresAt' in checked.finding)
        return t('check.time.yes', { end: formatEnd(checked.finding.expiresAt * 1000, 0) });
      return t(part === 'signature' && checked?.isSample ? 'check.signature.sample' : `check.${part}.yes`);
  }
}

/** What a check found. When the signature is right, it also shows the content of the key. */
function Result({
  checked,
  isBusy,
  onAskServer,
}: { checked: CheckResult } & Pick<ProofProps, 'isBusy' | 'onAskServer'>) {
  const { key, finding, isSample, server } = checked;
  const { code } = finding;
  const told = isSample && code === 'VALID' ? 'sample' : code;

  return (
    <section className={css.result} aria-label={t('check.result')}>
      <div role="status">
        <h2 className={css.title}>{t(`check.${told}.what`)}</h2>
        <p className={text.quiet}>{t(`check.${told}.next`)}</p>
        <code className={css.code}>{code}</code>
      </div>
      {'expiresAt' in finding && (
        <FactList
          facts={[
            { label: t('check.app'), value: nameOf(finding.app) },
            ...(isSample
              ? []
              : [{ label: t('check.from'), value: t(isFromPlan(key) ? 'check.from.plan' : 'check.from.steps') }]),
            { label: t('check.madeAt'), value: formatEnd(finding.issuedAt * 1000, 0) },
            code === 'VALID'
              ? { label: t('check.left'), value: <Countdown endsAt={finding.expiresAt * 1000} /> }
              : { label: t('check.worksUntil'), value: formatEnd(finding.expiresAt * 1000, 0) },
          ]}
        />
      )}
      {(code === 'VALID' || code === 'UNSUPPORTED') && (
        <div className={css.server}>
          <p className={text.quiet} role="status">
            {server ? t('check.serverSays', { words: t(`check.${server}.what`) }) : t('check.serverKnows')}
          </p>
          <Button kind="quiet" disabled={isBusy} onClick={onAskServer}>
            {t('check.askServer')}
          </Button>
        </div>
      )}
    </section>
  );
}

function nameOf(app: string): string {
  if (app === 'main') return PRODUCT.label;
  return app === 'companion' ? COMPANION.label : app;
}
