// Runs in the pages of `npm run dev -- <unit> --against <site>`: reloads them after each build, and shows its errors.
{
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

  new EventSource('/dev/edited-unit/events').onmessage = (/** @type {MessageEvent<string>} */ { data }) => {
    const said = /** @type {{ build: string, problem: string }} */ (JSON.parse(data));
    if (said.build !== build) return location.reload();

    box.textContent = said.problem;
    if (said.problem) document.body.append(box);
    else box.remove();
  };
}
