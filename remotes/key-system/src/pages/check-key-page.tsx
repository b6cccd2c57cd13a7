import { PAGES } from '@app/contracts/pages';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { ApiError, Link, useVisitor } from '@app/platform';
import { useState } from 'react';
import { CheckForm } from '../features/check-key/check-form.tsx';
import { checkOnServer, useKeyInAddress, useSentRequests, useVerifier } from '../features/check-key/check-key.ts';
import { Proof, type CheckResult } from '../features/check-key/proof.tsx';
import { describePlan } from '../features/plan/running-plan.ts';
import { usePlanStatus } from '../features/plan/use-plan-status.ts';
import type { KeyToCheck } from '../verifier/verifier.ts';
import { t } from '../features/check-key/words.ts';
import css from './check-key-page.module.css';

/** Checks a key in the browser, in the same way as an app, and on request also on the server. */
export function CheckKeyPage() {
  const { hwid = '' } = useVisitor();
  const plan = usePlanStatus(hwid || undefined);
  const { isReady, open } = useVerifier();
  const { sent, count } = useSentRequests();
  const [typed, setTyped] = useState<{ key: string; hwid: string | undefined }>({ key: '', hwid: undefined });
  const [checked, setChecked] = useState<CheckResult & { hwid: string }>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  function edit(next: typeof typed) {
    setTyped(next);
    setChecked(undefined);
    setProblem(undefined);
  }

  useKeyInAddress(({ key, device }) => {
    edit({ key, hwid: device });
    const toCheck = { key, hwid: device ?? hwid };
    if (toCheck.hwid !== '') void check(() => Promise.resolve(toCheck));
  });

  async function attempt(act: () => Promise<void>) {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('check.noAnswer'));
    } finally {
      setIsBusy(false);
    }
  }

  function check(find: () => Promise<KeyToCheck | undefined>) {
    setChecked(undefined);
    count();
    return attempt(async () => {
      const verifier = await open();
      const toCheck = await find();
      if (toCheck) setChecked({ ...toCheck, ...(await verifier.check(toCheck)) });
      else setProblem(t('check.UNSUPPORTED.what'));
    });
  }

  async function makeSample(): Promise<KeyToCheck | undefined> {
    const sample = await (await open()).makeSample();
    if (sample) setTyped(sample);
    return sample;
  }

  async function askServer({ finding, ...asked }: CheckResult & { hwid: string }) {
    const { key, hwid: device } = asked;
    const server = await checkOnServer({ key, hwid: device }, 'app' in finding ? finding.app : undefined);
    setChecked({ ...asked, finding, server });
  }

  return (
    <Page compact heading={t('check.heading')} lead={t('check.lead')}>
      <div className={css.columns}>
        <div className={css.column}>
          <CheckForm
            typed={{ key: typed.key, hwid: typed.hwid ?? hwid }}
            isBusy={isBusy}
            onEdit={edit}
            onCheck={(toCheck) => void check(() => Promise.resolve(toCheck))}
            onSample={() => void check(makeSample)}
          />
          {problem && <Notice kind="warning" title={problem} />}
        </div>
        <div className={css.column}>
          <Proof
            checked={checked}
            isReady={isReady}
            sent={sent}
            isBusy={isBusy}
            onAskServer={() => void (checked && attempt(() => askServer(checked)))}
          />
          {plan && <Notice title={describePlan(plan)}>{t('check.keysCome')}</Notice>}
        </div>
      </div>
      <Link className={css.more} to={PAGES.developers}>
        {t('check.developers')}
      </Link>
    </Page>
  );
}
