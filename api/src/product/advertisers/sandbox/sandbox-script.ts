/** The script of a visit page: it counts down, then enables the buttons. */
export const SCRIPT = `const form = document.querySelector('form');
const timer = document.querySelector('[role=timer]');
const endsAt = performance.now() + Number(form.dataset.countdownMs);

function tick() {
  const left = endsAt - performance.now();
  timer.textContent = left > 0 ? 'Continue in ' + Math.ceil(left / 1000) + ' s' : 'You can continue.';
  if (left > 0) return void setTimeout(tick, Math.min(left, 250));
  for (const button of form.querySelectorAll('button')) button.disabled = false;
}

tick();
`;
