import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { Notice } from '@app/design-system/notice';
import texts from '@app/design-system/text.module.css';
import { useQuery } from '@app/platform';
import { useState, type ReactNode } from 'react';
import { enterAccess, fetchView, messageOf, useChange, type QaView } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

interface QaGateProps {
  isFor: (view: QaView) => boolean;
  children: (view: QaView) => ReactNode;
}

export function QaGate({ isFor, children }: QaGateProps) {
  const { data, status, error, refetch } = useQuery('qa', fetchView);

  if (status === 'loading') return <p className={texts.quiet}>{t('loading')}</p>;
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

/** Asks for the access key. It never becomes part of an address. */
function AccessForm({ onEntered }: { onEntered: () => void }) {
  const [key, setKey] = useState('');
  const { isBusy, problem, setProblem, change } = useChange(onEntered);

  return (
    <form
      className={css.access}
      onSubmit={(event) => {
        event.preventDefault();
        change(() => enterAccess(key.trim()));
      }}
    >
      <FormField
        label={t('access.label')}
        isCode
        message={problem === undefined ? { kind: 'hint', text: t('access.hint') } : { kind: 'error', text: problem }}
        action={
          <Button type="submit" disabled={isBusy}>
            {t('access.enter')}
          </Button>
        }
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            required
            value={key}
            onChange={({ target }) => {
              setKey(target.value);
              setProblem(undefined);
            }}
          />
        )}
      </FormField>
    </form>
  );
}
