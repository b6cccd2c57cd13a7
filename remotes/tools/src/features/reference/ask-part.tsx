import type { KeyAnswer } from '@app/contracts/app-calls';
import { t } from '../../words.ts';
import { Answer, Call, Part, Text } from './part.tsx';
import { TermList } from './term-list.tsx';

const STATUSES = Object.keys({ active: 0, in_progress: 0, none: 0, blocked: 0 } satisfies Record<
  KeyAnswer['status'],
  0
>) as KeyAnswer['status'][];

const EXAMPLE: KeyAnswer = { status: 'in_progress', step: 2, of: 6, app: 'main', now: 1_800_000_000_000 };

/** How an app asks for its key, and what it has to do after each answer. */
export function AskPart() {
  return (
    <Part id="ask" heading={t('dev.ask')}>
      <Text>{t('dev.ask.text')}</Text>
      <Text>{t('dev.ask.plan')}</Text>
      <Call>GET /api/key?hwid=…&zone=…&app=main</Call>
      <Answer>{EXAMPLE}</Answer>
      <TermList
        terms={STATUSES.map((status) => ({
          term: status,
          text: t(`dev.status.${status}`),
          next: t(`dev.status.${status}.next`),
        }))}
      />
    </Part>
  );
}
