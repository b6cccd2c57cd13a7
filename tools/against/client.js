/// <reference types="@rspack/core/module" />
// Runs in the pages of `npm run dev`, and shows what is thrown there, with the lines of the sources. In those of
// `npm run dev -- <unit> --against <site>` it also reloads them after each build, and shows its errors.
{
  // Alone it is in the page of a site. In the shell's bundle its query is the address of the dev server.
  const isAlone = typeof __resourceQuery === 'undefined';
  const errors = isAlone ? '/dev/edited-unit/errors' : __resourceQuery.slice(1);
  const { build = '' } = document.currentScript?.dataset ?? {};
  const box = document.createElement('pre');
  box.setAttribute('role', 'alert');
  box.id = 'edited-unit-problem';

  // The site's policy allows no style attributes, but styles that a script sets.
  Object.assign(box.style, {
    position: 'fixed',
    inset: 'auto 0 0',
    zIndex: '2147483647',
    maxHeight: '60vh',
    margin: '0',
    padding: '16px',
    overflow: 'auto',
    color: '#fff',
    background: '#7a1020',
    font: '14px/1.5 monospace',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  });
  const close = document.createElement('button');
  close.textContent = 'Close';
  close.style.float = 'right';
  close.onclick = () => box.remove();

  const show = (/** @type {string} */ text) => {
    box.replaceChildren(close, text);
    document.documentElement.append(box);
  };

  /** @type {Set<string>} */
  const told = new Set();
  const tell = (/** @type {unknown} */ thrown) => {
    const { name = '', message = String(thrown), stack = '' } = thrown instanceof Error ? thrown : {};
    const text = stack.includes(message) ? stack : `${name} ${message}\n${stack}`.trim();
    // The dev server shows a build that failed, whose module throws why.
    if (told.has(text) || message.includes('Module build failed')) return;

    told.add(text);
    // What is thrown next often follows from it, and is in the terminal.
    if (!box.isConnected) show(text);
    fetch(errors, { method: 'POST', body: text })
      .then((answer) => (answer.ok ? answer.text() : text))
      .then(
        (named) => box.isConnected && box.lastChild?.textContent === text && show(named),
        () => undefined,
      );
  };
  addEventListener('error', ({ error }) => {
    if (error) tell(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => tell(reason));
  // React writes what an error boundary has caught, its development build with a format.
  const { error } = console;
  console.error = (/** @type {unknown[]} */ ...words) => {
    error(...words);
    const [first, second] = words;
    if (first instanceof Error) tell(first);
    else if (typeof first === 'string' && first.startsWith('%o') && second instanceof Error) tell(second);
  };

  if (isAlone) {
    let problem = '';
    new EventSource('/dev/edited-unit/events').onmessage = (/** @type {MessageEvent<string>} */ { data }) => {
      const said = /** @type {{ build: string, problem: string }} */ (JSON.parse(data));
      if (said.build !== build) return location.reload();

      if (said.problem) show(said.problem);
      else if (problem) box.remove();
      problem = said.problem;
    };
  } else {
    // The client of the dev server says so when a build begins.
    addEventListener('message', (/** @type {MessageEvent<{ type?: string } | undefined>} */ { data }) => {
      if (data?.type !== 'webpackInvalid') return;
      told.clear();
      box.remove();
    });
  }
}
