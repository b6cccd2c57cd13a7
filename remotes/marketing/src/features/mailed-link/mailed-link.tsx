import type { ActivePlan } from '@app/contracts/active-plan';
import { LINK_TOKEN_PATTERN } from '@app/contracts/checkout';
import { PLANS } from '@app/contracts/plans';
import { readPasted } from '@app/contracts/read-pasted';
import { Button, buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { ApiError, fragmentOf, noteFragment, postJson, useIsHydrated, useLocation, useQuery } from '@app/platform';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { formatDate } from '../../date.ts';
import { formatLimit } from '../../say-limit.ts';
import { NextSteps } from '@app/design-system/next-steps';
import css from './mailed-link.module.css';
import { t } from './words.ts';

/** A link that can be used: what it would do, and how to do it. */
export interface UsableLink<Details> {
  token: string;
  details: Details;
  /** Says that the link has been used or has ended. */
  sayOver: () => void;
}

interface MailedLinkProps<Details> {
  heading: string;
  lead: string;
  /** The server's page that takes a pasted link. */
  pasteIn: string;
  /** From the mail to the phone, in short lines. */
  steps: readonly string[];
  /** Draws how far the visitor is. */
  art: (is: 'failed' | 'waiting' | 'mail') => ReactNode;
  /** Asks the server what the link would do. It gets the options of the request. */
  read: (request: RequestInit) => Promise<Details>;
  /** Where to get a new link: a link, and a sentence where that needs one. */
  renewal: { action: ReactNode; text?: string };
  children: (link: UsableLink<Details>) => ReactNode;
}

/**
 * A page that a link in a mail leads to. Opening it changes nothing, because programs that check mails for viruses open
 * the links in them. Whether the address has a link is known to the browser alone, so the first render looks at it.
 */
export function MailedLink<Details>({ heading, lead, steps, pasteIn, ...rest }: MailedLinkProps<Details>) {
  return (
    <Page narrow heading={heading} lead={lead} aside={<NextSteps steps={steps} />}>
      <ReadLink {...rest} />
      <PasteLink form={pasteIn} />
    </Page>
  );
}

/**
 * The end of the link does not reach the server, so without JavaScript the visitor pastes it. CSS shows this then, and
 * when the page does not start for long.
 */
function PasteLink({ form }: { form: string }) {
  return (
    <div className={css.paste} hidden={useIsHydrated()}>
      <p>{t('link.paste.why')}</p>
      <a className={buttonClass()} href={form}>
        {t('link.paste')}
      </a>
    </div>
  );
}

type MailedLinkContentProps<Details> = Omit<MailedLinkProps<Details>, 'heading' | 'lead' | 'steps' | 'pasteIn'>;

/** Each state is one card, whose elements stay. */
function ReadLink<Details>({ art, read, renewal, children }: MailedLinkContentProps<Details>) {
  const token = useLinkToken();
  const { hash } = useLocation();
  // The effect of the token takes the fragment out of the address.
  const [hadFragment] = useState(hash !== '');
  const [over, setOver] = useState<string>();
  const { status, data, error, isFetching, refetch } = useQuery(token ?? undefined, (signal) =>
    read({ ...postJson({ token }), signal }),
  );

  if (token === null)
    return (
      <LinkCard
        {...newLinkCard({ art, renewal })}
        isFailure={hadFragment}
        title={t(hadFragment ? 'link.missing' : 'link.none')}
        text={t(hadFragment ? 'link.missing.text' : 'link.none.text')}
      />
    );
  if (token !== undefined && (over === token || isLinkExpiredError(error)))
    return (
      <LinkCard
        {...newLinkCard({ art, renewal })}
        isAnswer={over === token}
        title={t('link.over')}
        text={t('link.over.text')}
      />
    );
  if (token !== undefined && status === 'ready')
    return <Fragment key={token}>{children({ token, details: data, sayOver: () => setOver(token) })}</Fragment>;
  if (status !== 'failed') return <LinkCard isBusy art={art('waiting')} title={t('link.reading')} />;

  return (
    <LinkCard
      isFailure
      art={art('failed')}
      title={t('link.failed')}
      text={explainLimit(error) ?? t(error instanceof ApiError ? 'link.failed.ours' : 'link.failed.text')}
      actions={
        <Button disabled={isFetching} onClick={refetch}>
          {isFetching ? t('link.sending') : t('link.retry')}
        </Button>
      }
    />
  );
}

/** The card of a link that cannot be used: where to get a new one. */
function newLinkCard({ art, renewal }: Pick<MailedLinkContentProps<never>, 'art' | 'renewal'>) {
  return {
    isFailure: true,
    at: 1 as const,
    art: art('mail'),
    actions: renewal.action,
    ...(renewal.text && { before: renewal.text }),
  };
}

/**
 * Reads the token of a link in a mail, takes it out of the address, and keeps it in memory only: not in the browser's
 * history, on no screenshot, and in no request but the body of ours. The history entry only notes that there was one,
 * for visitors who come back to it.
 * @returns null when the address has no complete one, and undefined before hydration
 */
function useLinkToken(): string | null | undefined {
  const location = useLocation();
  const found = tokenIn(location.hash);
  const [token, setToken] = useState(() => found ?? findTakenFragment(location.pathname));
  // The next link of a mail can open in the same tab, without a page load.
  if (found !== null && found !== token) setToken(found);

  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (!hash) return;

    if (found !== null) noteFragment(pathname, hash);
    const state = history.state as object | null;
    history.replaceState(found === null ? state : { ...state, hadLink: true }, '', pathname + search);
  }, [found, location]);

  return useIsHydrated() ? token : undefined;
}

function findTakenFragment(pathname: string): string | null {
  const hadLink = typeof history === 'object' && (history.state as { hadLink?: true } | null)?.hadLink;
  return hadLink ? tokenIn(fragmentOf({ pathname, hash: '' })) : null;
}

/** The token in a fragment; null when it has no complete one. */
function tokenIn(fragment: string): string | null {
  const read = readPasted(new URLSearchParams(fragment.slice(1)).get('t') ?? '');
  return LINK_TOKEN_PATTERN.test(read) ? read : null;
}

interface LinkCardProps {
  art: ReactNode;
  title: string;
  text?: string;
  /** Whether the title says that something went wrong. */
  isFailure?: boolean;
  /** Whether it takes the place of a button that was clicked. Its title takes the focus then. */
  isAnswer?: boolean;
  isBusy?: boolean;
  /** The step beside the card that the reader is at; none: no step can be done now. */
  at?: 1 | 2 | 3 | 'none';
  actions?: ReactNode;
  before?: string;
  children?: ReactNode;
}

/** What a link of a mail can do now. Screen readers read title and text when they appear. */
export function LinkCard({
  art,
  title,
  text,
  isFailure = false,
  isAnswer = false,
  isBusy = false,
  at,
  actions,
  before,
  children,
}: LinkCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (isAnswer) heading.current?.focus();
  }, [isAnswer]);

  return (
    <section className={css.card} aria-label={title} aria-busy={isBusy} data-at={at}>
      <div className={css.art}>{art}</div>
      <div className={css.message} {...(!isAnswer && { role: isFailure ? 'alert' : 'status' })}>
        <h2 ref={heading} className={css.title} tabIndex={-1}>
          {title}
        </h2>
        {text && <p className={css.text}>{text}</p>}
      </div>
      {children}
      {before && <p className={css.text}>{before}</p>}
      {actions && <div className={css.actions}>{actions}</div>}
    </section>
  );
}

/** The button that does what a link is for. After a failure the page stays, and the button tries again. What
 * went wrong is said at the end of the card, where it moves no button. */
export function ConfirmButton({ isSending, error, confirm, children }: ConfirmState & { children: ReactNode }) {
  const hasFailed = error !== undefined;

  return (
    <>
      <Button disabled={isSending} onClick={confirm}>
        {isSending ? t('link.sending') : hasFailed ? t('link.retry') : children}
      </Button>
      {hasFailed && (
        <p className={css.failure} role="alert">
          {explainLimit(error) ?? t('link.notDone')}
        </p>
      )}
    </>
  );
}

interface ConfirmState {
  isSending: boolean;
  /** Why the last try failed; undefined when none has. */
  error: unknown;
  confirm: () => void;
}

interface ConfirmOptions<Done> {
  /** One try. It rejects when the try failed. */
  send: () => Promise<Done>;
  /** Gets the answer, unless the visitor has left the page. */
  onDone: (done: Done) => void;
  /** Called when the link has been used or has ended. */
  onOver: () => void;
}

export function useConfirm<Done>({ send, onDone, onOver }: ConfirmOptions<Done>): ConfirmState {
  const [state, setState] = useState<{ isSending: boolean; error?: unknown }>({ isSending: false });
  const isShown = useRef(true);

  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  async function confirm() {
    setState({ isSending: true });
    try {
      const done = await send();
      if (isShown.current) onDone(done);
    } catch (error) {
      if (isLinkExpiredError(error)) onOver();
      else setState({ isSending: false, error });
    }
  }

  return { isSending: state.isSending, error: state.error, confirm: () => void confirm() };
}

/** Whether an error says that a link has been used, has ended, or never was one. */
function isLinkExpiredError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'RST_TOKEN';
}

/** The sentence for too many tries; undefined for any other failure. */
function explainLimit(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'KS_LIMIT' ? formatLimit(error.retryAt) : undefined;
}

/** A plan, and the server's clock minus this device's when the server told it, in milliseconds. */
export interface PlanWithOffset {
  plan: ActivePlan;
  serverOffsetMs: number;
}

/** Adds the difference of the clocks to an answer that has just come. */
export function withServerOffset<Answer extends { now: number }>(answer: Answer): Answer & { serverOffsetMs: number } {
  return { ...answer, serverOffsetMs: answer.now - Date.now() };
}

export function describePlan({ plan, serverOffsetMs }: PlanWithOffset): {
  name: string;
  days: number;
  end: ReturnType<typeof formatDate>;
} {
  const { name, days } = PLANS.find(({ id }) => id === plan.id) ?? PLANS[0];
  return { name, days, end: formatDate(plan.until, serverOffsetMs) };
}

export function planFact(toldPlan: PlanWithOffset): { label: string; value: string } {
  const { name, end } = describePlan(toldPlan);
  return { label: t('link.plan'), value: t('link.until', { plan: name, day: end.day }) };
}
