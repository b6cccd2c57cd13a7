import { API_CHANGES } from '@app/contracts/api-version';
import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { SANDBOX } from '@app/contracts/key-system';
import { appQuery, PAGES, runPagePath } from '@app/contracts/pages';
import { CopyField } from '@app/design-system/copy-field';
import { fetchJson, Link, useIsHydrated, useQuery } from '@app/platform';
import { Breakable } from '../code.tsx';
import { Part, Text } from '../part.tsx';
import css from '../refusals-part.module.css';
import { DEMO, SITE } from '../snippets.ts';
import { TermList } from '../term-list.tsx';
import { t } from './words.ts';

const VECTORS = '/vectors.json';
const REFERENCE = '/openapi.json';

const MY_APP = 'my-app';

const [CHAT] = COMMUNITY_LINKS;

/** The way to an app's keys, for one device. */
function wayTo(app: string, hwid: string): string {
  const query = new URLSearchParams({ ...appQuery(app), hwid, zone: DEMO.zone });
  return `${runPagePath(app, 1)}?${query.toString()}`;
}

function AppAddress({ app, label, hwid }: { app: string; label: string; hwid: string }) {
  const site = useIsHydrated() ? location.origin : SITE;
  const address = site + wayTo(app, hwid);

  return (
    <CopyField label={label} value={address} lines>
      <Breakable text={address} />
    </CopyField>
  );
}

let device: string | undefined;

/** A device of its own for everybody who tries the sandbox, as long as that of the samples. */
function deviceOfAuthor(): string {
  const noise = crypto.getRandomValues(new Uint8Array(6));
  device ??= `demo-${[...noise].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.slice(0, DEMO.hwid.length);
  return device;
}

/** What an author tries an app with. */
export function TryPart() {
  const hwid = useIsHydrated() ? deviceOfAuthor() : DEMO.hwid;

  return (
    <Part
      id="try"
      heading={t('dev.try')}
      code={<AppAddress app={SANDBOX} label={t('dev.try.address')} hwid={hwid} />}
      more={
        <TermList
          terms={[
            { term: t('dev.try.key'), text: t('dev.try.key.text') },
            { term: t('dev.try.vectors'), text: t('dev.try.vectors.text') },
          ]}
        />
      }
    >
      <Text>{t('dev.try.text')}</Text>
      <ul>
        <li>
          <Link className={css.link} to={wayTo(SANDBOX, hwid)}>
            {t('dev.try.open')}
          </Link>
        </li>
        <li>
          <a className={css.link} href={VECTORS}>
            {t('dev.try.vectors.link')}
          </a>
        </li>
      </ul>
    </Part>
  );
}

const LIMITED = ['GET /api/key', 'POST /api/key/verify', 'GET /api/keysystem/state'] as const;

/** In the place of a number that is not known yet. */
const NO_NUMBER = '–';

/** How often the calls may be made, as this server says itself. */
export function LimitsPart() {
  const { data } = useQuery(REFERENCE, readLimits);

  return (
    <Part
      id="limits"
      heading={t('dev.limits')}
      more={
        <TermList
          terms={LIMITED.map((call) => {
            const [device = NO_NUMBER, address = NO_NUMBER] = data?.get(call) ?? [];
            return { term: call, text: t('dev.limits.row', { device, address }) };
          })}
        />
      }
    >
      <Text>{t('dev.limits.text')}</Text>
    </Part>
  );
}

interface Reference {
  paths: Record<string, Record<string, { 'x-rate-limits'?: { requests: number }[] }>>;
}

/** The limits of each call: for one device, and for one address. */
async function readLimits(signal: AbortSignal): Promise<Map<string, string[]>> {
  const { paths } = (await fetchJson(REFERENCE, { signal })) as Reference;
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-rate-limits': limits = [] }]) => [
        `${method.toUpperCase()} ${path}`,
        limits.map(({ requests }) => String(requests)),
      ]),
    ),
  );
}

/** How an app gets its own pages and keys here, and what to mind in it. */
export function RegisterPart() {
  return (
    <Part
      id="register"
      heading={t('dev.register')}
      code={<AppAddress app={MY_APP} label={t('dev.register.address')} hwid={DEMO.hwid} />}
      more={
        <TermList
          terms={[
            { term: 'app', text: t('dev.register.id') },
            { term: t('dev.register.link'), text: t('dev.register.link.text') },
            { term: 'Android', text: t('dev.register.android') },
            { term: 'CORS', text: t('dev.register.cors') },
          ]}
        />
      }
    >
      <Text>{t('dev.register.text')}</Text>
      <Text>{t('dev.register.stats')}</Text>
      <ul>
        <li>
          <a className={css.link} href={CHAT.href} rel="noreferrer">
            {t('dev.register.chat', { place: CHAT.label })}
          </a>
        </li>
        <li>
          <Link className={css.link} to={PAGES.stats}>
            {t('dev.register.stats.link')}
          </Link>
        </li>
      </ul>
    </Part>
  );
}

/** What changed for programs, the newest first. */
export function ChangesPart() {
  return (
    <Part
      id="changes"
      heading={t('dev.changes')}
      more={<TermList terms={API_CHANGES.map(({ day, id }) => ({ term: day, text: t(`dev.changes.${id}`) }))} />}
    />
  );
}
