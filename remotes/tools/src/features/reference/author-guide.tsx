import type { KeyAnswer } from '@app/contracts/app-calls';
import {
  CHECK_EXAMPLE,
  PUBLIC_KEYS_EXAMPLES,
  STATUS_EXAMPLES,
  VERDICT_EXAMPLES,
  WEBHOOK_EXAMPLES,
} from '@app/contracts/app-examples';
import { API_CHANGES } from '@app/contracts/api-version';
import { COMMUNITY_LINKS, COMPANION, PRODUCT } from '@app/contracts/brand';
import { ERRORS } from '@app/contracts/errors';
import { SANDBOX } from '@app/contracts/key-system';
import type { ServerVerdict } from '@app/contracts/key-system-schemas';
import { appQuery, PAGES, runPagePath } from '@app/contracts/pages';
import type { Problem } from '@app/contracts/problem';
import { CopyField } from '@app/design-system/copy-field';
import { Steps } from '@app/design-system/steps';
import { fetchJson, useIsHydrated, useQuery } from '@app/platform';
import type { KeyVerdict } from '../../../../../samples/typescript/verify-key.mjs';
import { t as tell } from './authors/words.ts';
import { Answer, Call } from './call.tsx';
import { Code } from './code.tsx';
import { Flow } from './flow.tsx';
import { PartLink, TermList, type PartProps } from './part.tsx';
import { Samples } from './samples.tsx';
import { DEMO, SITE } from './snippets.ts';
import { t } from './words.ts';

const REFERENCE = '/openapi.json';
const KEY_CALL = `/api/key?${String(new URLSearchParams(DEMO))}`;

const [CHAT] = COMMUNITY_LINKS;

type CheckCode = ServerVerdict['code'] | KeyVerdict['code'] | 'UNTRUSTED' | 'NO_ANSWER';

/** The codes of both checks, and those with which a client says that the server told it nothing. */
const CHECK_CODES = Object.keys({
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
  // The compiler fails when one is missing.
} satisfies Record<CheckCode, 0>) as CheckCode[];

const STATUSES = Object.keys({ active: 0, in_progress: 0, none: 0, blocked: 0 } satisfies Record<
  KeyAnswer['status'],
  0
>) as KeyAnswer['status'][];

const REFUSAL: Problem = {
  type: `${SITE}${PAGES.errors}#KS_HWID`,
  ...ERRORS.KS_HWID,
  code: 'KS_HWID',
  retryable: false,
  ref: '…',
  now: 1_800_000_000_000,
};

const MESSAGE = JSON.stringify(WEBHOOK_EXAMPLES['key.withdrawn'], null, 2);

export const listParts = (): PartProps[] => [
  {
    id: 'way',
    heading: t('dev.way'),
    children: <Flow />,
    code: <Answer name={KEY_CALL.replace(/\?.*/, '')} path={KEY_CALL} example={STATUS_EXAMPLES.in_progress} />,
    more: (
      <Steps
        steps={(['open', 'wait', 'check', 'ask'] as const).map((step) => ({
          title: t(`dev.way.${step}`),
          text: t(`dev.way.${step}.text`),
        }))}
      />
    ),
  },
  {
    id: 'open',
    heading: t('dev.open'),
    texts: [t('dev.open.text')],
    code: (
      <>
        <RunAddress app="main" label={t('dev.open.main', { app: PRODUCT.label })} />
        <RunAddress app="companion" label={t('dev.open.companion', { app: COMPANION.label })} />
      </>
    ),
    terms: (['hwid', 'zone', 'os'] as const).map((term) => ({ term, text: t(`dev.${term}`) })),
  },
  {
    id: 'ask',
    heading: t('dev.ask'),
    texts: [t('dev.ask.text'), t('dev.ask.plan')],
    code: <Call path={KEY_CALL} example={STATUS_EXAMPLES.in_progress} />,
    terms: STATUSES.map((status) => ({
      term: status,
      text: t(`dev.status.${status}`),
      next: t(`dev.status.${status}.next`),
    })),
  },
  {
    id: 'offline',
    heading: t('dev.offline'),
    texts: [t('dev.offline.text')],
    code: <Call path="/.well-known/jwks.json" example={PUBLIC_KEYS_EXAMPLES.keys} />,
    terms: (['rule.header', 'rule.aud', 'rule.sub', 'rule.time', 'rule.src', 'clock'] as const).map((rule) => ({
      term: t(`dev.${rule}`),
      text: t(`dev.${rule}.text`),
    })),
  },
  {
    id: 'online',
    heading: t('dev.online'),
    texts: [t('dev.online.text'), t('dev.online.trust'), t('dev.online.host')],
    // Not the nonce of the example, which would be copied.
    code: (
      <Call
        path="/api/key/verify"
        body={{ ...CHECK_EXAMPLE, nonce: 'new-for-every-call' }}
        example={VERDICT_EXAMPLES.valid}
      />
    ),
  },
  {
    id: 'codes',
    heading: t('dev.codes'),
    texts: [t('dev.codes.text')],
    children: (
      <TermList
        terms={CHECK_CODES.map((code) => ({
          term: code,
          text: t(`dev.code.${code}`),
          next: t(`dev.code.${code}.next`),
        }))}
      />
    ),
  },
  {
    id: 'refusals',
    heading: t('dev.refusals'),
    texts: [t('dev.refusals.text'), t('dev.refusals.wait'), t('dev.refusals.version')],
    links: (
      <>
        <PartLink to={PAGES.errors}>{t('dev.refusals.list')}</PartLink>
        <PartLink href={REFERENCE}>{t('dev.reference')}</PartLink>
        <PartLink to={PAGES.checkKey}>{t('dev.tryKey')}</PartLink>
      </>
    ),
    // The device is missing.
    code: <Call path="/api/key?app=main" example={REFUSAL} />,
  },
  { id: 'samples', heading: t('dev.samples'), texts: [t('dev.samples.text')], children: <Samples /> },
  { id: 'limits', heading: tell('dev.limits'), texts: [tell('dev.limits.text')], more: <Limits /> },
  {
    id: 'try',
    heading: tell('dev.try'),
    texts: [tell('dev.try.text')],
    links: (
      <>
        <SandboxLink />
        <PartLink href="/vectors.json">{tell('dev.try.vectors.link')}</PartLink>
      </>
    ),
    code: <RunAddress app={SANDBOX} label={tell('dev.try.address')} />,
    terms: (['key', 'vectors'] as const).map((what) => ({
      term: tell(`dev.try.${what}`),
      text: tell(`dev.try.${what}.text`),
    })),
  },
  {
    id: 'webhooks',
    heading: tell('dev.webhooks'),
    texts: [tell('dev.webhooks.text'), tell('dev.webhooks.trust'), tell('dev.webhooks.again')],
    code: (
      <CopyField label={tell('dev.webhooks.example')} value={MESSAGE} lines>
        <Code text={MESSAGE} language="json" />
      </CopyField>
    ),
    terms: (['key.issued', 'key.withdrawn'] as const).map((term) => ({
      term,
      text: tell(`dev.webhooks.${term}`),
    })),
  },
  {
    id: 'libraries',
    heading: tell('dev.libraries'),
    terms: [
      { term: tell('dev.libraries.keys'), text: tell('dev.libraries.keys.text') },
      { term: tell('dev.webhooks'), text: tell('dev.libraries.webhooks.text') },
      { term: tell('dev.libraries.waiting'), text: tell('dev.libraries.waiting.text') },
    ],
  },
  {
    id: 'register',
    heading: tell('dev.register'),
    texts: [tell('dev.register.text'), tell('dev.register.stats')],
    links: (
      <>
        <PartLink href={CHAT.href}>{tell('dev.register.chat', { place: CHAT.label })}</PartLink>
        <PartLink to={PAGES.stats}>{tell('dev.register.stats.link')}</PartLink>
      </>
    ),
    code: <RunAddress app="my-app" label={tell('dev.register.address')} />,
    terms: [
      { term: 'app', text: tell('dev.register.id') },
      { term: tell('dev.register.link'), text: tell('dev.register.link.text') },
      { term: 'Android', text: tell('dev.register.android') },
      { term: 'CORS', text: tell('dev.register.cors') },
    ],
  },
  {
    id: 'changes',
    heading: tell('dev.changes'),
    terms: [...new Set(API_CHANGES.map(({ day }) => day))].map((day) => ({
      term: day,
      text: API_CHANGES.filter((change) => change.day === day).map(({ id }) => tell(`dev.changes.${id}`)),
    })),
  },
];

function RunAddress({ app, label }: { app: string; label: string }) {
  const path = useRunPath(app);
  const site = useIsHydrated() ? location.origin : SITE;

  return <CopyField label={label} value={site + path} lines />;
}

function SandboxLink() {
  return <PartLink to={useRunPath(SANDBOX)}>{tell('dev.try.open')}</PartLink>;
}

function useRunPath(app: string): string {
  const hwid = useIsHydrated() && app === SANDBOX ? deviceOfAuthor() : DEMO.hwid;
  const query = new URLSearchParams({ ...appQuery(app), hwid, zone: DEMO.zone });
  return `${runPagePath(app, 1)}?${query.toString()}`;
}

let device: string | undefined;

/** A device of its own for everybody who tries the sandbox, as long as that of the samples. */
function deviceOfAuthor(): string {
  const noise = crypto.getRandomValues(new Uint8Array(6));
  device ??= `demo-${[...noise].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.slice(0, DEMO.hwid.length);
  return device;
}

/** How often the calls may be made, as this server says itself. */
function Limits() {
  const { data } = useQuery(REFERENCE, readLimits);

  return (
    <TermList
      terms={['GET /api/key', 'POST /api/key/verify', 'GET /api/keysystem/state'].map((call) => {
        // In the place of a number that is not known yet.
        const [device = '–', address = '–'] = data?.get(call) ?? [];
        return { term: call, text: tell('dev.limits.row', { device, address }) };
      })}
    />
  );
}

async function readLimits(signal: AbortSignal): Promise<Map<string, string[]>> {
  const { paths } = (await fetchJson(REFERENCE, { signal })) as {
    paths: Record<string, Record<string, { 'x-rate-limits'?: { requests: number }[] }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-rate-limits': limits = [] }]) => [
        `${method.toUpperCase()} ${path}`,
        limits.map(({ requests }) => String(requests)),
      ]),
    ),
  );
}
