import type { RunState } from '@app/contracts/key-system-schemas';
import type { AppId } from '@app/contracts/key-system';
import type { RunPage } from '@app/contracts/pages';
import {
  ApiError,
  fetchJson,
  useIsHydrated,
  useKnownDevice,
  useQuery,
  withQuery,
  type Query,
  type Visitor,
} from '@app/platform';
import { useCallback, useEffect, useRef } from 'react';
import { useRunningPlan, type DevicePlan } from '../plan/running-plan.ts';
import { refusalOf } from './refusals.tsx';

/** What a page has read of a run: its state, or why it could not be read; neither while the server is asked. */
export interface RunReading {
  state?: RunState | undefined;
  failure?: RunFailure | undefined;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

export interface RunFailure {
  /** Whether the server answered, so that the visitor's connection is not to blame. */
  isReached: boolean;
  isLimited: boolean;
  /** What is wrong with the link of the app itself, so that another try would fail too. */
  linkProblem?: string | undefined;
  /** In epoch milliseconds by this device's clock; undefined if the server did not say. */
  retryAt?: number | undefined;
}

export const LOADING: RunReading = { serverOffsetMs: 0 };

/** How long the server may hold a call until there is news: well within the time that a call may take. */
const HOLD = { prefer: 'wait=6' };

interface RunQuery {
  app: AppId;
  hwid: string | undefined;
  zone: string | undefined;
}

/**
 * Reads the state of a run from the server, and again whenever the visitor comes back to the page. Without a device it
 * asks nothing and stays `LOADING`. When a later reading fails, the earlier one stays. A
 * visitor who was without a connection is answered once it is back.
 * @returns `poll` asks again as well, and lets the server wait until there is news; also the plan of the device; undefined when none runs, or when the device is blocked
 */
export function useRunState({ app, hwid, zone }: RunQuery) {
  const path = withQuery('/api/keysystem/state', { hwid, app, zone });
  const isPolled = useRef(false);
  const query = useQuery(
    hwid && path,
    (signal) => {
      const init = { signal, ...(isPolled.current && { headers: HOLD }) };
      isPolled.current = false;
      return readRun(path, init);
    },
    { onReturn: true },
  );
  const reading = toRunReading(query);
  const { refetch, isFetching } = query;
  const plan = useRunningPlan(planIn(reading), refetch);
  const poll = useCallback(() => {
    isPolled.current = true;
    refetch();
  }, [refetch]);
  const isCutOff = reading.failure?.isReached === false;

  useEffect(() => {
    if (!isCutOff) return;

    window.addEventListener('online', refetch);
    return () => window.removeEventListener('online', refetch);
  }, [isCutOff, refetch]);

  return { reading, plan, refetch, poll, isFetching };
}

function toRunReading({ status, data, error }: Query<RunReading>): RunReading {
  if (data) return data;
  return status === 'failed' ? { ...LOADING, failure: failureOf(error) } : LOADING;
}

async function readRun(path: string, init: RequestInit): Promise<RunReading> {
  const state = asRunState(await fetchJson(path, init));
  return { state, serverOffsetMs: state.now - Date.now() };
}

/** The site's own server wrote it, by its schema. A check by the schema would make every page of a run 1.6 KB larger. */
function asRunState(body: unknown): RunState {
  if (typeof body !== 'object' || body === null || !('advertisers' in body))
    throw new TypeError('There is no run state');
  return body as RunState;
}

function failureOf(error: unknown): RunFailure {
  if (!(error instanceof ApiError)) return { isReached: false, isLimited: false };

  const { code, message, retryable, retryAt } = error;
  const isLinkRefused = !retryable && code !== 'server.unexpected';
  return {
    isReached: true,
    isLimited: code === 'KS_LIMIT',
    linkProblem: isLinkRefused ? (refusalOf(code)?.what ?? message) : undefined,
    retryAt,
  };
}

function planIn({ state, serverOffsetMs }: RunReading): DevicePlan | undefined {
  const isBlocked = state?.cooldown?.reason === 'KS_BLOCKED';
  return state?.plan && !isBlocked ? { plan: state.plan, serverOffsetMs } : undefined;
}

export type CurrentPage = Exclude<RunPage, 'bypass'>;

/**
 * An open run leads to its step. Without a run, a working key for this zone leads to the page of the key, until the key
 * is renewable. Everything else leads to step 1.
 */
export function currentPage({ run, key }: RunState): CurrentPage {
  if (run) return run.step;
  return key?.active && !key.renewable && key.zone === 'same' ? 'getkey' : 1;
}

/** The state for a new run that begins beside an open run of another zone: it has no run. */
export function parallelRun(state: RunState): RunState {
  return state.run?.zone === 'other' ? { ...state, run: null } : state;
}

/**
 * Whether a visitor has to begin in the app. With device and zone in the address a visitor does not. With a device
 * alone a visitor does not when this browser has begun the open run; runs that begin at the gate have no zone. Until
 * the server has answered, a device alone is enough.
 */
export function isUnknownDevice({ hwid, zone }: Pick<Visitor, 'hwid' | 'zone'>, { state }: RunReading): boolean {
  if (!hwid) return true;
  if (zone) return false;

  return state !== undefined && !state.run?.own;
}

/** The first render knows only whether the address names a device. */
export function useIsUnknownDevice(visitor: Pick<Visitor, 'hwid' | 'zone'>, reading: RunReading): boolean {
  const isDeviceUnnamed = useKnownDevice() === 'none';
  return useIsHydrated() ? isUnknownDevice(visitor, reading) : isDeviceUnnamed;
}
