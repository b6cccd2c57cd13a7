import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { useQuery } from '@app/platform';
import type { ReactNode } from 'react';
import { AccessForm } from './access-form.tsx';
import { fetchView, messageOf, type QaView } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

interface QaGateProps {
  /** Whether this browser may see it. The others are asked for the access key. */
  isFor: (view: QaView) => boolean;
  children: (view: QaView) => ReactNode;
}

/** Shows what the server says about QA, or asks for the access key. */
export function QaGate({ isFor, children }: QaGateProps) {
  const { data, status, error, refetch } = useQuery('qa', fetchView);

  if (status === 'loading') return <p className={css.quiet}>{t('loading')}</p>;
  if (status === 'ready') return isFor(data) ? children(data) : <AccessForm onEntered={refetch} />;
  return (
    <Notice kind="warning" title={t('failed')}>
      <p>{messageOf(error)}</p>
      <Button kind="quiet" onClick={refetch}>
        {t('failed.again')}
      </Button>
    </Notice>
  );
}
