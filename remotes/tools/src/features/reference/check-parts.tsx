import type { ServerVerdict } from '@app/contracts/key-system-schemas';
import type { KeyVerdict } from '../../../../../samples/typescript/verify-key.mjs';
import { t } from './words.ts';
import { Answer } from './answer.tsx';
import { Part, Text } from './part.tsx';
import { Sample } from './sample.tsx';
import { DEMO } from './snippets.ts';
import { TermList } from './term-list.tsx';

type Code = ServerVerdict['code'] | KeyVerdict['code'] | 'UNTRUSTED' | 'NO_ANSWER';

/** The codes of both checks, and those with which a client says that the server told it nothing. The type makes the compiler fail when one is missing here. */
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
  UNTRUSTED: 0,
  NO_ANSWER: 0,
} satisfies Record<Code, 0>) as Code[];

const PUBLIC_KEYS = '/.well-known/jwks.json';

/** The form of the answer. Its key is the one of RFC 8037, and signs nothing here. */
const JWKS = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      kid: '2026-11',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    },
  ],
};

const VERDICT: ServerVerdict = {
  valid: true,
  code: 'VALID',
  app: 'main',
  expiresAt: 1_800_086_400_000,
  now: 1_800_000_000_000,
  verdict: 'eyJ…',
};

/** In the place of a text that is new for each call. */
const NONCE = 'new-for-every-call';

/** How to check a key with only the public keys. */
export function OfflinePart() {
  return (
    <Part
      id="offline"
      heading={t('dev.offline')}
      code={
        <>
          <Sample call={{ path: PUBLIC_KEYS }} />
          <Answer example={JWKS} path={PUBLIC_KEYS} />
        </>
      }
      more={
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
      }
    >
      <Text>{t('dev.offline.text')}</Text>
    </Part>
  );
}

/** How to have the server check a key. */
export function OnlinePart() {
  return (
    <Part
      id="online"
      heading={t('dev.online')}
      code={
        <>
          <Sample
            call={{ path: '/api/key/verify', body: { key: 'eyJ…', hwid: DEMO.hwid, app: DEMO.app, nonce: NONCE } }}
          />
          <Answer example={VERDICT} />
        </>
      }
    >
      <Text>{t('dev.online.text')}</Text>
      <Text>{t('dev.online.trust')}</Text>
      <Text>{t('dev.online.host')}</Text>
    </Part>
  );
}

/** The codes of both checks. */
export function CodesPart() {
  return (
    <Part id="codes" heading={t('dev.codes')}>
      <Text>{t('dev.codes.text')}</Text>
      <TermList
        terms={CODES.map((code) => ({ term: code, text: t(`dev.code.${code}`), next: t(`dev.code.${code}.next`) }))}
      />
    </Part>
  );
}
