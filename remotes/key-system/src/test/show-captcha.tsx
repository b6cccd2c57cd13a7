import { ConfirmHost } from '@app/design-system/confirm-host';
import { useToastStore } from '@app/platform';
import { openBrowser, advanceTime } from '@app/testing/visit';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { vi } from 'vitest';
import { Captcha, type CaptchaWait } from '../features/captcha/captcha.tsx';
import { RECAPTCHA } from './fake-recaptcha.ts';
import { NOW } from './run-server.ts';

/** What the captcha has told of itself, the oldest first. */
export const readyChanges: boolean[] = [];

/** Every pause that the captcha has asked for. */
export const requestedWaits: CaptchaWait[] = [];

/** What was sent to the server, and what it answers. */
export const sentRequests: { address: string; method: string | undefined; body: unknown }[] = [];
export const server: { answer: () => Response | Promise<Response> } = { answer: () => new Response('true') };

export const PROPS: ComponentProps<typeof Captcha> = {
  hwid: 'device-1',
  os: 'ios',
  advertiser: 'rinku',
  onChange: (isPassed) => readyChanges.push(isPassed),
  renderWait: (wait) => {
    requestedWaits.push(wait);
    return <button onClick={wait.resume}>Until {wait.until}</button>;
  },
};

/** Call it before each test: the server takes every solution. */
export function openCaptcha(): void {
  openBrowser(NOW, { captcha: RECAPTCHA });
  for (const list of [readyChanges, requestedWaits, sentRequests]) list.length = 0;
  server.answer = () => new Response('true');
  vi.stubGlobal('fetch', async (address: string, { method, body }: { method?: string; body: string }) => {
    sentRequests.push({ address, method, body: JSON.parse(body) });
    return await server.answer();
  });
}

/** Shows the captcha beside the dialogs of the page, until its widget is there or has failed for the first time. */
export async function showCaptcha() {
  const view = (props: Partial<typeof PROPS>) => (
    <>
      <Captcha {...PROPS} {...props} />
      <ConfirmHost />
    </>
  );
  const { rerender } = render(view({}));
  await advanceTime(100);
  return {
    change: async (props: Partial<typeof PROPS>) => {
      rerender(view(props));
      await advanceTime(100);
    },
  };
}

/** Where the widget stands. */
export const widgetContainer = () => document.querySelector<HTMLElement>('[data-provider] > div')!;
export const status = () => document.querySelector<HTMLElement>('[data-provider]')?.dataset['status'];
export const toasts = () => useToastStore.getState().waiting;

/** Clicks the element with these words. */
export async function click(words: string): Promise<void> {
  fireEvent.click(screen.getByText(words));
  await advanceTime(0);
}

/** Lets the widget, the server or the browser say something. */
export async function dispatch(event: () => void): Promise<void> {
  act(event);
  await advanceTime(0);
}

/** Brings the tab to the front, or puts it behind others. */
export function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}
