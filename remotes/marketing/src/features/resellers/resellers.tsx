import { Drawing } from '@app/brand-ui/device/drawing';
import { PAGES } from '@app/contracts/pages';
import { type Reseller, resellerSchema, SAMPLE_RESELLERS } from '@app/contracts/resellers';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import layout from '@app/design-system/layout.module.css';
import { lettersOf } from '@app/design-system/letters';
import texts from '@app/design-system/text.module.css';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { fetchJson, Link, postJson, useQuery } from '@app/platform';
import mark1 from './mark-1.svg?raw';
import mark2 from './mark-2.svg?raw';
import mark3 from './mark-3.svg?raw';
import mark4 from './mark-4.svg?raw';
import css from './resellers.module.css';
import { t } from './words.ts';

/** The keys of the empty cards that reserve space until the list is loaded. */
const PLACEHOLDER_KEYS = ['1', '2', '3', '4'];

/** The resellers of V5. When the list cannot be fetched, it shows samples. */
export function ResellerGrid() {
  const { data, status } = useQuery('/api/resellers', fetchResellers, { logFailureAs: 'Failed to fetch resellers' });
  const resellers = status === 'failed' ? SAMPLE_RESELLERS : data;

  return (
    <section id="shops" className={layout.stack} aria-labelledby="shops-heading">
      <h2 id="shops-heading">
        <VisuallyHidden>{t('resellers.list')}</VisuallyHidden>
      </h2>
      {resellers?.length === 0 ? (
        <p>{t('resellers.none')}</p>
      ) : (
        <ul className={css.grid} aria-busy={!resellers}>
          {resellers?.map((reseller) => <ResellerCard key={reseller.name} reseller={reseller} />) ??
            PLACEHOLDER_KEYS.map((place) => (
              <li key={place} className={css.place} aria-hidden="true" data-needs-script />
            ))}
        </ul>
      )}
      <noscript>
        <p>
          {t('resellers.noScript')}{' '}
          <a className={texts.link} href="/api/resellers">
            {t('resellers.plain')}
          </a>
        </p>
      </noscript>
      <p className={css.bought}>
        {t('resellers.bought')}{' '}
        <Link className={texts.link} to={PAGES.redeem}>
          {t('resellers.redeem')}
        </Link>
      </p>
    </section>
  );
}

function ResellerCard({ reseller }: { reseller: Reseller }) {
  const { name, logo, description, discord, buyLink, isArceusX, trusted } = reseller;

  return (
    <li className={css.card} data-official={isArceusX} data-letters={lettersOf(name + description)}>
      <div className={css.mark}>
        <ResellerMark logo={logo} name={name} />
      </div>
      <div className={css.description}>
        <div className={css.badge}>
          <Badge kind={isArceusX ? 'hot' : 'ok'}>{isArceusX ? t('resellers.official') : t('resellers.partner')}</Badge>
        </div>
        <h3>{name}</h3>
        <p className={texts.quiet}>{describe(description)}</p>
        {typeof trusted === 'number' && <p className={css.trusted}>{t('resellers.trusted', { count: trusted })}</p>}
      </div>
      <div className={css.actions}>
        <a
          className={buttonClass(isArceusX ? {} : { kind: 'quiet' })}
          href={buyLink}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('resellers.start')} <VisuallyHidden>{name}</VisuallyHidden>
        </a>
        <a className={css.chat} href={discord} target="_blank" rel="noopener noreferrer">
          {t('resellers.discord')} <VisuallyHidden>{name}</VisuallyHidden>
        </a>
      </div>
    </li>
  );
}

/** The samples' own texts are translated; what operators write stands as it is. */
function describe(text: string): string {
  const at = SAMPLE_RESELLERS.findIndex(({ description }) => description === text);
  const id = SAMPLE_TEXTS[at];
  return id ? t(id) : text;
}

const SAMPLE_TEXTS = ['resellers.sample.1', 'resellers.sample.2', 'resellers.sample.3', 'resellers.sample.4'] as const;

/** The logos by the id in `logo` of a reseller: 64 × 64. */
const MARKS: Readonly<Record<string, string>> = { 'mark-1': mark1, 'mark-2': mark2, 'mark-3': mark3, 'mark-4': mark4 };

/** The colours of monograms. A name always has the same. */
const COLOURS = ['#ff4d63', '#7c4dff', '#23b07a', '#ff7a3d', '#3d7dff'] as const;

/** The logo of a reseller. For an unknown id it is a monogram: one or two letters of the name on a seal. */
function ResellerMark({ logo, name }: { logo: string; name: string }) {
  const svg = Object.hasOwn(MARKS, logo) ? MARKS[logo] : undefined;

  return (
    <svg className={css.logo} data-mark={logo} viewBox="0 0 64 64" aria-hidden="true">
      {svg ? <Drawing svg={svg} /> : <Monogram name={name} />}
    </svg>
  );
}

function Monogram({ name }: { name: string }) {
  const letters = name.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [...word].slice(0, 1));
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);

  return (
    <>
      <path fill={COLOURS[sum % COLOURS.length]} d={SEAL_PATH} />
      <circle cx="32" cy="32" r="21.5" fill="none" stroke="#fff" strokeWidth="1.5" opacity="0.55" />
      <text className={css.letters} x="32" y="40" textAnchor="middle">
        {letters.slice(0, 2).join('').toUpperCase()}
      </text>
    </>
  );
}

const SEAL_PATH =
  'M24.8 5A7.8 7.8 0 0 1 39.2 5A7.8 7.8 0 0 1 51.8 12.2A7.8 7.8 0 0 1 59 24.8A7.8 7.8 0 0 1 59 39.2A7.8 7.8 0 0 1 51.8 51.8A7.8 7.8 0 0 1 39.2 59A7.8 7.8 0 0 1 24.8 59A7.8 7.8 0 0 1 12.2 51.8A7.8 7.8 0 0 1 5 39.2A7.8 7.8 0 0 1 5 24.8A7.8 7.8 0 0 1 12.2 12.2A7.8 7.8 0 0 1 24.8 5z';

/** Fetches the list of resellers. */
async function fetchResellers(signal: AbortSignal): Promise<readonly Reseller[]> {
  return readResellers(await fetchJson('/api/resellers', { ...postJson({}), signal }));
}

/** The resellers in an answer. Entries that are not resellers are left out. */
function readResellers(body: unknown): Reseller[] {
  if (!Array.isArray(body)) throw new Error('The answer is not a list');

  return body.filter(isReseller);
}

function isReseller(entry: unknown): entry is Reseller {
  const result = resellerSchema['~standard'].validate(entry);
  return !(result instanceof Promise) && result.issues === undefined;
}
