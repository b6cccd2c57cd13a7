import { act } from '@testing-library/react';
import { useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { useIsHydrated } from '@app/platform';
import { replayInput } from './replay-input.ts';
import { pageOfRelease } from './page-of-release.tsx';

/** The text that the form had at each click on its button. */
const clickedTexts: string[] = [];

/** A form whose fields are held by state. */
function Form() {
  const [state, setState] = useState({ text: '', words: '', isOn: false, choice: 'one' });
  const change = (changes: Partial<typeof state>) => setState((known) => ({ ...known, ...changes }));
  return (
    <form>
      <input aria-label="text" value={state.text} onChange={({ target }) => change({ text: target.value })} />
      <textarea aria-label="words" value={state.words} onChange={({ target }) => change({ words: target.value })} />
      <input
        aria-label="on"
        type="checkbox"
        checked={state.isOn}
        onChange={({ target }) => change({ isOn: target.checked })}
      />
      <select aria-label="choice" value={state.choice} onChange={({ target }) => change({ choice: target.value })}>
        <option>one</option>
        <option>two</option>
      </select>
      <button type="button" onClick={() => clickedTexts.push(state.text)}>
        Send
      </button>
      <output>{JSON.stringify(state)}</output>
    </form>
  );
}

const HTML =
  '<div data-unit="news" data-version="1.0.0"><form>' +
  '<input aria-label="text" value=""><textarea aria-label="words"></textarea>' +
  '<input aria-label="on" type="checkbox"><select aria-label="choice"><option selected="">one</option><option>two</option></select>' +
  '<button type="button">Send</button><output>{&quot;text&quot;:&quot;&quot;,&quot;words&quot;:&quot;&quot;,&quot;isOn&quot;:false,&quot;choice&quot;:&quot;one&quot;}</output></form></div>';

let root: Root | undefined;
afterEach(() => {
  clickedTexts.length = 0;
  act(() => root?.unmount());
  document.body.replaceChildren();
});

function field<Field extends HTMLElement>(label: string): Field {
  const found = document.querySelector<Field>(`[aria-label="${label}"]`);
  if (!found) throw new Error(`No field ${label}`);
  return found;
}

/** Puts the form into the page as the server has rendered it, with what a visitor typed. */
function show(typed = ''): HTMLInputElement {
  document.body.innerHTML = `<div id="root">${HTML}</div>`;
  const text = field<HTMLInputElement>('text');
  text.value = typed;
  return text;
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function hydrate(Shown = Form) {
  const container = document.querySelector('#root');
  if (!container) throw new Error('No root');
  const Page = pageOfRelease(Shown, { unit: 'news', version: '1.0.0' }, 'stable');
  await act(async () => {
    root = hydrateRoot(container, <Page />);
    return Promise.resolve();
  });
}

test('input before hydration is in the state of the page, and stays in the fields', async () => {
  const text = show('ABC-1');
  field<HTMLTextAreaElement>('words').value = 'more words';
  field<HTMLInputElement>('on').checked = true;
  field<HTMLSelectElement>('choice').value = 'two';

  await hydrate();

  expect(JSON.parse(document.querySelector('output')?.textContent ?? '')).toEqual({
    text: 'ABC-1',
    words: 'more words',
    isOn: true,
    choice: 'two',
  });
  expect(field('text')).toBe(text);
  expect(text.value).toBe('ABC-1');
});

/** What the address of the page names. */
let choiceInUrl = 'A';

/** Three choices, of which the server renders the first, because the first render does not know the address. */
function Choices() {
  const [picked, setPicked] = useState<string>();
  const isHydrated = useIsHydrated();
  const chosen = picked ?? (isHydrated ? choiceInUrl : 'A');
  return (
    <form>
      {['A', 'B', 'C'].map((value) => (
        <input
          key={value}
          aria-label={value}
          type="radio"
          name="choice"
          checked={value === chosen}
          onChange={() => setPicked(value)}
        />
      ))}
      <output>{chosen}</output>
    </form>
  );
}

test.each([
  ['C', undefined, 'C'],
  ['C', 'A', 'A'],
  ['C', 'B', 'B'],
  ['A', 'A', 'A'],
  ['A', undefined, 'A'],
])('with %s chosen in the address and %s by the visitor, the state is %s', async (inAddress, chosen, known) => {
  choiceInUrl = inAddress;
  const choices = ['A', 'B', 'C'].map(
    (value) => `<input aria-label="${value}" type="radio" name="choice"${value === 'A' ? ' checked=""' : ''}>`,
  );
  document.body.innerHTML = `<div id="root"><div data-unit="news" data-version="1.0.0"><form>${choices.join('')}<output>A</output></form></div></div>`;
  field<HTMLInputElement>(choiceInUrl).checked = true;
  if (chosen) Object.assign(field<HTMLInputElement>(chosen), { checked: true, wasChosen: true });
  const clicked = new Set<unknown>();
  document.body.addEventListener('click', ({ target }) => clicked.add((target as Element).getAttribute('aria-label')));

  await hydrate(Choices);
  // The document's script would take another click for a choice.
  expect([...clicked].every((label) => label === known)).toBe(true);

  expect(document.querySelector('output')?.textContent).toBe(known);
  expect(field<HTMLInputElement>(known).checked).toBe(true);
});

test('dispatches no event for an unchanged choice', async () => {
  document.body.innerHTML =
    '<form><input type="radio" name="choice" checked=""><input type="checkbox" checked=""></form>';
  const told: unknown[] = [];
  document.body.addEventListener('click', ({ target }) => told.push(target), { once: true });

  replayInput(document.body);
  await Promise.resolve();

  expect(told).toEqual([]);
});

test('dispatches no events without input', async () => {
  show();
  const events: string[] = [];
  for (const type of ['input', 'change', 'click'])
    document.body.addEventListener(type, ({ target }) => events.push(`${type} ${(target as Element).outerHTML}`));

  await hydrate();

  expect(events).toEqual([]);
  expect(document.querySelector('[data-unit]')?.getAttribute('data-source')).toBe('stable');
});

/** Clicks the button as a visitor does, and notes the click as the document's own script does. */
function click(): void {
  const button = document.querySelector('button');
  button?.addEventListener('click', (event) => (globalThis.pressedEarly = event), { once: true });
  button?.click();
}

test('the button that was clicked before hydration is clicked once, with the typed text', async () => {
  show('ABC-1');
  click();

  await hydrate();
  await expect.poll(() => clickedTexts).toEqual(['ABC-1']);

  expect(globalThis.pressedEarly).toBeUndefined();
});

test.each([
  ['<form method="post">', 'submit', 0],
  ['<form method="post">', 'button', 1],
  ['<form>', 'submit', 1],
])(
  'in %s an early click on a button of type %s is replayed %i times, because the browser submits a form with a method itself',
  async (form, type, times) => {
    document.body.innerHTML = `<main>${form}<button type="${type}">Send</button></form></main>`;
    const page = document.querySelector('main')!;
    const target = page.querySelector('button')!;
    let clicks = 0;
    target.addEventListener('click', (event) => {
      event.preventDefault();
      clicks += 1;
    });
    globalThis.pressedEarly = { target, eventPhase: Event.NONE } as unknown as MouseEvent;

    replayInput(page);
    await nextTask();

    expect(clicks).toBe(times);
  },
);

test('does not replay the click that hydrated the page', async () => {
  show();
  const target = document.querySelector('button');
  globalThis.pressedEarly = { target, eventPhase: Event.CAPTURING_PHASE } as unknown as MouseEvent;

  await hydrate();
  await nextTask();

  expect(clickedTexts).toEqual([]);
});

test('keeps the caret of a field that is typed in during hydration', async () => {
  const text = show('ABC-1');
  text.focus();
  text.setSelectionRange(2, 2);

  await hydrate();
  await nextTask();

  expect([document.activeElement === text, text.selectionStart, text.selectionEnd]).toEqual([true, 2, 2]);
});

test('keeps the caret after a letter typed right after hydration', async () => {
  const text = show('ABC');
  text.focus();
  text.setSelectionRange(3, 3);
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const typeOn = () => {
    native?.set?.call(text, 'ABCD');
    text.setSelectionRange(4, 4);
    text.dispatchEvent(new Event('input', { bubbles: true }));
  };
  document.addEventListener('input', () => queueMicrotask(typeOn), { once: true });

  await hydrate();
  await nextTask();

  expect([text.value, text.selectionStart, text.selectionEnd]).toEqual(['ABCD', 4, 4]);
});

test('does not replay a click outside the page', async () => {
  document.body.innerHTML = `<nav><button type="button">Menu</button></nav><div id="root">${HTML}</div>`;
  const menu = document.querySelector('nav button');
  let clicks = 0;
  menu?.addEventListener('click', () => (clicks += 1));
  click();

  await hydrate();
  await nextTask();

  expect(clicks).toBe(1);
});

test('does not replay a chosen file, but the text beside it', async () => {
  document.body.innerHTML = '<form><input type="file"><input aria-label="text" value=""></form>';
  const told: unknown[] = [];
  document.body.addEventListener('input', ({ target }) => told.push(target), { once: true });
  const file = document.querySelector('input')!;
  const set = vi.fn();
  Object.defineProperty(file, 'value', { get: () => 'C:\\fakepath\\script.lua', set });
  const text = field<HTMLInputElement>('text');
  text.value = 'ABC-1';

  replayInput(document.body);
  await Promise.resolve();

  expect(set).not.toHaveBeenCalled();
  expect(told).toEqual([text]);
});
