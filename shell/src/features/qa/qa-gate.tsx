import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { Notice } from '@app/design-system/notice';
import { useQuery } from '@app/platform';
import { useState, type ReactNode } from 'react';
import { readResolution } from '../../federation/resolution.ts';
import { enterAccess, fetchView, messageOf, useChange, type QaView } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

interface QaGateProps {
  isFor: (view: QaView) => boolean;
  /** In the place of the children until the answer comes, where the document says that they are for this browser. */
  awaited: ReactNode;
  children: (view: QaView) => ReactNode;
}

export function QaGate({ isFor, awaited, children }: QaGateProps) {
  const { data, status, error, refetch } = useQuery('qa', fetchView);

  if (status === 'loading')
    return readResolution().qa ? <div inert>{awaited}</div> : <AccessForm onEntered={refetch} />;
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
