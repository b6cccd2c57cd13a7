import { PAGES } from '@app/contracts/pages';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { ApiError, Link, useVisitor } from '@app/platform';
import { useState } from 'react';
import { CheckForm } from '../features/check-key/check-form.tsx';
import {
  checkHere,
  checkThere,
  type Finding,
  type KeyToCheck,
  type ServerFinding,
} from '../features/check-key/check-key.ts';
import { FindingCard } from '../features/check-key/finding-card.tsx';
import { planWords } from '../features/plan/plan-words.ts';
import { usePlanStatus } from '../features/plan/use-plan-status.ts';
import { t } from '../words.ts';
import css from './check-key-page.module.css';

interface Checked {
  toCheck: KeyToCheck;
  finding: Finding;
  server?: ServerFinding;
}

/**
 * Checks a key in the browser, in the same way as an app, and on request also on the server. It also says
 * until when the device of the address has a plan.
 */
export function CheckKeyPage() {
  const { hwid } = useVisitor();
  const plan = usePlanStatus(hwid);
  const [checked, setChecked] = useState<Checked>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function attempt(act: () => Promise<Checked>) {
    setIsBusy(true);
    try {
      setChecked(await act());
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('check.noAnswer'));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Page narrow heading={t('check.heading')} lead={t('check.lead')}>
      <div className={css.parts}>
        <CheckForm
          hwid={hwid ?? ''}
          isBusy={isBusy}
          onEdit={() => {
            setChecked(undefined);
            setProblem(undefined);
          }}
          onCheck={(toCheck) => {
            setChecked(undefined);
            void attempt(async () => ({ toCheck, finding: await checkHere(toCheck) }));
          }}
        />
        {problem && <Notice kind="warning" title={problem} />}
        {checked && (
          <FindingCard
            checkedKey={checked.toCheck.key}
            finding={checked.finding}
            server={checked.server}
            isBusy={isBusy}
            onAskServer={() => void attempt(async () => ({ ...checked, server: await checkThere(checked.toCheck) }))}
          />
        )}
        {plan && <Notice title={planWords(plan)}>{t('plan.keysCome')}</Notice>}
        <Link className={css.more} to={PAGES.developers}>
          {t('check.developers')}
        </Link>
      </div>
    </Page>
  );
}
