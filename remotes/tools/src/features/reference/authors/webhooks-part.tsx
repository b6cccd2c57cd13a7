import type { WebhookMessage } from '@app/contracts/webhooks';
import { CopyField } from '@app/design-system/copy-field';
import { Code } from '../code.tsx';
import { Part, Text } from '../part.tsx';
import { TermList } from '../term-list.tsx';
import { t } from './words.ts';

const EVENTS = ['key.issued', 'key.withdrawn'] as const;

const EXAMPLE = {
  type: 'key.withdrawn',
  version: '1',
  timestamp: '2027-01-15T08:00:00.000Z',
  data: {
    app: 'main',
    jti: '01a2194f3a00…',
    sub: 'CRLY7fXXPLqVzqSltDNqzk7gH4GpWCVWvk_PtqyOHgc',
    src: 'ads',
    issuedAt: 1_799_950_000_000,
    expiresAt: 1_800_036_400_000,
    withdrawnAt: 1_800_000_000_000,
  },
} satisfies WebhookMessage;

/** How the server of an author is told of keys. */
export function WebhooksPart() {
  const text = JSON.stringify(EXAMPLE, null, 2);

  return (
    <Part
      id="webhooks"
      heading={t('dev.webhooks')}
      code={
        <CopyField label={t('dev.webhooks.example')} value={text} lines>
          <Code text={text} language="json" />
        </CopyField>
      }
      more={<TermList terms={EVENTS.map((event) => ({ term: event, text: t(`dev.webhooks.${event}`) }))} />}
    >
      <Text>{t('dev.webhooks.text')}</Text>
      <Text>{t('dev.webhooks.trust')}</Text>
      <Text>{t('dev.webhooks.again')}</Text>
    </Part>
  );
}
