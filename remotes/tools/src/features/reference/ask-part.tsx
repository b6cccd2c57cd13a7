import type { KeyAnswer } from '@app/contracts/app-calls';
import { t } from './words.ts';
import { Answer } from './answer.tsx';
import { Part, Text } from './part.tsx';
import { Sample } from './sample.tsx';
import { DEMO } from './snippets.ts';
import { TermList } from './term-list.tsx';

const STATUSES = Object.keys({ active: 0, in_progress: 0, none: 0, blocked: 0 } satisfies Record<
  KeyAnswer['status'],
  0
>) as KeyAnswer['status'][];

const PATH = `/api/key?${String(new URLSearchParams(DEMO))}`;

const EXAMPLE: KeyAnswer = { status: 'in_progress', step: 2, of: 6, app: 'main', now: 1_800_000_000_000 };

/** How an app asks for its key, and what it has to do after each answer. */
export function AskPart() {
  return (
    <Part
      id="ask"
      heading={t('dev.ask')}
      code={
        <>
          <Sample call={{ path: PATH }} />
          <Answer example={EXAMPLE} path={PATH} />
        </>
      }
      more={
        <TermList
          terms={STATUSES.map((status) => ({
            term: status,
            text: t(`dev.status.${status}`),
            next: t(`dev.status.${status}.next`),
          }))}
        />
      }
    >
      <Text>{t('dev.ask.text')}</Text>
      <Text>{t('dev.ask.plan')}</Text>
    </Part>
  );
}
