import { useToastStore } from '@app/platform';
import { advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';
import '../test/page.ts';

const UNREACHABLE_TEXT = 'Can’t reach our server. Check your connection, then try again.';

afterEach(comeBack);

/** The page is shown again, as it was left. */
function comeBack(): void {
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
}

/** Opens the plans of a device. Each question whether the server is alive is answered by the test. */
async function openPlans() {
  serve({});
  const ask = globalThis.fetch;
  const answers: ((response: Response | Promise<Response>) => void)[] = [];
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
    address === '/healthz' ? new Promise((resolve) => answers.push(resolve)) : ask(address, init),
  );
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  await visit(remote, '/plans?hwid=device-1&zone=z');

  return {
    answers,
    click: (plan: string, keys = {}) => fireEvent.click(screen.getByRole('link', { name: `Get ${plan}` }), keys),
    modes: () => assign.mock.calls.map(([address]) => new URL(String(address), location.href).searchParams.get('mode')),
  };
}

test('only the largest plan has the main button', async () => {
  await openPlans();
  const looks = screen
    .getAllByRole('link', { name: /^Get (Basic|Plus|Premium)/ })
    .map(({ className }) => className.includes('primary'));
  expect(looks).toEqual([false, false, true]);
});

test('the bars of the plans are in one scale, and only Premium has more than the others', async () => {
  await openPlans();
  const widths = [...document.querySelectorAll('rect')].map((bar) =>
    Math.round(parseFloat(bar.getAttribute('width')!)),
  );
  expect(widths).toEqual([2, 8, 100]);

  const cards = screen.getAllByRole('link', { name: /^Get (Basic|Plus|Premium)/ }).map((link) => link.closest('li')!);
  expect(cards.map((card) => [...card.querySelectorAll('li')].map(({ textContent }) => textContent))).toEqual([
    [],
    [],
    ['Beta tester role', 'Early access'],
  ]);
});

test('who wants to give a plan away is sent to the resellers, whose codes work on any device', async () => {
  await openPlans();
  expect(screen.getByRole('link', { name: 'Buy a code' }).getAttribute('href')).toMatch(/^\/resellers/);
});

test('two taps on a plan request one payment', async () => {
  const { answers, click, modes } = await openPlans();
  click('Basic');
  click('Basic');
  for (const answer of answers) answer(new Response());
  await advanceTime(0);

  click('Basic');
  await advanceTime(0);
  expect(modes()).toEqual(['1']);
});

test('after going back from the payment the same plan can be chosen again at once', async () => {
  const { answers, click, modes } = await openPlans();
  click('Basic');
  answers[0]?.(new Response());
  await advanceTime(0);

  comeBack();
  click('Basic');
  answers[1]?.(new Response());
  await advanceTime(0);
  expect(modes()).toEqual(['1', '1']);
});

test('the last chosen of two plans counts, in any order of the answers', async () => {
  const { answers, click, modes } = await openPlans();
  click('Basic');
  click('Premium');
  answers[1]?.(new Response());
  await advanceTime(0);
  answers[0]?.(new Response());
  await advanceTime(0);

  expect(modes()).toEqual(['3']);
});

test('a visitor who visited another page meanwhile can choose the same plan again at once', async () => {
  const { answers, click, modes } = await openPlans();
  click('Basic');
  const plans = location.href;
  history.pushState(null, '', '/resellers');
  answers[0]?.(new Response());
  await advanceTime(0);
  expect(modes()).toEqual([]);

  history.pushState(null, '', plans);
  click('Basic');
  answers[1]?.(new Response());
  await advanceTime(0);
  expect(modes()).toEqual(['1']);
});

test('an unreachable server is reported once, and the plan can be chosen again', async () => {
  const { answers, click, modes } = await openPlans();
  click('Plus');
  answers[0]?.(Promise.reject(new TypeError('Failed to fetch')));
  await advanceTime(0);
  click('Plus');
  await advanceTime(0);
  expect(useToastStore.getState().waiting).toEqual([UNREACHABLE_TEXT]);
  expect(answers).toHaveLength(1);

  await advanceTime(1000);
  click('Plus');
  answers[1]?.(new Response());
  await advanceTime(0);
  expect(modes()).toEqual(['2']);
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])(
  'a click with %o is left to the browser, which opens another tab',
  async (keys) => {
    const { answers, click, modes } = await openPlans();
    let isLeft: boolean | undefined;
    const open = (event: Event) => {
      isLeft = !event.defaultPrevented;
      event.preventDefault();
    };
    document.addEventListener('click', open, { once: true });

    click('Basic', keys);
    await advanceTime(0);
    expect([isLeft, answers, modes()]).toEqual([true, [], []]);
  },
);
