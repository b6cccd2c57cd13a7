import type { ServerVerdict } from '@app/contracts/key-system-schemas';
import type { KeyVerdict } from '../../../../../samples/verify-key/verify-key.mjs';
import { t } from '../../words.ts';
import { Answer, Call, Part, Text } from './part.tsx';
import { TermList } from './term-list.tsx';

type Code = ServerVerdict['code'] | KeyVerdict['code'];

/** The codes of both checks. The type makes the compiler fail when one is missing here. */
const CODES = Object.keys({
  VALID: 0,
  EXPIRED: 0,
  APP_MISMATCH: 0,
  DEVICE_MISMATCH: 0,
  REVOKED: 0,
  NOT_YET: 0,
  CLOCK_BACK: 0,
  UNKNOWN_KID: 0,
  SIGNATURE: 0,
  UNSUPPORTED: 0,
} satisfies Record<Code, 0>) as Code[];

const QUESTION = `POST /api/key/verify
Content-Type: application/json

{
  "key": "eyJ…",
  "hwid": "…",
  "app": "main"
}`;

const VERDICT: ServerVerdict = {
  valid: true,
  code: 'VALID',
  app: 'main',
  expiresAt: 1_800_086_400_000,
  now: 1_800_000_000_000,
};

/** How to check a key with only the public keys. */
export function OfflinePart() {
  return (
    <Part id="offline" heading={t('dev.offline')}>
      <Text>{t('dev.offline.text')}</Text>
      <Call>GET /.well-known/jwks.json</Call>
      <TermList
        terms={[
          { term: t('dev.rule.header'), text: t('dev.rule.header.text') },
          { term: t('dev.rule.aud'), text: t('dev.rule.aud.text') },
          { term: t('dev.rule.sub'), text: t('dev.rule.sub.text') },
          { term: t('dev.rule.time'), text: t('dev.rule.time.text') },
          { term: t('dev.rule.src'), text: t('dev.rule.src.text') },
          { term: t('dev.clock'), text: t('dev.clock.text') },
        ]}
      />
    </Part>
  );
}

/** How to have the server check a key, and the codes of both checks. */
export function OnlinePart() {
  return (
    <>
      <Part id="online" heading={t('dev.online')}>
        <Text>{t('dev.online.text')}</Text>
        <Call>{QUESTION}</Call>
        <Answer>{VERDICT}</Answer>
      </Part>
      <Part id="codes" heading={t('dev.codes')}>
        <TermList
          terms={CODES.map((code) => ({ term: code, text: t(`dev.code.${code}`), next: t(`dev.code.${code}.next`) }))}
        />
      </Part>
    </>
  );
}
